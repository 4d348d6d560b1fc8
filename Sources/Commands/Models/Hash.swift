internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `hash REF [REF] [--all] [--properties] [--explain]`
struct Hash: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "hash", abstract: "Shows version hashes, exactly as Core Data computes them.",
    discussion: """
      REF is a model, an entity (Model1.Topic) or a property (Model1.Topic.content); for a store, its \
      recorded hashes are shown. A hash is marked unproven if it depends on a rule that could not be checked \
      against a hash from Core Data.

      --explain shows every byte string that is hashed, its meaning, and what is not hashed; for a model, \
      only the digests of its entities. With two references (models, entities or properties), --explain \
      shows only the bytes that differ.
      """)
  static let examples = [
    CommandExample("every entity of a model", "hash sample:Topics/Model1"),
    CommandExample("how a hash is computed", "hash sample:Topics/Model1.TopicList --explain"),
    CommandExample(
      "why two hashes differ",
      "hash sample:Topics/Model1.Topic sample:Topics/Model2.Topic --explain"),
    CommandExample("every version of a bundle", "hash sample:FirstTopics --all"),
  ]

  @Argument(.element, "A model, entity, property, bundle or store.") var reference: String
  @Argument(.element, "With --explain: the element to compare it with.", label: "other")
  var other: String?
  @Flag(help: "Show the hashes of every version of the bundle.") var all = false
  @Flag(help: "Show the hashes of the properties too.") var properties = false
  @Flag(help: "Show every hashed byte string, its meaning, and the digest so far.")
  var explain = false
  @Option(help: ArgumentHelp("Only the entities of this configuration.", valueName: "name"))
  var configuration: String?
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    if all, explain { throw ValidationError("--explain explains one model, entity or property") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    if all { return try allVersions(in: session) }
    if explain { return try explanation(in: session) }
    guard other == nil else {
      throw Diagnostic(
        id: "command.usage", what: "hash accepts two references only with --explain",
        fix: "write it as `hash <ref> <other> --explain`; quote a name with spaces: 'Moody 2'")
    }
    switch try session.resolve(reference) {
    case .store(let name, let path) where !properties && configuration == nil:
      return try recorded(name: name, path: path, in: session)
    case .store(let name, let path):
      let store = try session.open(path)
      let agreement = try session.modelOf(store, path: path).hashDiagnostic(of: name)
      var outcome = try answer(for: session.model(reference))
      outcome.warnings += [agreement].compactMap { $0 }
      return outcome
    case .mapping: return try answer(for: session.model(reference))
    case .model(let model): return try answer(for: model)
    case .entity(let entity, let model): return try answer(for: model, entities: [entity])
    case .property(let property, let entity, let model):
      return answer(for: property, of: entity, in: model)
    }
  }

  private func answer(for model: NamedModel) throws -> Outcome {
    try answer(
      for: model, entities: model.model.entityNames(inConfiguration: configuration),
      isWhole: true)
  }

  private func answer(
    for model: NamedModel, entities: [String], isWhole: Bool = false
  ) throws -> Outcome {
    let payload = HashPayload(
      model, entities: entities, withProperties: properties, isWhole: isWhole)
    let notes = Set(payload.entities.values.flatMap { $0.unproven ?? [] }).sorted()
    return Outcome(
      .stack([
        .table(columns: Self.hashColumns, rows: Self.rows(payload, entities)),
        .lines(notes.map { StyledText("unproven: \($0)", .warning) }),
      ]), json: payload.json)
  }

  /// The hashes of entities, each with those of its properties.
  private static func rows(
    _ payload: HashPayload, _ entities: [String], indent: String = ""
  ) -> [[StyledText]] {
    entities.flatMap { entity -> [[StyledText]] in
      guard let found = payload.entities[entity] else { return [] }
      let row = [
        StyledText(indent + entity, .name), StyledText(found.hash.description),
        StyledText(found.unproven == nil ? "" : "unproven", .warning),
      ]
      let properties = (found.properties ?? [:]).sorted { $0.key < $1.key }
      return [row]
        + properties.map { name, hash in
          [StyledText("\(indent)  \(name)"), StyledText(hash.description, .faint), ""]
        }
    }
  }

  private func answer(for property: String, of entity: String, in model: NamedModel) -> Outcome {
    let qualifiedName = "\(entity).\(property)"
    guard let hash = model.model.propertyHashes(of: entity)[property] else {
      return HashExplanation.notHashed(qualifiedName)
    }
    return Outcome(
      .table(
        columns: Table.nameAndValue,
        rows: [[StyledText(qualifiedName, .name), StyledText(hash.description)]]),
      json: ["property": qualifiedName, "hash": hash.hex])
  }

  private func explanation(in session: Session) throws -> Outcome {
    let first = try HashExplanation(
      of: reference, configuration: configuration, withProperties: properties, in: session)
    guard let other else { return first.outcome }
    let second = try HashExplanation(
      of: other, configuration: configuration, withProperties: properties, in: session)
    return try HashComparison(first, second).outcome
  }

  /// The hashes recorded in a store, which `compare` uses.
  private func recorded(name: String, path: String, in session: Session) throws -> Outcome {
    let store = try session.open(path)
    let hashes = store.metadata.versionHashes
    let found = try session.modelOf(store, path: path)
    try store.checkUnchanged()
    let rows: [[StyledText]] = hashes.sorted { $0.key < $1.key }.map {
      [StyledText($0.key, .name), StyledText($0.value.description)]
    }
    return Outcome(
      .table(columns: Table.nameAndValue, rows: rows),
      json: HashPayload(name: name, recorded: hashes, unknown: found.unknownHashes).json,
      warnings: [found.hashDiagnostic(of: name)].compactMap { $0 })
  }

  // MARK: All versions

  private func allVersions(in session: Session) throws -> Outcome {
    let bundle = try session.bundle(reference)
    let results = Array(zip(bundle.versions.map(\.name), session.readAll(bundle.versions)))
    let (wanted, withProperties) = (configuration, properties)
    let payloads = ConcurrentMap.map(results, reporting: "hashing models") {
      result -> (String, Result<HashPayload, Diagnostic>) in
      let (name, read) = result
      return (
        name,
        Result { () throws(Diagnostic) -> HashPayload in
          try Interruption.check()
          let model = NamedModel(name: name, model: try read.get())
          return try HashPayload(model, configuration: wanted, withProperties: withProperties)
        }
      )
    }
    try Interruption.check()
    var versions: [String: HashPayload] = [:]
    var sections: [View] = []
    var warnings: [Diagnostic] = []
    for (name, result) in payloads {
      switch result {
      case .success(let payload):
        versions[name] = payload
        if !output.json { sections.append(Self.section(name, payload)) }
      case .failure(let diagnostic): warnings.append(diagnostic)
      }
    }
    // If a version cannot be read, the result is incomplete: the others are still shown.
    return Outcome(
      .sections(sections),
      json: ["versions": JSONValue(versions)],
      status: warnings.isEmpty ? .done : .failed, warnings: warnings)
  }

  private static func section(_ name: String, _ payload: HashPayload) -> View {
    let rows = rows(payload, payload.entities.keys.sorted(), indent: "  ")
    return .stack([
      .line(StyledText(name, .heading)), .table(columns: hashColumns, rows: rows),
    ])
  }

  /// A name, its hash, and a remark.
  private static let hashColumns = Table.nameAndValue + [.init("")]
}
