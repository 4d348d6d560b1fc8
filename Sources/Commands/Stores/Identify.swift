internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `identify STORE [MODEL…]`
struct Identify: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "identify", abstract: "Finds the model version that wrote a store.",
    discussion: """
      Without a MODEL, every loaded version and every copy edited by try is compared; a bundle means all its versions. A store can also \
      contain one configuration of a version, or be written by a model merged from versions of several bundles \
      (up to four are tried). If no version fits, the versions that differ in the fewest entities are listed, \
      with the properties that differ if the store contains its model. Exit status 1 means that no version fits.
      """)
  static let examples = [
    CommandExample(
      "the version of a store", "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "identify lists.sqlite sample:Topics"),
    CommandExample(
      "two models merged",
      "create both.sqlite --model sample:Topics/Model2+sample:Recipes/Recipes1",
      "identify both.sqlite sample:Topics sample:Recipes"),
    CommandExample(
      "the differences from the nearest version",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "identify lists.sqlite sample:FirstTopics"),
  ]

  @Argument(.store, "A store.") var store: String
  @Argument(.model, "The models or bundles to compare.") var models: [String] = []
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let (name, path) = try session.store(store)
    let opened = try session.open(path)
    let candidates = try candidates(in: session)
    guard !candidates.isEmpty else {
      throw Diagnostic(
        id: "identify.noModels", what: "no model is loaded or named",
        fix: (session.loadingAdvice.map { "load a bundle first: \($0); or name one: " }
          ?? "name one: ")
          + "`identify \(CommandLineLexer.quoted(store)) <bundle>`")
    }
    let found = try session.modelOf(opened, path: path, candidates: candidates, isExclusive: true)
    let metadata = opened.metadata
    // The names of a merged model are joined by +; the configuration is that of the first version that fits.
    let members: JSONValue.Members = [
      "store": name, "matches": found.writers.map(\.name), "configuration": found.configuration,
      "identifiers": metadata.versionIdentifiers,
    ]
    guard found.writers.isEmpty else {
      try opened.checkUnchanged()
      return Outcome(
        .line(Self.sentence(name, found.writers, metadata)), json: .object(withoutNull: members),
        warnings: found.warnings)
    }
    let nearest = session.nearest(to: opened, among: candidates)
    // One of them may have written the store.
    let unreadable = try unreadableVersions(in: session)
    try opened.checkUnchanged()
    let others: JSONValue.Members = [
      "nearest": nearest.named.first?.model.name,
      "nearestVersions": nearest.json,
    ]
    return Outcome(
      .stack([
        .line(
          StyledText("no version fits ", .error) + StyledText(name, .name)
            + StyledText(": \(Phrase.count(candidates.count, "model")) compared")),
        nearest.view,
      ]), json: .object(withoutNull: members + others), status: unreadable.isEmpty ? .no : .failed,
      warnings: found.warnings + unreadable)
  }

  /// The errors of the versions that cannot be compared.
  private func unreadableVersions(in session: Session) throws -> [Diagnostic] {
    let bundles =
      models.isEmpty
      ? session.loadedBundles
      : try models.compactMap { try session.wholeBundle($0) }
    return bundles.flatMap(session.readEach).compactMap { result in
      if case .failure(let error) = result { error } else { nil }
    }
  }

  /// `phone.sqlite was written by Model1: all hashes of 2 entities are equal, version identifier 1.0`
  private static func sentence(
    _ store: String, _ writers: [WritingVersion], _ metadata: StoreMetadata
  ) -> StyledText {
    let count = metadata.versionHashes.count
    let identifiers = metadata.versionIdentifiers.filter { !$0.isEmpty }
    return StyledText(store, .name)
      + StyledText(writers.count == 1 ? " was written by " : " fits ")
      + StyledText(Phrase.list(writers.map(\.text)), .good)
      + StyledText(
        ": \(count == 1 ? "the hash" : "all hashes") of \(Phrase.count(count, "entity", "entities")) \(count == 1 ? "is" : "are") equal"
      )
      + StyledText(
        identifiers.isEmpty ? "" : ", version identifier \(Phrase.list(identifiers))")
  }

  private func candidates(in session: Session) throws -> [WriterCandidate] {
    guard !models.isEmpty else {
      let loaded = session.loadedCandidates()
      return loaded + session.trialCandidates(besides: loaded)
    }
    let found = try models.flatMap { try session.candidates(named: $0) }
    // Versions of one bundle can have names without the bundle.
    guard Set(found.map(\.bundle)).count == 1 else { return found }
    return found.map { candidate in
      let version = candidate.model.versionName
      // The name of a bundle refers to its current version.
      let name = version == candidate.bundle ? "\(candidate.bundle)/\(version)" : version
      return WriterCandidate(
        NamedModel(name: name, model: candidate.model.model), bundle: candidate.bundle)
    }
  }
}
