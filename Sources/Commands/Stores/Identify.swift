internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `identify STORE [MODEL…]`
struct Identify: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "identify", abstract: "Tells which model version wrote a store.",
    discussion: """
      Without a MODEL, every loaded version is looked at; a bundle stands for all its versions. Exit \
      status 1 means that none fits.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "which version a store is of", "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "identify lists.sqlite sample:Topics")
  ]

  @Argument(help: ArgumentHelp("A store.", valueName: "store"), completion: .file()) var store:
    String
  @Argument(
    help: ArgumentHelp("Models or bundles to look among.", valueName: "model"), completion: .file())
  var models: [String] = []
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let (name, path) = try session.store(store)
    let opened = try session.open(path)
    let hashes = opened.metadata.versionHashes
    try opened.checkUnchanged()
    let candidates = try candidates(in: session)
    guard !candidates.isEmpty else {
      throw Diagnostic(
        id: "identify.noModels", what: "there is no model to look among",
        mend: "load a bundle first, or name one: identify \(store) <bundle>")
    }
    let ranked = candidates.map { ($0, Self.distance($0.model.versionHashes(), hashes)) }
    var matches: [String] = []
    for (model, distance) in ranked where distance == 0 && !matches.contains(model.name) {
      matches.append(model.name)
    }
    let identifiers = opened.metadata.versionIdentifiers.filter { !$0.isEmpty }
    let payload = IdentifyPayload(
      store: name, matches: matches, identifiers: opened.metadata.versionIdentifiers,
      nearest: matches.isEmpty ? Self.nearest(ranked)?.0.name : nil)
    if !matches.isEmpty {
      let entities = Words.count(hashes.count, "entity", "entities")
      return Outcome(
        .line(
          StyledText(name, .name)
            + StyledText(matches.count == 1 ? " was written by " : " fits ")
            + StyledText(Words.list(matches), .good)
            + StyledText(
              ": \(hashes.count == 1 ? "the hash" : "all hashes") of \(entities) \(hashes.count == 1 ? "is" : "are") equal"
            )
            + StyledText(
              identifiers.isEmpty ? "" : ", version identifier \(Words.list(identifiers))")
        ), payload: payload)
    }
    var lines: [StyledText] = [
      StyledText("no version fits ", .error) + StyledText(name, .name)
        + StyledText(": \(Words.count(candidates.count, "model", "models")) compared")
    ]
    if let (nearest, distance) = Self.nearest(ranked) {
      lines.append(
        StyledText(
          "nearest is \(nearest.name): \(Words.count(distance, "entity differs", "entities differ")): \(Words.list(Self.differing(nearest.model.versionHashes(), hashes)))"
        ))
    }
    return Outcome(.lines(lines), payload: payload, status: .no)
  }

  private func candidates(in session: Session) throws -> [NamedModel] {
    guard !models.isEmpty else { return session.loadedModels() }
    return try models.flatMap { text -> [NamedModel] in
      // A bundle stands for all its versions.
      guard let bundle = try? session.bundle(text), !Self.namesVersion(text, in: bundle) else {
        return [try session.model(text)]
      }
      session.readAll(bundle.versions)
      return bundle.versions.compactMap { version in
        (try? session.model(of: version)).map {
          NamedModel(name: session.shortName(of: version, in: bundle) ?? version.name, model: $0)
        }
      }
    }
  }

  private static func namesVersion(_ text: String, in bundle: ModelBundle) -> Bool {
    bundle.versions.contains { text == $0.name || text.hasSuffix("/\($0.name)") }
  }

  /// How many entities differ.
  private static func distance(
    _ model: [String: VersionHash], _ store: [String: VersionHash]
  ) -> Int {
    differing(model, store).count
  }

  private static func differing(
    _ model: [String: VersionHash], _ store: [String: VersionHash]
  ) -> [String] {
    Set(model.keys).union(store.keys).filter { model[$0] != store[$0] }.sorted()
  }

  /// The candidate with the fewest differences, unless nothing at all is equal.
  private static func nearest(_ ranked: [(NamedModel, Int)]) -> (NamedModel, Int)? {
    ranked.min { $0.1 < $1.1 }.flatMap { best in
      best.1 < best.0.model.entities.count ? best : nil
    }
  }
}

/// The JSON shape of `identify`.
struct IdentifyPayload: Encodable, Sendable {
  var store: String
  var matches: [String]
  var identifiers: [String]
  var nearest: String?
}
