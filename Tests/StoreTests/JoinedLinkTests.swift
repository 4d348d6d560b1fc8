import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Rows of a join table with every kind of key at either end, whichever end has more objects: which table is larger
/// decides how the rows are read.
@Suite("Links of a join table to missing objects")
struct JoinedLinkTests {
  private enum Key: String, CaseIterable {
    case existing = "1"
    case missing = "50"
    case otherEntity = "60"
    case null = "NULL"
    case text = "'x'"
    case lowest = "-9223372036854775808"
    case infinite = "-9e999"
  }

  private static func model() throws -> ObjectModel {
    func entity(_ name: String, _ relationship: String, _ destination: String, _ inverse: String)
      -> Entity
    {
      var entity = Entity(name: name)
      entity.attributes = [Attribute(name: "n", type: .string, isOptional: true)]
      var end = Relationship(
        name: relationship, destinationName: destination, isOptional: true, isToMany: true)
      end.inverseName = inverse
      entity.relationships = [end]
      return entity
    }
    return try ObjectModel(
      ModelDocument(entities: [
        entity("Book", "tags", "Tag", "books"), entity("Tag", "books", "Book", "tags"),
      ]))
  }

  @Test(
    "an object is reported if it exists, and the other one does not", arguments: ["BOOK", "TAG"])
  func dangling(larger: String) throws {
    let folder = try TemporaryFolder()
    let model = try Self.model()
    for (number, own) in Key.allCases.enumerated() {
      for (place, other) in Key.allCases.enumerated() {
        let path = folder.path("\(number)-\(place).sqlite")
        try Self.make(path, model, larger: larger, own, other)
        let reader = try StoreReader(SQLiteStore(reading: path), model: model)
        var found: [String] = []
        for entity in ["Book", "Tag"] {
          try reader.forEachProblem(of: entity) {
            found.append("\($0.location) \($0.reason)")
          }
        }
        let isLink = own != .null && other != .null
        let isReported = isLink && (own == .existing) != (other == .existing)
        let (name, property) = own == .existing ? ("Book", "tags") : ("Tag", "books")
        #expect(found.count == (isReported ? 1 : 0), "\(own) \(other): \(found)")
        #expect(
          found.allSatisfy { $0.hasPrefix("\(name)/p1.\(property) points to p") },
          "\(own) \(other): \(found)")
        let count = try reader.linkCount(of: #require(model.relationship("tags", of: "Book")))
        var rows: [String] = []
        try reader.forEachTableProblem { rows.append($0.reason) }
        #expect(rows.contains { $0.contains("NULL instead of a key") } == !isLink, "\(rows)")
        let isWhole = own == .existing && other == .existing
        #expect(count.count == (isWhole ? 1 : 0), "\(own) \(other)")
        #expect(count.dangling == (isLink && !isWhole ? 1 : 0), "\(own) \(other)")
      }
    }
  }

  private static func make(
    _ path: String, _ model: ObjectModel, larger: String, _ own: Key, _ other: Key
  ) throws {
    var store = try NewStore(
      path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    for entity in ["Book", "Tag"] { _ = try store.insert(entity, attributes: [:]) }
    let found = try store.reader().joinTable(of: #require(model.relationship("tags", of: "Book")))
    let join = try #require(found)
    try store.finish()
    try StoreFixture.run(
      [
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (60, 99, 1)",
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (60, 99, 1)",
        "INSERT INTO Z\(larger) (Z_PK, Z_ENT, Z_OPT) VALUES (900, 99, 1)",
        "INSERT INTO \(join.name) (\(join.ownColumn), \(join.otherColumn)) "
          + "VALUES (\(own.rawValue), \(other.rawValue))",
      ], on: path)
  }
}
