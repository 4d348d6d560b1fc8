internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// `create STORE --model MODEL [--configuration NAME] [--rows N] [--seed S] [--framework N] [--force]`, or
/// `create STORE --copy STORE [--force]`
struct Create: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "create",
    abstract:
      "Creates a store for a model version, empty or with generated objects, or copies one.",
    discussion: """
      The store has the schema, the metadata and the cached model that Core Data would write. With --rows it \
      contains that many objects of each concrete entity, with nil, boundary values, varied text and valid \
      relationships. The same model, name, count and seed give the same file, byte for byte, with one version of SQLite, \
      which writes its number into the header. With \
      --configuration it has the entities of one configuration of the model, as a store that is added to a \
      coordinator for it; whether Core Data also writes tables of other entities is not known. With --copy it \
      is a copy of another store and its external binary data.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a store for experiments", "create topics.sqlite --model sample:Topics/Model1 --rows 3",
      "rows topics.sqlite Topic"),
    CommandExample(
      "a sample store to change", "create kitchen.sqlite --copy sample:Kitchen",
      "insert kitchen.sqlite Chef name='Samin Nosrat'"),
  ]

  @Argument(.store, "The new store.") var path: String
  @Option(.model, "The model version.") var model: String?
  @Option(.store, "Copy this store.") var copy: String?
  @Option(
    help: ArgumentHelp("Only the entities of this configuration of the model.", valueName: "name"))
  var configuration: String?
  @Option(help: ArgumentHelp("The number of objects of each concrete entity.", valueName: "n"))
  var rows = 0
  @Option(help: ArgumentHelp("The seed of the generated objects.", valueName: "number"))
  var seed: UInt64 = 1
  @Option(
    help: ArgumentHelp(
      "The NSPersistenceFrameworkVersion of the store: 640 is iOS 9, 866 iOS 12, 1344 iOS 17.",
      valueName: "version"))
  var framework = FrameworkVersion.newest.number
  @Option(
    help: ArgumentHelp(
      "The type of the store; by default XML for a name that ends in .xml, else SQLite.",
      valueName: "type"))
  var type: StoreKind?
  @Flag(help: "Overwrite a store of this name, its journal and its external data.") var force =
    false
  @OptionGroup var output: OutputOptions

  enum StoreKind: String, ExpressibleByArgument, CaseIterable {
    case sqlite
    case xml
  }

  private var isXML: Bool { type.map { $0 == .xml } ?? NewStoreFile.isXML(path) }

  /// Whether the output names the type: it was not given, and the file name does not determine it.
  private var showsType: Bool {
    let known = ["sqlite", "sqlite3", "db", "store", "xml"]
    return type == nil
      && !known.contains(URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  /// A row of each entity takes some hundred bytes.
  private static let largestCount = 100_000_000

  mutating func validate() throws {
    guard (model == nil) != (copy == nil) else {
      throw ValidationError("give either --model, the version of a new store, or --copy")
    }
    guard copy == nil || rows == 0 && type == nil && configuration == nil else {
      throw ValidationError("with --copy the store has the objects and the type of the original")
    }
    guard (0...Self.largestCount).contains(rows) else {
      throw ValidationError("--rows is between 0 and \(Self.largestCount)")
    }
    guard (1...9999).contains(framework) else {
      throw ValidationError("--framework must be a number such as 640, 866 or 1344")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    if let copy { return try self.copy(copy, in: session) }
    let whole = try session.model(model ?? "")
    let named =
      try configuration.map {
        NamedModel(
          name: "\(whole.name), configuration \($0)",
          model: try whole.model.narrowed(toConfiguration: $0))
      } ?? whole
    guard !path.hasSuffix("/") else {
      throw Diagnostic(
        id: "store.isFolder", what: "a store is a file: \(path) would be a folder",
        fix: "omit the slash")
    }
    let target = try session.newPath(path, as: .store, force: force)
    let version = FrameworkVersion(framework)
    let uuid = uuid(of: named.model, name: URL(fileURLWithPath: target).lastPathComponent)
    var problems: [Finding] = []
    do {
      func fill(_ store: inout NewStore) throws {
        var generator = StoreGenerator(named.model, rows: rows, seed: seed)
        try generator.fill(&store)
        try store.finish()
      }
      if isXML {
        var store = try NewStore(path: nil, model: named.model, uuid: uuid, version: version)
        store.metadata.type = "XML"
        try fill(&store)
        let reader = try StoreReader(SQLiteStore(inMemory: store), model: named.model)
        problems = try Self.problems(of: reader)
        try XMLDatabase(reader).write(to: target, replacing: force)
      } else {
        try StoreFile.create(at: target, replacing: force) { staged in
          var store = try NewStore(
            path: staged, model: named.model, uuid: uuid, version: version,
            log: session.running?.statements)
          try fill(&store)
          problems = try Self.problems(
            of: StoreReader(
              SQLiteStore(reading: staged, log: session.running?.statements), model: named.model))
        }
      }
    } catch let error as StoreError {
      throw error.diagnostic.located(in: session.shown(target))
    }
    session.noteDone("created \(session.shown(target))")
    let entities = named.model.entities.filter { !$0.isAbstract }
    let counts =
      rows == 0
      ? "no objects"
      : "\(Phrase.count(rows, "object")) of each of "
        + Phrase.count(entities.count, "entity", "entities")
    return Outcome(
      .line(
        "created " + StyledText(path, .name)
          + StyledText(": \(showsType ? "a SQLite store, " : "")\(named.name), \(counts)")),
      json: .object(withoutNull: [
        "store": path, "model": named.name, "uuid": uuid, "framework": framework,
        "rows": JSONValue.object(.init(entities.map { ($0.name, rows) })),
      ]),
      warnings: (configuration.map { [Self.unproven($0)] } ?? [])
        + (isXML
          ? []
          : Diagnostic.unprovenNames(of: named.model) + Diagnostic.uncachedRules(of: named.model))
        + Self.warnings(
          of: isXML ? [] : StoreSchema(named.model, version: version).omissions, problems))
  }

  /// The UUID of the store, derived from model, name and seed: object URIs in recorded sessions are reproducible.
  private func uuid(of model: ObjectModel, name: String) -> String {
    var random = SeededRandom(seed: "\(model.versionHashes().versionChecksum) \(name) \(seed)")
    return random.uuidText()
  }

  private static func unproven(_ configuration: String) -> Diagnostic {
    Diagnostic(
      id: "store.unprovenConfiguration", severity: .warning,
      what:
        "the store has only the tables and hashes of the entities of \(configuration): it is not known whether Core Data adds others",
      fix: "let the app create the store if that matters")
  }

  private static func problems(
    of reader: borrowing StoreReader
  ) throws -> [Finding] {
    var problems: [Finding] = []
    for entity in reader.model.entities where !entity.isAbstract {
      try reader.forEachProblem(of: entity.name) { problem in
        if problems.count < Validate.defaultLimit { problems.append(problem) }
      }
    }
    return problems
  }

  private static func warnings(
    of omissions: [SchemaOmission], _ problems: [Finding]
  ) -> [Diagnostic] {
    let omissions = omissions.map { omission in
      Diagnostic(
        id: "store.schemaOmission", severity: .warning, what: omission.message,
        location: Location(element: "\(omission.entity).\(omission.name)"),
        fix: "Core Data adds it when it next migrates the store")
    }
    guard let first = problems.first else { return omissions }
    return omissions + [
      Diagnostic(
        id: "store.invalidObjects", severity: .warning,
        what:
          "the generator cannot satisfy the model: \(first.location) \(first.message)",
        fix: "`validate <store> --model <model>` lists every object that Core Data would not save")
    ]
  }
}

extension SchemaOmission {
  /// The omitted part of the schema, and the reason.
  fileprivate var message: String {
    switch reason {
    case .indexedExpression:
      "the index is not created: how Core Data indexes its expression is not known"
    case .indexPredicate:
      "the index is not created: how Core Data writes its predicate is not known"
    case .mixedIndex: "the index is not created: it mixes binary and R-tree elements"
    case .derivation(let text):
      "its triggers are not created: how Core Data writes \(text) is not known"
    }
  }
}
