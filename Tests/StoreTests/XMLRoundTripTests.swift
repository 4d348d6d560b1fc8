import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// What is written as an XML store is read as it was, or is refused before anything is written.
@Suite("XML stores, written and read")
struct XMLRoundTripTests {
  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binary, .uuid, .uri,
    .transformable,
  ]

  /// Values that a column can contain, whatever its attribute.
  private static let values: [AttributeValue] =
    [0, 1, 2, -1, 40000, 1 << 53, 1 << 53 + 1, .max, .min].map { .integer($0) }
    + [0, -0.0, 1.5, 0.1, 1e300, -1e300, .infinity, -.infinity, .leastNonzeroMagnitude].map {
      .real($0)
    }
    + ["", "a", "1", "NaN", "12345678901234567890.123456789", "a\r\n]]>&\u{7}", "x://y"].map {
      .text($0)
    }
    + [0, 1, 3, 16, 17].map { .bytes(Array(repeating: 1, count: $0)) }

  private static func document(_ path: String, _ model: ObjectModel) throws -> XMLDatabase {
    try XMLDatabase(StoreReader(SQLiteStore(reading: path), model: model))
  }

  /// The store in memory that a document is read as.
  private static func read(_ document: XMLDatabase, _ path: String, _ model: ObjectModel) throws
    -> StoreReader
  {
    try Data(document.encoded()).write(to: URL(fileURLWithPath: path))
    return try StoreReader(XMLStore(reading: path).inMemoryStore(of: model), model: model)
  }

  @Test("each value of each type is read as it was, or refused with object and attribute")
  func values() throws {
    let folder = try TemporaryFolder()
    var (written, refused) = (0, 0)
    for type in Self.types {
      var entity = Entity(name: "Item")
      entity.attributes = [Attribute(name: "value", type: type, isOptional: true)]
      let model = try ObjectModel(ModelDocument(entities: [entity]))
      let path = folder.path("\(type.name).sqlite")
      var store = try NewStore(path: path, model: model, uuid: "A")
      _ = try store.insert("Item", attributes: ["value": .null])
      try store.finish()
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      for value in Self.values {
        try connection.execute("UPDATE ZITEM SET ZVALUE = ?", [value])
        let stored = try connection.rows("SELECT ZVALUE FROM ZITEM")[0][0]
        do {
          let reader = try Self.read(
            Self.document(path, model), folder.path("item.xml"), model)
          let key = try #require(reader.keys(of: "Item").first)
          let found = try reader.object(key, of: "Item")?.attributes["value"]
          let isSame = try connection.rows("SELECT ? IS ?", [found ?? .null, stored])[0][0]
          #expect(isSame == .integer(1), "\(type.name): \(stored)")
          written += 1
        } catch StoreError.notInXML(let object, let property, _, let name) {
          #expect((object, property, name) == ("Item/p1", "value", type.name))
          refused += 1
        }
      }
    }
    #expect(written > 100 && refused > 100, "\(written) written, \(refused) refused")
  }

  /// Two entities, or one that is its own inverse, with a to-one relationship at both ends.
  private static func model(isReflexive: Bool) throws -> ObjectModel {
    func entity(_ name: String, _ relationship: String, _ other: String, _ inverse: String)
      -> Entity
    {
      var entity = Entity(name: name)
      var property = Relationship(name: relationship, destinationName: other, isOptional: true)
      (property.inverseName, property.inverseEntityName) = (inverse, other)
      entity.relationships = [property]
      return entity
    }
    return try ObjectModel(
      ModelDocument(
        entities: isReflexive
          ? [entity("A", "mate", "A", "mate")]
          : [entity("A", "mate", "B", "owner"), entity("B", "owner", "A", "mate")]))
  }

  @Test(
    "each end of to-one links is read as it was, however the ends disagree",
    arguments: [true, false])
  func ends(isReflexive: Bool) throws {
    let folder = try TemporaryFolder()
    let model = try Self.model(isReflexive: isReflexive)
    let path = folder.path("ends.sqlite")
    var store = try NewStore(path: path, model: model, uuid: "A")
    let columns =
      isReflexive
      ? [("A", "ZMATE", 1), ("A", "ZMATE", 2), ("A", "ZMATE", 3)]
      : [("A", "ZMATE", 1), ("A", "ZMATE", 2), ("B", "ZOWNER", 1), ("B", "ZOWNER", 2)]
    for (entity, _, _) in columns { _ = try store.insert(entity, attributes: [:]) }
    try store.finish()
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    // Each end is nil or any object.
    let choices = (isReflexive ? 3 : 2) + 1
    let cases = columns.reduce(1) { product, _ in product * choices }
    for number in 0..<cases {
      var rest = number
      for (entity, column, key) in columns {
        let target = Int64(rest % choices)
        rest /= choices
        try connection.execute(
          "UPDATE Z\(entity) SET \(column) = ? WHERE Z_PK = ?",
          [target == 0 ? .null : .integer(target), .integer(Int64(key))])
      }
      let reader = try Self.read(Self.document(path, model), folder.path("ends.xml"), model)
      // Ids are assigned from 102 on, to one entity after the other.
      func key(_ entity: String, _ key: Int) -> Int64 {
        Int64(101 + key + (entity == "B" ? 2 : 0))
      }
      let found = try columns.map { entity, column, number in
        try reader.store.connection.rows(
          "SELECT \(column) FROM Z\(entity) WHERE Z_PK = \(key(entity, number))")[0][0]
      }
      let wanted = try columns.map { entity, column, number in
        let value = try connection.rows("SELECT \(column) FROM Z\(entity) WHERE Z_PK = \(number)")[
          0][0]
        guard case .integer(let target) = value else { return AttributeValue.null }
        return .integer(key(isReflexive || entity == "B" ? "A" : "B", Int(target)))
      }
      #expect(found == wanted, "\(number)")
    }
  }
}
