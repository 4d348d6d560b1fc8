internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataRendering

/// `migrate STORE --to MODEL [--output FILE] [--dry-run]`
struct Migrate: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Migrates a store to another model, or rehearses it.",
    discussion: """
      A mapping model that fits is taken, else Core Data's inference; --strategy names other ways, which \
      `plan` shows hop by hop. What is inferred happens in the store \
      itself, in one transaction: all of it, or nothing. Where that loses anything, or may, a full copy of the old store is \
      first kept beside it as <store>.before-<version>, binary data in files included, and nothing is migrated \
      where the copy has no room; --keep-old decides otherwise. By a mapping model, a new store is made in three \
      passes and checked; then it takes the place of the old one in one instant, and the old one is kept \
      beside it in the same way, unless --discard-old says otherwise; an XML store is always replaced in this way. \
      With --output the new \
      store is made there, and the old one stays; where the store is at the model already, it is a copy. A name that ends in .xml means an XML store. A binary store needs --output: it is only read (`help stores`). \
      With --append the objects are added to the store of --output, in one transaction and with new keys: so the parts \
      of a divided mapping model run one after the other. Each part links the objects that it creates, as each call of \
      migrateStoreFromURL does; its policies find those that were there before, too. \
      --strict refuses a migration that loses anything, --strict=rows,links one that loses these. --dry-run does all of it in a private \
      folder that goes afterwards, and tells what would happen. The store must not be open elsewhere: \
      SQLite's locks tell, and on Linux the open files of this user's programs. Policies that a mapping model names stand \
      in policy files (`help policies`), beside the model or named by --policies, or are linked into the \
      program (StrataKit). Every migration is compared with what the source foretells before it is \
      committed, of large tables a sample; with --proof all objects are, and where a migration can happen in place and by passes, \
      both are done in a private folder first, compared object by object, and nothing is migrated where \
      they differ. The answer is a receipt, the same in a rehearsal: for each entity mapping, how many source objects \
      it reads, and how many objects are created, joined (part of an object that is there already), skipped \
      (left to another entity mapping) and lost; whether object keys are kept, without which object URIs that an app \
      stored stop working; and what becomes of each property that is not kept as it is: renamed, converted, \
      computed, truncated, lost or new, with counts before and after and the keys of the first objects, never \
      values. `trace migration 1` shows the passes as they happen.
      """)
  static let effect = CommandEffect.writesStore
  static let examples = [
    CommandExample(
      "a rehearsal, which changes nothing",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2 --dry-run"),
    CommandExample(
      "in the store itself, by what is inferred",
      "create lists.sqlite --model sample:Topics/Model2 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model3",
      "identify lists.sqlite sample:Topics"),
    CommandExample(
      "everything compared before it happens, and both ways of migrating with each other",
      "create lists.sqlite --model sample:Topics/Model2 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model3 --proof"),
    CommandExample(
      "by a mapping model; the old store is kept",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2",
      "identify lists.sqlite.before-Model1 sample:Topics"),
    CommandExample(
      "by a mapping model, into a new store",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2 --output new.sqlite",
      "rows new.sqlite Topic --limit 1"),
    CommandExample(
      "two stores of an old version, joined in one of the new version",
      "create phone.sqlite --model sample:Topics/Model2 --rows 2",
      "create pad.sqlite --model sample:Topics/Model2 --rows 3 --seed 2",
      "migrate phone.sqlite --to sample:Topics/Model3 --output all.sqlite",
      "migrate pad.sqlite --to sample:Topics/Model3 --output all.sqlite --append",
      "count all.sqlite Topic"),
  ]

  @OptionGroup var migration: MigrationArguments
  @Flag(help: "Rehearse only: change nothing.") var dryRun = false
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(.file, "Make a new store here; the old one stays."),
    completion: .file())
  var newStore: String?
  @Flag(
    help: "Add the migrated objects to the store of --output, which is at the target version.")
  var append = false
  @Flag(help: "Replace a file of the name given by --output or --trace-json.") var force = false
  @OptionGroup var oldStore: OldStoreOptions
  @Flag(
    help:
      "Compare all objects with the source, migrate in place and by passes in a private folder, and refuse where the two differ."
  ) var proof = false
  @OptionGroup var traceOptions: TraceOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !force || newStore != nil || traceOptions.file != nil else {
      throw ValidationError(
        "--force replaces the file of --output or --trace-json, and there is none")
    }
    guard !append || newStore != nil && (!force || traceOptions.file != nil) else {
      throw ValidationError("--append adds to the store that --output names: leave --force out")
    }
    guard !dryRun || !append else {
      throw ValidationError("--append is not rehearsed: leave --dry-run or --append out")
    }
    guard !oldStore.discardOld || newStore == nil else {
      throw ValidationError("--discard-old is for the store that is migrated where it is")
    }
    guard oldStore.keepOld == nil || newStore == nil else {
      throw ValidationError("with --output the old store stays: leave --keep-old out")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    do {
      return try MigrationJob(
        migration: migration, dryRun: dryRun, newStore: newStore, force: force,
        appends: append, oldStore: oldStore, isProof: proof, traceOptions: traceOptions
      ).run(in: session)
    } catch let error as any DiagnosticError where dryRun && RehearsalAnswer.isNo(error) {
      // A rehearsal is a question, and this answers it.
      let hasNoPath = (error as? ExplainedMigrationError)?.error.hasNoPath == true
      return Outcome(
        .nothing,
        payload: MigrationPayload(
          outcome: hasNoPath ? .noPath : .refused, dryRun: true,
          store: try session.store(migration.store).name, reason: error.diagnostic.what),
        status: .no, warnings: [error.diagnostic])
    }
  }
}
