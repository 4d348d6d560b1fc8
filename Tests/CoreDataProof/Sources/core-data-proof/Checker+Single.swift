import Foundation

/// Checks that belong to one question each.
extension Checker {
  /// Core Data saves values, and Strata reads the cells.
  private func cells(_ member: String, _ values: [Any], _ column: String) throws -> [String] {
    let store = Store(url: path("store.sqlite"), model: try model("A: \(member)"))
    try framework.create(store)
    let name = String(member.prefix { $0 != " " })
    try framework.insert(values, entity: "A", attribute: name, in: store)
    return try strata.column(store.url, "SELECT \(column) FROM ZA ORDER BY Z_PK")
  }

  func externalSizes() throws -> Outcome {
    let sizes =
      [1, 1024, 65_536, 99_999, 100_000, 100_001, 102_400, 102_401, 131_072, 131_073]
      + [262_144, 524_288, 1_000_000, 1_048_576, 1_048_577, 2_000_000]
    let cells = try cells(
      "x bin allowsExternalBinaryDataStorage=YES", sizes.map { Data(repeating: 7, count: $0) },
      "hex(substr(ZX, 1, 1)) || ' ' || (length(ZX) - 1)")
    let inline = sizes.filter { cells.contains("01 \($0)") }
    return Outcome(
      inline == sizes.filter { $0 <= 100_000 } ? .asStated : .otherwise, ["in the store: \(inline)"]
    )
  }

  func notANumber() throws -> Outcome {
    let cells = try cells(
      "d dec", [NSDecimalNumber.notANumber], "typeof(ZD) || ' ' || ifnull(ZD, '')")
    return Outcome(.otherwise, ["nothing is stated; Core Data stores \(cells)"])
  }

  /// Core Data reads a binary store whose bytes were changed.
  func changedBinary(isTrailing: Bool) throws -> Outcome {
    let first = Store(
      url: path("first.sqlite"), model: try model("A: n int32, b -> B.as; B: as ->> A.b"))
    try strata.create(first, rows: 3)
    let store = Store(url: path("store.binary"), model: first.model, type: "binary")
    try framework.copy(first, to: store)
    let before = try framework.objects(store)
    var data = try Data(contentsOf: store.url)
    if isTrailing {
      data.append(Data(count: 16))
    } else {
      data.replaceSubrange(48..<56, with: Data(count: 8))
    }
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
    let (store, _) = try twice(models[0], rows: 3)
    let error = failure { try framework.migrateAndFail(store, through: models) }
    let hash = try strata.metadata(store.url, "hashes")["A"].text
    let version = try models.firstIndex { try strata.hashes($0.source)["A"] == hash }.map { $0 + 1 }
    return Outcome(
      (version ?? 1) > 1 ? .asStated : .otherwise,
      ["\(error ?? "no error"); the store is at V\(version ?? 0)"])
  }

  /// Which of three mapping models that fit Core Data finds.
  func mappingChoice() throws -> Outcome {
    let models = try sampleModels().filter { $0.path.contains("/Topics.") }.map(compiled)
    let bundle = path("Choice.bundle")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    var candidates: [String: Facts] = [:]
    for name in (1...3).map({ "Model4ToModel5-\($0)" }) {
      let compiled = bundle.appendingPathComponent("\(name).cdm")
      try framework.compileMapping(path("samples/\(name).xcmappingmodel"), to: compiled)
      candidates[name] = try framework.mapping(compiled)
    }
    let choice = try framework.choice(in: bundle, models[3], models[4])
    let names = candidates.filter { $0.value == choice }.keys.sorted()
    return Outcome(.otherwise, ["nothing is stated; Core Data finds \(names)"])
  }

  /// A hop of a sample that is inferred, for both sides.
  func sampleMigration() throws -> (theirs: Store, ours: Store, destination: Model) {
    let models = try sampleModels().filter { $0.path.contains("/Topics.") }
    let (theirs, ours) = try twice(try compiled(models[1]), rows: 2)
    return (theirs, ours, try compiled(models[2]))
  }

  /// What Strata prints during that migration.
  func ownLog(level: Int) throws -> [String] {
    let (_, store, second) = try sampleMigration()
    let lines = [
      "trace migration \(min(level, 3))", "trace sql \(level)",
      "migrate '\(store.url.path)' --to '\(second.source.path)' --from '\(store.model.source.path)' "
        + "--strategy lightweight",
    ]
    let script = path("log.strata")
    try lines.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
    return try strata.run(["run", script.path]).output.split(separator: "\n").map(String.init)
  }
}
