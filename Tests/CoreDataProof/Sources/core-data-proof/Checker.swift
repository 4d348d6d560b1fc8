import Foundation

/// Runs one check in a private folder.
struct Checker {
  let strata: Strata
  let framework: Framework
  let folder: URL
  let seed: UInt64
  let corpus: URL?

  func path(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// A path that is not yet used.
  func path(new name: String) -> URL { path("\(UUID().uuidString)-\(name)") }

  func model(_ text: String, _ name: String = "M") throws -> Model {
    let source = path("\(name).xcdatamodel")
    try ModelText(text).write(to: source)
    return try compiled(source)
  }

  func compiled(_ source: URL) throws -> Model {
    let model = Model(source: source, compiled: path(new: "model.mom"))
    try framework.compile(source, to: model.compiled)
    return model
  }

  func outcome(of question: Question, round: Int) throws -> Outcome {
    let words = question.arguments
    let first = words.first ?? ""
    switch question.check {
    case "samples": return try samples(first)
    case "random": return try random(first, round)
    case "corpus": return try corpusHashes()
    case "joinTables": return try joinTables(round, isClash: first == "clash")
    case "typePairs": return try typePairs(round)
    case "edit": return try edit(Question.edits[round])
    case "notANumber": return try notANumber()
    case "externalSizes": return try externalSizes()
    case "interruptedStages": return try interruptedStages()
    case "mappingChoice": return try mappingChoice()
    case "changedBinary": return try changedBinary(isTrailing: first == "trailing")
    case "predicate": return try predicate(first)
    case "log":
      let (theirs, _, second) = try sampleMigration()
      try framework.migrate(theirs, to: second)
      return Outcome(.asStated)
    case "person": return Outcome(.couldNotAsk, ["a person answers this question"])
    case "refused":
      let refusal = failure { _ = try framework.hashes(try self.model(first)) }
      return Outcome(differences: refusal == nil ? ["Core Data loads the model"] : [])
    default: break
    }
    let model = try model(first)
    switch question.check {
    case "hashes": return Outcome(differences: try hashes(model))
    case "schema": return Outcome(differences: try schema(model, words.dropFirst().first))
    case "opened": return try opened(model, words[1], rows: 6)
    case "stored": return try stored(model, words[1], table: words.dropFirst(2).first)
    case "deletion": return try deletion(model, words[1], rows: words.dropFirst(2))
    case "inference":
      return inference(model, try self.model(words[1], "N"), all: words.count > 2)
    case "migration":
      return try migration(
        model, try self.model(words[1], "N"), rows: 12, comparing: words.count > 2 ? words[2] : "")
    case "passes": return try passes(model, try self.model(words[1], "N"))
    default: throw Failure("no check is called \(question.check)")
    }
  }

  func failure(_ work: () throws -> Void) -> String? {
    do {
      try work()
      return nil
    } catch { return "\(error)" }
  }

  func hashes(_ model: Model) throws -> [String] {
    let (theirs, ours) = (try framework.hashes(model), try strata.hashes(model.source))
    let wrong = Set(theirs.differences(from: ours).map { $0.prefix { $0 != ":" && $0 != "." } })
    // The hashes of the properties only show why that of an entity differs.
    let isWrong = wrong.contains { theirs[String($0)] != ours[String($0)] }
    return isWrong ? theirs.differences(from: ours) : []
  }

  /// Lines that only one side has, or another order.
  func differences(_ theirs: [String], _ ours: [String]) -> [String] {
    let found =
      theirs.filter { !ours.contains($0) }.map { "only Core Data: \($0)" }
      + ours.filter { !theirs.contains($0) }.map { "only Strata: \($0)" }
    return found.isEmpty && theirs != ours ? ["the order of Core Data:"] + theirs : found
  }

  func differences(schemasOf theirs: Store, _ ours: Store) throws -> [String] {
    differences(try strata.statements(theirs.url), try strata.statements(ours.url))
  }

  func schema(_ model: Model, _ configuration: String? = nil) throws -> [String] {
    var theirs = Store(url: path(new: "theirs.sqlite"), model: model)
    theirs.configuration = configuration
    try framework.create(theirs)
    var ours = theirs
    ours.url = path(new: "ours.sqlite")
    let version = try strata.metadata(theirs.url, "framework").text ?? ""
    if let refusal = failure({ try strata.create(ours, rows: 0, framework: version) }) {
      return ["Strata: \(refusal)"] + (try strata.statements(theirs.url))
    }
    return try differences(schemasOf: theirs, ours)
  }

  func opened(_ model: Model, _ type: String, rows: Int) throws -> Outcome {
    let store = Store(url: path(new: "store.\(type)"), model: model, type: type)
    try strata.create(store, rows: rows, seed: seed)
    return try bothRead(store)
  }

  func bothRead(_ store: Store) throws -> Outcome {
    let theirs = try framework.objects(store)
    let count = "\(theirs.values.filter { $0 == "object" }.count) objects"
    return Outcome(differences: theirs.differences(from: try strata.objects(store)), facts: [count])
  }

  /// Core Data writes the objects of a store of Strata's into a new store, which both read.
  func stored(_ model: Model, _ type: String, table: String?) throws -> Outcome {
    let first = Store(url: path("first.sqlite"), model: model)
    try strata.create(first, rows: 6, seed: seed)
    let second = Store(url: path("second.\(type)"), model: model, type: type)
    try framework.copy(first, to: second)
    var outcome = try bothRead(second)
    if let table {
      let counts = try [second, first].map { try strata.rows($0.url, table: table).count }
      let text = "\(table): Core Data \(counts[0]) rows, Strata \(counts[1])"
      outcome.add(Outcome(counts[0] == counts[1] ? .asStated : .otherwise, [text]))
    }
    return outcome
  }

  func inference(_ first: Model, _ second: Model, all: Bool = false) -> Outcome {
    var (theirs, ours): (Facts, Facts) = ([:], [:])
    let refusals = [
      failure { theirs = try framework.infer(first, second) },
      failure { ours = try strata.infer(first.source, second.source) },
    ]
    // Names with a dot are those of expressions.
    return Outcome(theirs: refusals[0], ours: refusals[1]) {
      theirs.filter { all || !$0.key.contains(".") }
        .differences(from: ours.filter { all || !$0.key.contains(".") })
    }
  }

  /// One store of Strata's, twice: external data have the same paths in folders of their own.
  func twice(_ model: Model, rows: Int, history: Bool = false) throws -> (Store, Store) {
    let folders = [path(new: "theirs"), path(new: "ours")]
    try FileManager.default.createDirectory(at: folders[0], withIntermediateDirectories: true)
    var theirs = Store(url: folders[0].appendingPathComponent("store.sqlite"), model: model)
    theirs.hasHistory = history
    let first = history ? Store(url: path(new: "first.sqlite"), model: model) : theirs
    try strata.create(first, rows: rows, seed: seed)
    if history { try framework.copy(first, to: theirs) }
    try FileManager.default.copyItem(at: folders[0], to: folders[1])
    var ours = theirs
    ours.url = folders[1].appendingPathComponent("store.sqlite")
    return (theirs, ours)
  }

  func migration(
    _ first: Model, _ second: Model, rows: Int, comparing part: String = ""
  ) throws -> Outcome {
    var (theirs, ours) = try twice(first, rows: rows, history: part == "history")
    let refusals = [
      failure { try framework.migrate(theirs, to: second, isDeferred: part == "deferred") },
      failure { try strata.migrate(ours, to: second) },
    ]
    (theirs.model, ours.model) = (second, second)
    return try Outcome(theirs: refusals[0], ours: refusals[1]) {
      // First: opening a store may do postponed work.
      let schemas = try differences(schemasOf: theirs, ours)
      let rows = try [theirs, ours].map { try strata.rows($0.url, table: "ACHANGE") }
      let objects = try framework.objects(theirs).differences(from: try framework.objects(ours))
      return objects + (["schema", "deferred"].contains(part) ? schemas : [])
        + (part == "history" ? differences(rows[0], rows[1]) : [])
    }
  }

  /// Migrates by a mapping model that Strata writes and Xcode compiles, into a new file.
  func passes(_ first: Model, _ second: Model) throws -> Outcome {
    let (mapping, compiled) = (path("Mapping.xcmappingmodel"), path("Mapping.cdm"))
    try strata.ask(["infer", first.source.path, second.source.path, "--write", mapping.path])
    try framework.compileMapping(mapping, to: compiled)
    let (theirs, ours) = try twice(first, rows: 6)
    let results = ["theirs", "ours"].map { Store(url: path("\($0).sqlite"), model: second) }
    try framework.migrate(theirs, to: second, mapping: compiled, output: results[0].url)
    try strata.migrate(ours, to: second, mapping: mapping, output: results[1].url)
    let types = try [framework.mapping(compiled), strata.mapping(mapping)].map {
      $0.filter { !$0.key.contains(".") }
    }
    let kept =
      try strata.metadata(theirs.url, "uuid").text == strata.metadata(results[0].url, "uuid").text
    return Outcome(
      differences: try framework.objects(results[0])
        .differences(from: try framework.objects(results[1])) + types[0].differences(from: types[1])
        + (kept ? [] : ["Core Data assigns a new UUID"]))
  }

  /// The rows of all tables, and the number of external files, after a deletion.
  func deletion(_ model: Model, _ key: String, rows: ArraySlice<String>) throws -> Outcome {
    let stores = try twice(model, rows: 0)
    try Data(repeating: 7, count: 150_000).write(to: path("value"))
    for row in rows {
      for store in [stores.0, stores.1] {
        try strata.insert(row.replacing("@value", with: "@\(path("value").path)"), into: store)
      }
    }
    let refusals = [
      failure { try framework.delete(key, in: stores.0) },
      failure { try strata.delete(key, in: stores.1) },
    ]
    let tables = try [stores.0, stores.1].map { store in
      let files = FileManager.default.subpaths(atPath: store.url.deletingLastPathComponent().path)
      let count = files?.filter { $0.contains("_EXTERNAL_DATA/") }.count ?? 0
      return try strata.rows(store.url) + ["\(count) external files"]
    }
    var outcome = Outcome(theirs: refusals[0], ours: refusals[1]) { [] }
    outcome.add(Outcome(differences: differences(tables[0], tables[1])))
    return outcome
  }

  /// The objects for which a predicate is true.
  func predicate(_ text: String) throws -> Outcome {
    let model = try model("A: n int32, t str, bs ->> B.a; B: m int32, a -> A.bs")
    let store = Store(url: path("store.sqlite"), model: model)
    try strata.create(store, rows: 0)
    let rows = [
      "A n=7 t=b", "A n=1 t=B", "A n=nil t=ä", "B m=2 a=p1", "B m=nil a=p1", "B m=3 a=p3",
    ]
    for row in rows { try strata.insert(row, into: store) }
    let theirs = try framework.keys(store, entity: "A", where: text)
    let ours = try strata.keys(store, entity: "A", where: text)
    return Outcome(
      theirs == ours ? .asStated : .otherwise, ["Core Data finds \(theirs), Strata \(ours)"])
  }
}
