internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataRendering

/// `migrate STORE --to MODEL [--output FILE] [--dry-run]`
struct Migrate: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "migrate",
    abstract: "Migrates a store to another model, or rehearses the migration.",
    discussion: """
      By default, a mapping model that fits is used, else Core Data's inference; --strategy selects another \
      strategy, whose hops `plan` shows.

      An inferred migration changes the store in place, in one transaction. If it loses or may lose something, \
      a full copy of the old store, with its external binary data, is first kept as <store>.before-<version>; \
      if there is no disk space for the copy, nothing is migrated. --keep-old changes this. A migration with a \
      mapping model creates a new store in three passes, checks it, and replaces the old store atomically; the \
      old store is kept in the same way unless --discard-old is given. An XML store is always replaced in this \
      way.

      With --output the new store is created there and the old one is unchanged; if the store is already at \
      the model, the new store is a copy. A name that ends in .xml creates an XML store. A binary store is \
      read-only and requires --output (`help stores`). With --append the objects are added to the store of \
      --output in one transaction, with new keys, so that the parts of a divided mapping model can run one \
      after the other. Each part links only objects that it creates, as each call of migrateStoreFromURL does; \
      its policies also find the earlier objects.

      --strict refuses a migration that loses anything, --strict=rows,links one that loses rows or links. \
      Several hops in place, and a stage with scripts, are first rehearsed for it, so that nothing runs if \
      something later is refused. --dry-run \
      migrates in a private folder, which is then deleted, and shows what would happen. The store must not be \
      open in another program: SQLite's locks are checked, and on Linux the open files of this user's \
      programs. The policies of a mapping model are in policy files (`help policies`), beside the model or \
      named with --policies, or linked into the program (StrataKit).

      Before the commit, every migration is compared with the result expected from the source; of large tables \
      a sample, with --proof all objects. With --proof, a migration that is possible both in place and in \
      passes is also done both ways in a private folder; if the objects differ, nothing is migrated.

      The result is a receipt, also in a rehearsal: for each entity mapping, the number of source objects read \
      and of objects created, joined (merged into an existing object), skipped (migrated by another entity \
      mapping) and lost; whether object keys are kept (if not, object URIs that an app stored stop working); \
      and each property that is renamed, converted, computed, truncated, lost or new, with counts before and \
      after and the keys of the first objects, never values. `trace migration 1` shows the passes while they run.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a rehearsal, which changes nothing",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2 --dry-run"),
    CommandExample(
      "in place, with an inferred mapping model",
      "create lists.sqlite --model sample:Topics/Model2 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model3",
      "identify lists.sqlite sample:Topics"),
    CommandExample(
      "all objects compared before the commit, in place and in passes",
      "create lists.sqlite --model sample:Topics/Model2 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model3 --proof"),
    CommandExample(
      "with a mapping model; the old store is kept",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2",
      "identify lists.sqlite.before-Model1 sample:Topics"),
    CommandExample(
      "with a mapping model, into a new store",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2 --output new.sqlite",
      "rows new.sqlite Topic --limit 1"),
    CommandExample(
      "two stores of an old version, merged into one of the new version",
      "create phone.sqlite --model sample:Topics/Model2 --rows 2",
      "create pad.sqlite --model sample:Topics/Model2 --rows 3 --seed 2",
      "migrate phone.sqlite --to sample:Topics/Model3 --output all.sqlite",
      "migrate pad.sqlite --to sample:Topics/Model3 --output all.sqlite --append",
      "count all.sqlite Topic"),
  ]

  @OptionGroup var migration: MigrationArguments
  @Flag(help: "Rehearse only: change nothing.") var dryRun = false
  @Option(.file, "Create a new store here; the old one is unchanged.", name: .customLong("output"))
  var newStore: String?
  @Flag(
    help: "Add the migrated objects to the store of --output, which must be at the target version.")
  var append = false
  @Flag(help: "Overwrite the file of --output or --trace-json.") var force = false
  @OptionGroup var oldStore: OldStoreOptions
  @Flag(
    help:
      "Compare all objects with the source, migrate in place and in passes in a private folder, and refuse if the two differ."
  ) var proof = false
  @OptionGroup var traceOptions: TraceOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !force || newStore != nil || traceOptions.file != nil else {
      throw ValidationError(
        "--force requires --output or --trace-json")
    }
    guard !append || newStore != nil && (!force || traceOptions.file != nil) else {
      throw ValidationError("--append adds to the store of --output: omit --force")
    }
    guard !dryRun || !append else {
      throw ValidationError("--append cannot be rehearsed: omit --dry-run or --append")
    }
    try oldStore.check(newStore: newStore)
  }

  mutating func run(in session: Session) throws -> Outcome {
    do {
      return try MigrationJob(
        migration: migration, dryRun: dryRun, newStore: newStore, force: force,
        appends: append, oldStore: oldStore, isProof: proof, traceOptions: traceOptions
      ).run(in: session)
    } catch let error as any DiagnosticError where dryRun && RehearsalAnswer.isNo(error) {
      // The result of a rehearsal is the answer to its question, not an error.
      let hasNoPath = (error as? ExplainedMigrationError)?.error.hasNoPath == true
      let verdict: MigrationVerdict = hasNoPath ? .noPath : .refused
      return Outcome(
        .nothing,
        json: verdict.json(
          dryRun: true, store: try session.store(migration.store).name,
          ["reason": error.diagnostic.what, "code": error.diagnostic.code?.rawValue]),
        status: .no, warnings: [error.diagnostic])
    }
  }
}
