import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Transient relationships have no column, no links and no part in a migration.
@Suite("Transient relationships")
struct TransientRelationshipTests {
  /// A, B and a subentity of B with a stored relationship, and transient ones of every kind.
  private static func model(_ more: String = "") throws -> ObjectModel {
    try ObjectModel(
      brief: """
        A
          x String
          bs -> B many ordered inverse=a
          loose -> B many transient
          needed -> B many ordered transient required minCount=1 deletionRule=Deny
          near -> B transient inverse=far deletionRule=Cascade
          each -> A many transient inverse=each
        \(more)
        B
          y String
          a -> A inverse=bs
          far -> A transient inverse=near
          one -> B transient required
        C: B
          own -> A many ordered transient
        """)
  }

  private static func fill(_ path: String, _ model: ObjectModel) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    let end = try #require(model.relationship("a", of: "B"))
    for text in ["a", "b"] { _ = try store.insert("A", attributes: ["x": .text(text)]) }
    for (entity, owner) in [("B", 2), ("C", 1), ("B", 2)] as [(String, Int64)] {
      let key = try store.insert(entity, attributes: ["y": .text("\(owner)")]).key
      try store.connect(end, of: key, to: [owner])
    }
    try store.finish()
  }

  /// The links of `A.bs` by key, in their order.
  private static func links(_ path: String, _ model: ObjectModel) throws -> [[Int64]] {
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    let end = try #require(model.relationship("bs", of: "A"))
    return try reader.keys(of: "A").map { try reader.destinations(of: end, from: $0) }
  }

  @Test("neither in place nor by passes are they counted, lost or required")
  func migrations() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try Self.model(), try Self.model("  added Integer_16"))
    let path = folder.path("old.sqlite")
    try Self.fill(path, old)
    let hop = try MigrationPlan.Hop.inferred(from: old, to: new)
    #expect(hop.warnings.isEmpty, "\(hop.warnings)")
    var reports: [(String, MigrationReport)] = []
    for (name, executor, batchSize) in Passes.executors {
      let report = try Passes.run(
        hop, from: path, into: folder.path(name), executor: executor, batchSize: batchSize
      ).report
      reports.append((folder.path(name), report))
    }
    let (events, report, _) = try InPlace.run(hop, at: path)
    for (path, report) in reports + [(path, report)] {
      #expect(report.links.map(\.relationship) == ["A.bs"], "\(path)")
      #expect(report.links.map { [$0.count, $0.kept ?? 0, $0.lost] } == [[3, 3, 0]], "\(path)")
      #expect(!report.stopsMigration && report.problems.isEmpty, "\(report.problems)")
      #expect(report.receipt.properties.filter(\.isRelationship).count == 1)
      #expect(try Self.links(path, new).map(\.count) == [1, 2], "\(path)")
    }
    #expect(!"\(events)".contains("needed") && !"\(events)".contains("loose"))
  }

  @Test("one that becomes stored has no links; a stored one that becomes transient loses its links")
  func changed() throws {
    let folder = try TemporaryFolder()
    let text = { (end: String) in
      """
      A
        x String
        bs -> B many\(end) inverse=a
      B
        y String
        a -> A\(end) inverse=bs
      """
    }
    let (stored, transient) = (
      try ObjectModel(brief: text("")), try ObjectModel(brief: text(" transient"))
    )
    let path = folder.path("s.sqlite")
    try Self.fill(path, stored, entities: ["B", "B"])
    let lost = try InPlace.run(.inferred(from: stored, to: transient), at: path).report
    #expect(lost.links.map(\.relationship) == ["A.bs"] && lost.receipt.losses.links == 2)
    let hop = try MigrationPlan.Hop.inferred(from: transient, to: stored)
    #expect(hop.warnings.map(\.id) == Array(repeating: "inference.becamePersistent", count: 2))
    #expect(hop.warnings.allSatisfy { $0.message == "was transient; every object gets no link" })
    let found = try InPlace.run(hop, at: path).report
    #expect(found.links == [] && found.receipt.losses.links == 0)
    #expect(try Self.links(path, stored) == [[], []])
  }

  private static func fill(_ path: String, _ model: ObjectModel, entities: [String]) throws {
    var store = try NewStore(path: path, model: model, uuid: "A")
    for text in ["a", "b"] { _ = try store.insert("A", attributes: ["x": .text(text)]) }
    for entity in entities {
      _ = try store.insert(entity, attributes: ["y": .text("b"), "a": .integer(1)])
    }
    try store.finish()
  }

  @Test("no policy deletes by them, and a deletion in a new store clears only stored links")
  func deletions() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try Self.model(), try Self.model("  added Integer_16"))
    let path = folder.path("old.sqlite")
    try Self.fill(path, old)
    let hop = try MigrationPlan.Hop(
      from: NamedModel(name: "old", model: old), to: NamedModel(name: "new", model: new),
      by: """
        AToA: A -> A
          policy P
        BToB: B -> B
        CToC: C -> C
        """)
    var policies = PolicyRegistry()
    policies.add(try PolicyScript.policies(parsing: "policy P\n  delete when x == 'a'"))
    for (name, executor, batchSize) in Passes.executors {
      let output = folder.path(name)
      let report = try Passes.run(
        hop, from: path, into: output, policies: policies, executor: executor,
        batchSize: batchSize
      ).report
      #expect(!report.stopsMigration)
      #expect(try Self.links(output, new).map(\.count) == [2], "\(name)")
      let reader = try StoreReader(SQLiteStore(reading: output), model: new)
      #expect(try reader.count(of: "B") == 2 && reader.count(of: "C") == 1)
    }
  }

  @Test("they do not differ, and do not stop mirroring to CloudKit")
  func comparison() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model()
    for name in ["one", "two"] { try Self.fill(folder.path(name), model) }
    let readers = { try StoreReader(SQLiteStore(reading: folder.path($0)), model: model) }
    #expect(try StoreDifference(between: readers("one"), and: readers("two")).isEmpty)
    // What remains concerns the stored ends.
    let findings = CloudKitModelCheck(model).findings
    #expect(
      Set(findings.compactMap(\.property)).isDisjoint(with: ["loose", "needed", "one", "own"]))
    #expect(findings.compactMap(\.property).contains("bs"))
  }
}
