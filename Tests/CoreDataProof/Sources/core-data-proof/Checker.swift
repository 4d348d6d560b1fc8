import Foundation

/// Runs one check in a private folder. In the differences Core Data comes first.
struct Checker {
  let strata: Strata, framework: Framework
  let folder: URL
  let seed: UInt64, corpus: URL?

  func path(_ name: String) -> URL { folder.appendingPathComponent(name) }

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
    let words = question.arguments + ["", "", ""]
    func first() throws -> Model { try model(words[0]) }
    func second() throws -> Model { try model(words[1], "N") }
    switch question.check {
    case "samples": return try each(of: try sampleModels(), words[0])
    case "random": return try random(words[0], round)
    case "corpus":
      guard let corpus else { return Outcome(.couldNotAsk, ["there is no --corpus"]) }
      return try each(of: models(in: corpus), "hashes")
    case "joinTables": return try joinTables(round, isClash: words[0] == "clash")
    case "typePairs": return try typePairs(round)
    case "edit": return try edit(try first(), words[round + 1])
    case "notANumber": return try notANumber()
    case "externalSizes": return try externalSizes()
    case "interruptedStages": return try interruptedStages()
    case "mappingChoice": return try mappingChoice()
    case "changedBinary": return try changedBinary(isTrailing: words[0] == "trailing")
    case "predicate": return try predicate(words[0])
    case "log": return try migrateSample()
    case "hashes": return Outcome(differences: try hashes(try first()))
    case "schema": return Outcome(differences: try schema(try first(), words[1]))
    case "opened": return try read(try first(), words[1], rows: 6)
    case "stored":
      return try read(try first(), words[1], rows: 6, isCopied: true, table: words[2])
    case "deletion": return try deletion(try first(), words[1], question.arguments.dropFirst(2))
    case "inference": return inference(try first(), try second(), all: words[2] == "expressions")
    case "migration": return try migration(try first(), try second(), rows: 12, words[2])
    case "passes": return try passes(try first(), try second())
    case "refused":
      let isRefused = failure { _ = try framework.hashes(try first()) } != nil
      return Outcome(differences: isRefused ? [] : ["Core Data loads the model"])
    default: return Outcome(.couldNotAsk, ["a person answers this question"])
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
    // Hashes of properties only show why that of an entity differs.
    return theirs["checksum"] == ours["checksum"] ? [] : theirs.differences(from: ours)
  }

  /// Lines that only one side has, or another order.
  func differences(_ theirs: [String], _ ours: [String]) -> [String] {
    let found =
      theirs.filter { !ours.contains($0) }.map { "only Core Data: \($0)" }
      + ours.filter { !theirs.contains($0) }.map { "only Strata: \($0)" }
    return found.isEmpty && theirs != ours ? ["the order of Core Data:"] + theirs : found
  }

  func schema(_ model: Model, _ configuration: String = "") throws -> [String] {
    var theirs = Store(url: path(new: "theirs.sqlite"), model: model)
    if !configuration.isEmpty { theirs.configuration = configuration }
    try framework.create(theirs)
    var ours = theirs
    ours.url = path(new: "ours.sqlite")
    let version = try strata.ask(["metadata", theirs.url.path])["framework"].text ?? ""
    let refusal = failure { try strata.create(ours, rows: 0, framework: version) }
    let statements = try strata.statements(theirs)
    return try refusal.map { ["Strata: \($0)"] + statements }
      ?? differences(statements, try strata.statements(ours))
  }

  /// Core Data opens a store of Strata's, or one of another type that it writes from that store. Both
  /// read it; the number of rows of a table is compared too.
  func read(
    _ model: Model, _ type: String, rows: Int, isCopied: Bool = false, table: String = ""
  ) throws -> Outcome {
    let first = isCopied ? "sqlite" : type
    var stores = [Store(url: path(new: "first.\(first)"), model: model, type: first)]
    try strata.create(stores[0], rows: rows, seed: seed)
    if isCopied {
      stores.append(Store(url: path(new: "second.\(type)"), model: model, type: type))
      try framework.copy(stores[0], to: stores[1])
    }
    let counts = table.isEmpty ? [] : try stores.map { try strata.rows($0, table: table).count }
    let note = "\(table): \(counts) rows in Strata's store and that of Core Data"
    let found = try differences(ofReading: stores[stores.count - 1])
    return Outcome(differences: found + (Set(counts).count > 1 ? [note] : []))
  }

  func differences(ofReading store: Store) throws -> [String] {
    try framework.objects(store).differences(from: try strata.objects(store))
  }

  /// Core Data reads stores that Strata migrates by each means that it has for two versions.
  func means(_ first: Model, _ second: Model) throws -> Outcome {
    var outcome = Outcome(.asStated)
    for strategy in ["default", "lightweight", "progressive", "hybrid"] {
      var store = try twice(first, rows: 5)[0]
      let refusal = failure { try strata.migrate(store, to: second, strategy: strategy) }
      store.model = second
      let found = refusal == nil ? try differences(ofReading: store) : []
      outcome.add(Outcome(differences: found, facts: refusal.map { [$0] } ?? []), from: strategy)
    }
    return outcome
  }

  func inference(_ first: Model, _ second: Model, all: Bool = false) -> Outcome {
    var (theirs, ours): (Facts, Facts) = ([:], [:])
    let refusals = [
      failure { theirs = try framework.infer(first, second) },
      failure { ours = try strata.infer(first.source, second.source) },
    ]
    return Outcome(refusals) {
      all ? theirs.differences(from: ours) : theirs.short.differences(from: ours.short)
    }
  }

  /// One store of Strata's, twice: external data have the same paths in folders of their own.
  func twice(_ model: Model, rows: Int, history: Bool = false) throws -> [Store] {
    let folders = [path(new: "theirs"), path(new: "ours")]
    try FileManager.default.createDirectory(at: folders[0], withIntermediateDirectories: true)
    let urls = folders.map { $0.appendingPathComponent("store.sqlite") }
    let stores = urls.map { Store(url: $0, model: model, hasHistory: history) }
    let first = history ? Store(url: path(new: "first.sqlite"), model: model) : stores[0]
    try strata.create(first, rows: rows, seed: seed)
    if history { try framework.copy(first, to: stores[0]) }
    try FileManager.default.copyItem(at: folders[0], to: folders[1])
    return stores
  }

  /// Both migrate the same store in place, by inference.
  func migration(
    _ first: Model, _ second: Model, rows: Int, _ part: String = ""
  ) throws -> Outcome {
    var stores = try twice(first, rows: rows, history: part == "history")
    let refusals = [
      failure { try framework.migrate(stores[0], to: second, part) },
      failure { try strata.migrate(stores[1], to: second) },
    ]
    for index in 0...1 { stores[index].model = second }
    return try Outcome(refusals) {
      // Before the store is opened again, which may do postponed work.
      let lines = try stores.map { store in
        part == "history"
          ? try strata.rows(store, table: "ACHANGE")
          : ["schema", "deferred"].contains(part) ? try strata.statements(store) : []
      }
      let objects = try stores.map(framework.objects)
      return objects[0].differences(from: objects[1]) + differences(lines[0], lines[1])
    }
  }

  /// Both migrate by a mapping model that Strata writes and Xcode compiles, into a new file.
  func passes(_ first: Model, _ second: Model) throws -> Outcome {
    let (mapping, compiled) = (path(new: "Mapping.xcmappingmodel"), path(new: "Mapping.cdm"))
    try strata.ask(["infer", first.source.path, second.source.path, "--write", mapping.path])
    try framework.compile(mapping, to: compiled)
    let sources = try twice(first, rows: 6)
    let results = ["theirs", "ours"].map { Store(url: path(new: "\($0).sqlite"), model: second) }
    try framework.migrate(sources[0], to: second, mapping: compiled, output: results[0].url)
    let files = [mapping, results[1].url]
    try strata.migrate(sources[1], to: second, strategy: "custom", mapping: files)
    let objects = try results.map(framework.objects)
    let types = try [framework.mapping(compiled).short, strata.mapping(mapping).short]
    let uuids = try [sources[0], results[0]].map {
      try strata.ask(["metadata", $0.url.path])["uuid"].text
    }
    return Outcome(
      differences: objects[0].differences(from: objects[1]) + types[0].differences(from: types[1])
        + (uuids[0] == uuids[1] ? [] : ["Core Data assigns a new UUID"]))
  }

  /// The rows of all tables, and the number of external files, after a deletion.
  func deletion(_ model: Model, _ key: String, _ rows: ArraySlice<String>) throws -> Outcome {
    let stores = try twice(model, rows: 0)
    try Data(repeating: 7, count: 150_000).write(to: path("value"))
    for (row, store) in rows.flatMap({ row in stores.map { (row, $0) } }) {
      let text = row.replacing("@value", with: "@\(path("value").path)")
      try strata.change(store, "insert", text)
    }
    let refusals = [
      failure { try framework.delete(key, in: stores[0]) },
      failure { try strata.change(stores[1], "delete", key) },
    ]
    let tables = try stores.map { store in
      let files = FileManager.default.subpaths(atPath: store.url.deletingLastPathComponent().path)
      let count = files?.filter { $0.contains("_EXTERNAL_DATA/") }.count ?? 0
      return try strata.rows(store) + ["\(count) external files"]
    }
    var outcome = Outcome(differences: differences(tables[0], tables[1]))
    outcome.add(Outcome(refusals) { [] })
    return outcome
  }
}
