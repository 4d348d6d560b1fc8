import Foundation

/// Checks that belong to one question each.
extension Checker {
  /// The objects for which a predicate is true.
  func predicate(_ text: String) throws -> Outcome {
    let model = try model("A: n int32, t str, bs ->> B.a; B: m int32, a -> A.bs")
    let store = Store(url: path("store.sqlite"), model: model)
    try strata.create(store, rows: 0)
    let rows = "A n=7 t=b|A n=1 t=B|A n=nil t=ä|B m=2 a=p1|B m=nil a=p1|B m=3 a=p3"
    for row in rows.split(separator: "|") { try strata.change(store, "insert", String(row)) }
    let theirs = try framework.keys(store, where: text)
    let ours = try strata.keys(store, where: text)
    let note = "Core Data finds \(theirs), Strata \(ours)"
    return Outcome(theirs == ours ? .asStated : .otherwise, [note])
  }

  /// Core Data saves values of an attribute, and Strata reads the cells.
  private func cells(_ attribute: String, _ values: [Any], _ column: String) throws -> [String] {
    let store = Store(url: path("store.sqlite"), model: try model("A: \(attribute)"))
    try framework.create(store)
    try framework.insert(values, attribute: "x", in: store)
    return try strata.column(store, "SELECT \(column) FROM ZA ORDER BY Z_PK")
  }

  func externalSizes() throws -> Outcome {
    let sizes = [
      1, 65_536, 99_999, 100_000, 100_001, 102_400, 102_401, 131_072, 131_073, 1_048_576,
    ]
    let values = sizes.map { Data(repeating: 7, count: $0) }
    let column = "hex(substr(ZX, 1, 1)) || ' ' || (length(ZX) - 1)"
    let cells = try cells("x bin allowsExternalBinaryDataStorage=YES", values, column)
    let inline = sizes.filter { cells.contains("01 \($0)") }
    let isStated = inline == sizes.filter { $0 <= 100_000 }
    return Outcome(isStated ? .asStated : .otherwise, ["in the store: \(inline)"])
  }

  func notANumber() throws -> Outcome {
    let column = "typeof(ZX) || ' ' || ifnull(ZX, '')"
    let cells = try cells("x dec", [NSDecimalNumber.notANumber], column)
    return Outcome(.otherwise, ["nothing is stated; Core Data stores \(cells)"])
  }

  /// Core Data reads a binary store whose bytes were changed.
  func changedBinary(isTrailing: Bool) throws -> Outcome {
    let model = try model("A: n int32, b -> B.as; B: as ->> A.b")
    let first = Store(url: path("first.sqlite"), model: model)
    try strata.create(first, rows: 3)
    let store = Store(url: path("store.binary"), model: model, type: "binary")
    try framework.copy(first, to: store)
    let before = try framework.objects(store)
    var data = try Data(contentsOf: store.url)
    let range = isTrailing ? data.count..<data.count : 48..<56
    data.replaceSubrange(range, with: Data(count: 8))
    try data.write(to: store.url)
    var after: Facts = [:]
    let refusal = failure { after = try framework.objects(store) }
    let answer = refusal ?? "reads \(after == before ? "the same" : "other") objects"
    return Outcome(.otherwise, ["nothing is stated; Core Data: \(answer)"])
  }

  /// The version of a store when the handler of the second stage fails.
  func interruptedStages() throws -> Outcome {
    let texts = ["A: n int32", "A: n int32, m int32", "A: n int32, m int32, o int32"]
    let models = try texts.enumerated().map { try model($1, "V\($0 + 1)") }
    let store = try twice(models[0], rows: 3)[0]
    let error = failure { try framework.migrateAndFail(store, through: models) }
    let hash = try strata.ask(["metadata", store.url.path])["hashes"]["A"].text
    let version = try models.firstIndex { try strata.hashes($0.source)["A"] == hash } ?? 0
    return Outcome(
      version > 0 ? .asStated : .otherwise,
      ["\(error ?? "no error"); the store is at V\(version + 1)"])
  }

  /// Which of three mapping models that fit Core Data finds.
  func mappingChoice() throws -> Outcome {
    let models = try sampleModels().filter { $0.path.contains("/Topics.") }.map(compiled)
    let bundle = path("Choice.bundle")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    var candidates: [String: Facts] = [:]
    for name in (1...3).map({ "Model4ToModel5-\($0)" }) {
      let compiled = bundle.appendingPathComponent("\(name).cdm")
      try framework.compile(path("samples/\(name).xcmappingmodel"), to: compiled)
      candidates[name] = try framework.mapping(compiled)
    }
    let choice = try framework.choice(in: bundle, models[3], models[4])
    let names = candidates.filter { $0.value == choice }.keys.sorted()
    return Outcome(.otherwise, ["nothing is stated; Core Data finds \(names)"])
  }

  /// A hop of a sample that is inferred.
  private func sampleHop() throws -> (stores: [Store], destination: Model) {
    let models = try sampleModels().filter { $0.path.contains("/Topics.") }
    return (try twice(try compiled(models[1]), rows: 2), try compiled(models[2]))
  }

  /// For its log: `main.swift` compares it with `ownLog`.
  func migrateSample() throws -> Outcome {
    let (stores, destination) = try sampleHop()
    try framework.migrate(stores[0], to: destination)
    return Outcome(.asStated)
  }

  func ownLog(level: Int) throws -> [String] {
    let (stores, destination) = try sampleHop()
    let (from, to) = (stores[1].model.source.path, destination.source.path)
    let words = "'\(stores[1].url.path)' --from '\(from)' --to '\(to)' --strategy lightweight"
    return try run(
      ["trace migration \(min(level, 3))", "trace sql \(level)", "migrate \(words)"])
  }
}
