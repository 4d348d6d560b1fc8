import StrataBase
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Comparing the stores before and after a migration that keeps every link.
@Suite("Row comparison across versions")
struct RowComparisonTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The entities A and B, whose parent A is.
    var before: String
    var after: String
  }

  private static func relationship(_ name: String, _ keys: String, _ to: String, _ inverse: String)
    -> String
  {
    """
    <relationship name="\(name)" optional="YES" \(keys) destinationEntity="\(to)" \
    inverseName="\(inverse)" inverseEntity="\(to == "A" ? "B" : "A")"/>
    """
  }

  /// - Parameters:
  ///   - a: Relationships of A.
  ///   - b: Those of B.
  private static func entities(_ a: String, _ b: String) -> String {
    """
    <entity name="A"><attribute name="k" optional="YES" attributeType="Integer 64"/>\(a)</entity>
    <entity name="B" parentEntity="A">\(b)</entity>
    """
  }

  private static let one = #"maxCount="1""#
  private static let many = #"toMany="YES""#

  static let cases: [Case] = [(one, "to-one"), (many, "to-many")].flatMap { keys, name in
    let inverse = keys == one ? many : one
    let before = entities(
      relationship("r", inverse, "B", "s"), relationship("s", keys, "A", "r"))
    return [
      Case(
        testDescription: "a \(name) relationship moves to the parent entity", before: before,
        after: entities(
          #"<relationship name="r" optional="YES" \#(inverse) destinationEntity="A" inverseName="s" inverseEntity="A"/><relationship name="s" optional="YES" \#(keys) destinationEntity="A" inverseName="r" inverseEntity="A"/>"#,
          "")),
      Case(
        testDescription: "a \(name) relationship is renamed, its inverse is not", before: before,
        after: entities(
          relationship("r", inverse, "B", "a"),
          relationship("a", keys + #" elementID="s""#, "A", "r"))),
      Case(
        testDescription: "the inverse of a \(name) relationship is renamed", before: before,
        after: entities(
          relationship("z", inverse + #" elementID="r""#, "B", "s"),
          relationship("s", keys, "A", "z"))),
    ]
  }

  private static func model(_ entities: String) throws -> NamedModel {
    NamedModel(
      name: "M",
      model: try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8))))
  }

  @Test("a migrated store has no differing rows", arguments: cases)
  func same(example: Case) throws {
    let (old, new) = (try Self.model(example.before), try Self.model(example.after))
    let hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
    let folder = try TemporaryFolder()
    let (path, migrated) = (folder.path("old.sqlite"), folder.path("new.sqlite"))
    for path in [path, migrated] {
      var store = try NewStore(path: path, model: old.model, uuid: "A")
      let a = try (1...3).map { try store.insert("A", attributes: ["k": .integer($0)]) }
      for (number, target) in [a[1], a[0], a[1]].enumerated() {
        let b = try store.insert("B", attributes: ["k": .integer(Int64(number) + 10)])
        let end = try #require(old.model.relationship("s", of: "B"))
        try store.connect(end, of: b.key, to: [target.key])
      }
      try store.finish()
    }
    _ = try InPlace.run(hop, at: migrated)
    let difference = try StoreDifference(
      between: StoreReader(SQLiteStore(reading: path), model: old.model),
      and: StoreReader(SQLiteStore(reading: migrated), model: new.model), as: hop.correspondence())
    #expect(difference.isEmpty, "\(difference.entities)")
  }
  @Test(
    "only relationships of an object's own entity differ, also where a store has no links of them")
  func ownRelationships() throws {
    let model = try Self.model(
      Self.entities(
        Self.relationship("r", Self.many, "B", "s"), Self.relationship("s", Self.one, "A", "r"))
    ).model
    let folder = try TemporaryFolder()
    let paths = [folder.path("one.sqlite"), folder.path("other.sqlite")]
    for path in paths {
      var store = try NewStore(path: path, model: model, uuid: "A")
      let a = try store.insert("A", attributes: ["k": .integer(1)])
      let b = try store.insert("B", attributes: ["k": .integer(2)])
      let end = try #require(model.relationship("s", of: "B"))
      if path == paths[0] { try store.connect(end, of: b.key, to: [a.key]) }
      try store.finish()
    }
    for (one, other) in [(paths[0], paths[1]), (paths[1], paths[0])] {
      let difference = try StoreDifference(
        between: StoreReader(SQLiteStore(reading: one), model: model),
        and: StoreReader(SQLiteStore(reading: other), model: model))
      let changes = difference.entities.flatMap(\.changed)
      #expect(
        Dictionary(uniqueKeysWithValues: changes.map { ($0.first.entity, $0.properties) })
          == ["A": ["r"], "B": ["s"]])
    }
  }
}
