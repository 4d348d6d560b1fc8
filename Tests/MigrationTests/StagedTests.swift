import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// The plans of staged migrations, and the work of their stages.
///
/// Source: facts on the migration process, section 4 (forum 804902).
@Suite("Staged migrations")
struct StagedTests {
  /// V1 to V2, V2 to V3, V3 to V4 and V2 to V4 can be inferred; V1 to V3 and V1 to V4 cannot: `a` has another
  /// type.
  private static func versions() throws -> [NamedModel] {
    func version(_ name: String, _ attributes: [Attribute]) throws -> NamedModel {
      var entity = Entity(name: "E")
      entity.attributes = attributes
      return NamedModel(name: name, model: try ObjectModel(ModelDocument(entities: [entity])))
    }
    let b = Attribute(name: "b", type: .string, isOptional: true)
    let c = Attribute(name: "c", type: .string)
    return [
      try version("V1", [Attribute(name: "a", type: .string, isOptional: true), b]),
      try version("V2", [b]),
      try version("V3", [Attribute(name: "a", type: .integer16, isOptional: true), b]),
      try version("V4", [Attribute(name: "a", type: .integer16, isOptional: true), b, c]),
    ]
  }

  static func planner(_ text: String) throws -> MigrationPlanner {
    let versions = try versions()
    return MigrationPlanner(
      versions: versions,
      stages: try StageScript(parsing: text).resolved(
        among: versions, policies: PolicyRegistry(), folder: "/nowhere"))
  }

  /// The hops of a plan, `=` by a custom stage, or the code of Core Data's error; without stages, of one
  /// inferred leap.
  private static func plan(_ text: String, _ from: Int, _ to: Int) throws -> String {
    let versions = try versions()
    let planner = text.isEmpty ? MigrationPlanner(versions: versions) : try planner(text)
    do throws(MigrationError) {
      let plan = try planner.plan(
        from: versions[from - 1], to: versions[to - 1], by: text.isEmpty ? .default : .staged)
      return plan.hops.map { "\($0.from.name)\($0.stage == nil ? ">" : "=")\($0.to.name)" }
        .joined(separator: " ")
    } catch {
      switch error {
      case .notInferable: return "134140"
      case .unknownStageVersion(_, let isTarget): return isTarget ? "134504 target" : "134504"
      case .backwards: return "134506"
      default: return "\(error)"
      }
    }
  }

  /// A plan in the notation of the facts: `L V1, V2; C V2 -> V3`.
  private static func stages(_ plan: String) -> String {
    plan.split(separator: ";").map { stage in
      let text = stage.drop { $0 == " " }
      return "stage \(text.hasPrefix("L") ? "lightweight" : "custom")\(text.dropFirst())"
    }.joined(separator: "\n")
  }

  /// What Core Data made of each of the 17 plans; an error is one of these codes.
  @Test(
    "the 17 outcomes of Core Data",
    arguments: [
      (1, 1, 2, "", "V1>V2"),
      (2, 2, 3, "", "V2>V3"),
      (3, 3, 4, "", "V3>V4"),
      (4, 1, 3, "", "134140"),
      (5, 1, 3, "L V1, V2, V3", "134140"),
      (6, 1, 3, "L V1; L V2; L V3", "134140"),
      (7, 1, 3, "C V1 -> V2; L V3", "V1=V2 V2>V3"),
      (8, 1, 3, "L V1; C V2 -> V3", "V1>V2 V2=V3"),
      (9, 1, 3, "C V1 -> V2; C V2 -> V3", "V1=V2 V2=V3"),
      (10, 1, 4, "", "134140"),
      (11, 2, 4, "", "V2>V4"),
      (12, 1, 4, "C V1 -> V2; L V3, V4", "V1=V2 V2>V4"),
      (13, 1, 4, "L V3, V4; C V1 -> V2", "134506"),
      (14, 1, 4, "L V1, V2; L V3, V4", "134140"),
      (15, 1, 4, "L V1; C V2 -> V3; L V4", "V1>V2 V2=V3 V3>V4"),
      (16, 1, 4, "L V1, V4; C V2 -> V3", "V1>V2 V2=V3 V3>V4"),
      // The facts have no code for this one.
      (17, 1, 4, "C V2 -> V3; L V1, V4", "134140"),
    ])
  func outcomes(number: Int, from: Int, to: Int, plan: String, expected: String) throws {
    #expect(try Self.plan(Self.stages(plan), from, to) == expected, "outcome \(number)")
  }

  @Test(
    "other plans follow the same rule",
    arguments: [
      ("L V1, V2, V3, V4", 2, 3, "V2>V3"),
      ("L V1, V2; L V3, V4", 2, 4, "V2>V4"),
      ("L V1, V2; C V2 -> V3", 1, 3, "V1>V2 V2=V3"),
      ("L V1, V2; C V2 -> V3", 2, 3, "V2=V3"),
      ("L V1; C V2 -> V3", 1, 2, "V1>V2"),
      ("C V1 -> V2; C V2 -> V3", 1, 2, "V1=V2"),
      ("C V1 -> V2; C V2 -> V3", 2, 3, "V2=V3"),
      ("C V1 -> V2; L V2, V3", 1, 3, "V1=V2 V2>V3"),
      ("C V1 -> V2; L V2, V3", 2, 3, "V2>V3"),
      ("C V1 -> V2; C V3 -> V4", 1, 4, "V1=V2 V2>V3 V3=V4"),
      ("C V1 -> V3; L V4", 1, 4, "134140"),
      // Versions that no stage lists, and the wrong order.
      ("L V2, V3", 1, 3, "134504"),
      ("L V1, V2", 1, 3, "134504 target"),
      ("L V1, V2, V3", 3, 2, "134506"),
    ])
  func otherPlans(plan: String, from: Int, to: Int, expected: String) throws {
    #expect(try Self.plan(Self.stages(plan), from, to) == expected)
  }

  @Test("a version can be referred to by its checksum")
  func checksums() throws {
    let checksums = try Self.versions().map { $0.model.versionHashes().versionChecksum }
    #expect(
      try Self.plan("stage custom \(checksums[0]) -> \(checksums[1])", 1, 2) == "V1=V2")
  }

  // MARK: The work

  /// A store at V3 with two objects, migrated to V4 by a custom stage with these steps.
  private static func migrate(
    _ steps: String, _ check: (MigrationReport, borrowing StoreReader) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("e.sqlite")
    let versions = try versions()
    var store = try NewStore(
      path: path, model: versions[2].model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for (a, b) in [(1, AttributeValue.null), (2, .text("two words"))] {
      _ = try store.insert("E", attributes: ["a": .integer(Int64(a)), "b": b])
    }
    try store.finish()
    let plan = try planner("stage custom V3 -> V4\n\(steps)").plan(
      from: versions[2], to: versions[3], by: .staged)
    var run = try InPlaceRun(plan.hops[0], number: 1, of: 1, path: path)
    while run.pending != nil { _ = try run.step() }
    let report = run.report
    _ = consume run
    let model = report.stopsMigration ? versions[2].model : versions[3].model
    try check(report, StoreReader(SQLiteStore(reading: path), model: model))
  }

  private static func values(_ name: String, _ reader: borrowing StoreReader) throws
    -> [AttributeValue]
  {
    let index = try #require(reader.shape(of: "E")?.index(of: name))
    var values: [AttributeValue] = []
    try reader.forEachRow(of: "E") { values.append($0.values[index]) }
    return values
  }

  @Test("NULL in an attribute that becomes required stops the migration, with or without did steps")
  func missingValues() throws {
    try Self.migrate("  did: E: set c = \"x\"") { report, reader in
      #expect(report.stopsMigration)
      #expect(reader.store.metadata.versionHashes == reader.model.versionHashes())
      let values = try Self.values("a", reader)
      #expect(values == [.integer(1), .integer(2)])
    }
  }

  @Test("will and did steps change the objects in the migration's transaction")
  func steps() throws {
    let versions = try Self.versions()
    let folder = try TemporaryFolder()
    let path = folder.path("e.sqlite")
    var store = try NewStore(
      path: path, model: versions[0].model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for a in [AttributeValue.null, .text("two words")] {
      _ = try store.insert("E", attributes: ["a": a])
    }
    try store.finish()
    let text = """
      stage custom V1 -> V2
        will: E: set b = a when a != nil
        will: E: set b = "none" when b == nil
        did: E: join b, b with "-" into b
        did: E: require b != nil, "b is missing"
      """
    let plan = try Self.planner(text).plan(from: versions[0], to: versions[1], by: .staged)
    var run = try InPlaceRun(plan.hops[0], number: 1, of: 1, path: path)
    var changes: [String] = []
    while run.pending != nil {
      for event in try run.step() {
        if case .stageChanged(let change, let count) = event.kind {
          changes.append("\(count) \(change)")
        }
      }
    }
    _ = consume run
    #expect(
      changes.map { $0.prefix(12) } == [
        "1 E: set b =", "1 E: set b =", "2 E: join b,", "0 E: require",
      ])
    let reader = try StoreReader(SQLiteStore(reading: path), model: versions[1].model)
    #expect(try Self.values("b", reader) == [.text("none-none"), .text("two words-two words")])
  }

  @Test("an unmet requirement of a did step leaves the store unchanged")
  func rolledBack() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("e.sqlite")
    let versions = try Self.versions()
    var store = try NewStore(
      path: path, model: versions[0].model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    _ = try store.insert("E", attributes: ["a": .text("x")])
    try store.finish()
    let before = try folder.state()
    let plan = try Self.planner(
      "stage custom V1 -> V2\n  will: E: set b = a\n  did: E: require b == \"y\", \"b is \\(b)\""
    ).plan(from: versions[0], to: versions[1], by: .staged)
    let error = try #require(throws: MigrationError.self) {
      var run = try InPlaceRun(plan.hops[0], number: 1, of: 1, path: path)
      while run.pending != nil { _ = try run.step() }
    }.diagnostic
    #expect(
      error.what == "E/p1: b is (text of 1 byte)"
        && error.location?.element == "stage V1 -> V2, did")
    #expect(try folder.state()["e.sqlite"]?.bytes == before["e.sqlite"]?.bytes)
  }

  @Test("a step reads external binary data, not the contents of its column")
  func externalData() throws {
    let folder = try TemporaryFolder()
    func version(_ name: String, _ more: [Attribute]) throws -> NamedModel {
      var entity = Entity(name: "E")
      entity.attributes =
        ["data", "copy"].map { Attribute(name: $0, type: .binary, isOptional: true) } + more
      for place in 0..<2 { entity.attributes[place].allowsExternalBinaryStorage = true }
      return NamedModel(name: name, model: try ObjectModel(ModelDocument(entities: [entity])))
    }
    let (from, to) = (
      try version("V1", []),
      try version("V2", [Attribute(name: "n", type: .integer32, isOptional: true)])
    )
    let path = folder.path("e.sqlite")
    let large = [UInt8](repeating: 7, count: 200_000)
    var store = try NewStore(
      path: path, model: from.model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for data in [[1, 2], large] { _ = try store.insert("E", attributes: ["data": .bytes(data)]) }
    try store.finish()
    let stages = try StageScript(
      parsing: "stage custom V1 -> V2\n  will: E: set data = data\n  did: E: set copy = data"
    ).resolved(among: [from, to], policies: PolicyRegistry(), folder: "/nowhere")
    let plan = try MigrationPlanner(versions: [from, to], stages: stages).plan(
      from: from, to: to, by: .staged)
    _ = try InPlace.run(plan.hops[0], at: path)
    let reader = try StoreReader(SQLiteStore(reading: path), model: to.model)
    for name in ["data", "copy"] {
      let values = try Self.values(name, reader)
      #expect(values == [.bytes([1, 2]), .bytes(large)], "\(name)")
    }
  }

  @Test("a search finds nothing for nil, and the first of several objects")
  func searches() throws {
    let folder = try TemporaryFolder()
    let versions = try ["", "\n  new String"].enumerated().map { number, more in
      NamedModel(
        name: "V\(number + 1)",
        model: try ObjectModel(
          brief:
            "A\n  n String\n  b -> B inverse=as\nB\n  k String\n  as -> A many inverse=b\(more)"))
    }
    let path = folder.path("s.sqlite")
    var store = try NewStore(path: path, model: versions[0].model, uuid: "A")
    for text in ["x", nil, "y", "x"] as [String?] {
      _ = try store.insert("A", attributes: ["n": text.map { .text($0) } ?? .null])
    }
    for text in ["x", "x", nil] as [String?] {
      _ = try store.insert("B", attributes: ["k": text.map { .text($0) } ?? .null])
    }
    try store.finish()
    let stages = try StageScript(
      parsing: "stage custom V1 -> V2\n  will: A: set b = find or create B where k == n"
    ).resolved(among: versions, policies: PolicyRegistry(), folder: "/nowhere")
    let plan = try MigrationPlanner(versions: versions, stages: stages).plan(
      from: versions[0], to: versions[1], by: .staged)
    _ = try InPlace.run(plan.hops[0], at: path)
    let reader = try StoreReader(SQLiteStore(reading: path), model: versions[1].model)
    let end = try #require(reader.model.relationship("b", of: "A"))
    let found = try (1...4).map { try reader.destinations(of: end, from: $0) }
    #expect(found == [[1], [], [4], [1]])
  }

  @Test("a value of another type stops the migration; a number that does not fit is counted")
  func wrongTypes() throws {
    // Known from the model.
    #expect(throws: LineError.self) {
      try Self.migrateToTwo("  did: E: set a = \"text\"") { _ in }
    }
    // Known with the object.
    let steps =
      "  will: E: set b = \"x\"\n  did: E: set a = first:({\"text\", 1})"
    try Self.migrateToTwo(steps) { #expect($0.stopsMigration, "\($0.problems)") }
    try Self.migrateToTwo("  did: E: set a = 99999999999") { report in
      #expect(report.numbers.map(\.finding.id) == ["loss.outOfRange"], "\(report.numbers)")
      #expect(report.numbers.map(\.affected.keys) == [[1]])
    }
    try Self.migrateToTwo("  did: E: set a = 7") { #expect(!$0.stopsMigration) }
  }

  /// V3 with an optional attribute more.
  private static func migrateToTwo(
    _ steps: String, _ check: (MigrationReport) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let from = try versions()[2]
    var entity = from.model.document.entities[0]
    entity.attributes.append(Attribute(name: "d", type: .string, isOptional: true))
    let to = NamedModel(name: "V5", model: try ObjectModel(ModelDocument(entities: [entity])))
    var store = try NewStore(
      path: folder.path("e.sqlite"), model: from.model,
      uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    _ = try store.insert("E", attributes: ["a": .integer(1)])
    try store.finish()
    let stages = try StageScript(parsing: "stage custom V3 -> V5\n\(steps)").resolved(
      among: [from, to], policies: PolicyRegistry(), folder: "/nowhere")
    let plan = try MigrationPlanner(versions: [from, to], stages: stages).plan(
      from: from, to: to, by: .staged)
    try check(InPlace.run(plan.hops[0], at: folder.path("e.sqlite")).report)
  }
}
