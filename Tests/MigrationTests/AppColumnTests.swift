import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// Columns that an app has added to tables of Core Data.
@Suite("The app's own columns")
struct AppColumnTests {
  enum Fate: Sendable {
    /// The migration in place is refused.
    case refused
    case lost(because: String)
    case kept
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var (table, column): (String, String)
    var inPlace: Fate
    /// Why a migration in three passes loses it.
    var reason: String

    init(_ table: String, _ column: String, _ inPlace: Fate, needed: Bool = false) {
      (self.table, self.column, self.inPlace) = (table, column, inPlace)
      reason = needed ? "the new model uses its name" : "the new model does not have it"
    }

    var testDescription: String { "\(table).\(column)" }
  }

  static let cases = [
    Case("ZADDED", "ZMORE", .refused, needed: true),
    Case("ZADDED", "zmore", .refused, needed: true),
    Case("ZADDED", "mine", .lost(because: "the table is recreated")),
    // Of an entity whose number changes.
    Case("ZNOTE", "ZMORE", .refused, needed: true),
    Case("ZNOTE", "mine", .lost(because: "the table is recreated")),
    // Of an entity and a relationship that the new model does not have.
    Case("ZGONE", "ZMORE", .lost(because: "the table is dropped")),
    Case("Z_2TAGS", "mine", .lost(because: "the table is dropped")),
    // Of a relationship that becomes ordered.
    Case("Z_1LINKS", "Z_FOK_2LINKS", .refused, needed: true),
    Case("Z_1LINKS", "mine", .kept),
    Case("Z_PRIMARYKEY", "mine", .lost(because: "the table is recreated")),
  ]

  /// The new model loses an entity with its relationship, gains an attribute in each other entity, and orders
  /// a relationship.
  private static func model(isNew: Bool) throws -> NamedModel {
    func attribute(_ name: String) -> Attribute {
      Attribute(name: name, type: .string, isOptional: true)
    }
    func relationship(
      _ name: String, _ to: String, _ inverse: String, isOrdered: Bool = false
    ) -> Relationship {
      var found = Relationship(name: name, destinationName: to, isOptional: true, isToMany: true)
      found.inverseName = inverse
      found.isOrdered = isOrdered
      return found
    }
    var entities = ["Added", "Note", "Z"].map { name in
      var entity = Entity(name: name)
      entity.attributes = [attribute("n")] + (isNew ? [attribute("more")] : [])
      return entity
    }
    entities[0].relationships = [relationship("links", "Note", "adds", isOrdered: isNew)]
    entities[1].relationships = [relationship("adds", "Added", "links")]
    if !isNew {
      var gone = Entity(name: "Gone")
      gone.relationships = [relationship("tags", "Z", "gones")]
      entities[2].relationships = [relationship("gones", "Gone", "tags")]
      entities.append(gone)
    }
    return NamedModel(
      name: isNew ? "new" : "old", model: try ObjectModel(ModelDocument(entities: entities)))
  }

  @Test("each is kept, reported as lost, or stops the in-place migration", arguments: cases)
  func columns(_ example: Case) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (try Self.model(isNew: false), try Self.model(isNew: true))
    let path = folder.path("old.sqlite")
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    var keys: [String: Int64] = [:]
    for entity in old.model.entityNames {
      keys[entity] = try store.insert(entity, attributes: [:]).key
    }
    for (entity, name, other) in [("Added", "links", "Note"), ("Gone", "tags", "Z")] {
      let relationship = try #require(old.model.relationship(name, of: entity))
      try store.connect(
        relationship, of: #require(keys[entity]), to: [#require(keys[other])])
    }
    try store.finish()
    try StoreFixture.run(
      [
        "ALTER TABLE \(example.table) ADD COLUMN \(example.column) INTEGER",
        "UPDATE \(example.table) SET \(example.column) = 99",
      ], on: path)
    let hop = try #require(try MigrationPlanner().plan(from: old, to: new).hops.first)
    let title = "the column \(example.column) of \(example.table) is lost: "
    for executor in [PassesRun.Executor.objects, .fastest] {
      let report = try Passes.run(
        hop, from: path, into: folder.path("\(executor).sqlite"), executor: executor
      ).report
      #expect(report.extras == [title + example.reason])
    }
    let copy = folder.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    switch example.inPlace {
    case .refused:
      #expect {
        try InPlace.run(hop, at: copy)
      } throws: { error in
        if case MigrationError.columnNameInUse(example.column, table: example.table) = error {
          true
        } else {
          false
        }
      }
      #expect(FileManager.default.contentsEqual(atPath: path, andPath: copy))
    case .lost(let reason):
      #expect(try InPlace.run(hop, at: copy).report.extras == [title + reason])
    case .kept:
      #expect(try InPlace.run(hop, at: copy).report.extras == [])
      let store = try SQLiteStore(reading: copy)
      let values = try store.connection.query(
        "SELECT \(example.column) FROM \(example.table)"
      ) {
        #expect($0 == [.integer(99)])
        return true
      }
      #expect(values.count == 1)
    }
  }
}
