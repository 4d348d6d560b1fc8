import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@testable import StrataMigration

/// Objects that are read in order are those that are read one by one.
@Suite("Source objects in order")
struct SourceWalkTests {
  /// People and employees in one table, by keys with gaps of any size.
  private static func store(
    at path: String, using random: inout SeededRandom
  ) throws -> (model: ObjectModel, last: Int64) {
    var person = Entity(name: "Person")
    person.attributes = [Attribute(name: "name", type: .string, isOptional: true)]
    let employee = Entity(name: "Employee", superentityName: "Person")
    let model = try ObjectModel(ModelDocument(entities: [employee, person]))
    var store = try NewStore(
      path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
    var key: Int64 = 0
    for _ in 0..<200 {
      key += Bool.random(using: &random) ? 1 : Int64.random(in: 1...20, using: &random)
      let entity = Int.random(in: 0..<4, using: &random) == 0 ? "Employee" : "Person"
      try store.insert(ObjectRow(key: key, values: [.text("\(entity) \(key)")]), of: entity)
    }
    try store.finish()
    return (model, key)
  }

  @Test("in any order, with gaps, for missing keys and objects of a subentity")
  func order() throws {
    let folder = try TemporaryFolder()
    for seed in UInt64(1)...20 {
      var random = SeededRandom(seed: seed)
      let path = folder.path("\(seed).sqlite")
      let (model, last) = try Self.store(at: path, using: &random)
      let store = try SQLiteStore(reading: path)
      let log = StatementLog(detail: .none)
      store.setLog(log)
      let objects = StoreObjects(try StoreReader(store, model: model))
      let plain = StoreObjects(try StoreReader(SQLiteStore(reading: path), model: model))
      var walk = SourceWalk()
      var (key, kept): (Int64, [BrowsedObject]) = (0, [])
      var inOrder = 0
      for _ in 0..<400 {
        key =
          switch Int.random(in: 0..<10, using: &random) {
          case 0: Int64.random(in: -5...(last + 10), using: &random)
          case 1: key
          default: key + Int64.random(in: 1...3, using: &random)
          }
        let entity = Int.random(in: 0..<8, using: &random) == 0 ? "Employee" : "Person"
        log.detail = Int.random(in: 0..<5, using: &random) == 0 ? .rows : .none
        let object = try walk.object(key, of: entity, in: objects, log)
        if object.currentCursor != nil { inOrder += 1 }
        let wanted = plain.object(key, of: entity)
        #expect(try object.attributeValue("name") == wanted.attributeValue("name"))
        #expect(try object.concreteEntity() == wanted.concreteEntity())
        #expect(object.key == key && object.entity == entity)
        // Of what is read in order, nothing is logged; of the others, the row that each reads.
        let isLogged = log.takeReceived().count > 0
        #expect(isLogged == (log.detail == .rows))
        kept.append(object)
      }
      walk.end()
      for object in kept {
        #expect(
          try object.attributeValue("name")
            == plain.object(object.key, of: object.entity).attributeValue("name"))
      }
      #expect(inOrder > 10, "\(inOrder)")
    }
  }

  @Test("keys at the ends of the integers")
  func ends() throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom(seed: 1)
    let (model, _) = try Self.store(at: folder.path("s.sqlite"), using: &random)
    let objects = StoreObjects(
      try StoreReader(SQLiteStore(reading: folder.path("s.sqlite")), model: model))
    var walk = SourceWalk()
    for key in [Int64.min, .min + 1, .max, .min, -1, 0, .max - 1, .max] {
      #expect(try walk.object(key, of: "Person", in: objects, nil).attributeValue("name") == .null)
    }
  }
}
