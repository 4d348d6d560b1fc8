import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import Synchronization
import TestSupport
import Testing

@Suite("Store layout")
struct LayoutTests {
  private static func layout(_ entities: String) throws -> StoreLayout {
    StoreLayout(try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8))))
  }

  @Test("entities are numbered by name, case-insensitively, subentities after their root")
  func numbers() throws {
    let layout = try Self.layout(
      #"<entity name="SyncFeatureEntity"/><entity name="SyncableSettingsMetadata"/><entity name="a"/><entity name="Z" parentEntity="a"/><entity name="B"/>"#
    )
    #expect(
      layout.entityNumbers
        == ["a": 1, "Z": 2, "B": 3, "SyncableSettingsMetadata": 4, "SyncFeatureEntity": 5])
  }

  @Test("the layout of a new store and the cached model are computed once for a model")
  func memory() throws {
    let model = try ObjectModel(
      ModelDocument(reading: Array("<model><entity name=\"A\"/></model>".utf8)))
    let count = Mutex(0)
    let listener: @Sendable (Any.Type) -> Void = { type in
      guard type == StoreLayout.self || "\(type)" == "CacheContent" else { return }
      count.withLock { $0 += 1 }
    }
    try ModelMemory.$listener.withValue(listener) {
      for _ in 0..<3 {
        #expect(StoreLayout(model).entityNumbers == ["A": 1])
        #expect(!model.cacheContent().isEmpty)
      }
      #expect(count.withLock { $0 } == 2)
      var kept = StoredNames()
      kept.columns[PropertyID(entity: "A", name: "x")] = try Self.layout(
        #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#
      ).column(of: "x", declaredBy: "A")
      // Other names have a layout of their own.
      #expect(StoreLayout(model, keeping: kept).entityNumbers == ["A": 1])
      #expect(count.withLock { $0 } == 3)
    }
  }

  @Test("clashing names in a table get a number")
  func clashes() throws {
    let layout = try Self.layout(
      #"<entity name="Base"/><entity name="A" parentEntity="Base"><attribute name="text" attributeType="String"/></entity><entity name="B" parentEntity="Base"><attribute name="text" attributeType="Date"/><attribute name="Text" attributeType="Double"/></entity>"#
    )
    #expect(layout.table(of: "B")?.name == "ZBASE")
    #expect(layout.column(of: "text", declaredBy: "A")?.name == "ZTEXT")
    #expect(layout.column(of: "Text", declaredBy: "B")?.name == "ZTEXT1")
    #expect(layout.column(of: "text", declaredBy: "B")?.name == "ZTEXT2")
  }

  @Test("many-to-many relationships have a join table, owned by the first entity by name")
  func joinTables() throws {
    let layout = try Self.layout(
      #"<entity name="Conversation"><relationship name="labels" toMany="YES" destinationEntity="Label" inverseName="conversations" inverseEntity="Label"/></entity><entity name="Label"><relationship name="conversations" toMany="YES" ordered="YES" destinationEntity="Conversation" inverseName="labels" inverseEntity="Conversation"/></entity>"#
    )
    let owner = try #require(layout.joinTable(of: "labels", declaredBy: "Conversation"))
    let other = try #require(layout.joinTable(of: "conversations", declaredBy: "Label"))
    #expect(owner.name == "Z_1LABELS" && other.name == "Z_1LABELS")
    #expect(owner.ownColumn == "Z_1CONVERSATIONS" && owner.otherColumn == "Z_2LABELS")
    #expect(other.ownColumn == "Z_2LABELS" && other.otherColumn == "Z_1CONVERSATIONS")
    #expect(other.orderColumn == "Z_FOK_1CONVERSATIONS" && owner.orderColumn == nil)
  }

  @Test("attributes, relationships and orders of a store are read back")
  func writtenAndRead() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let model = try SampleStore.model("Topics", "Model1")
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    let keys = try reader.keys(of: "Topic")
    #expect(keys == [1, 2, 3])
    #expect(
      try reader.object(1, of: "Topic")?.attributes["content"] == .text("How migrations work"))
    #expect(try reader.object(9, of: "Topic") == nil)
    let list = try #require(model.relationship("topicList", of: "Topic"))
    let topics = try #require(model.relationship("topics", of: "TopicList"))
    #expect(try reader.destinations(of: list, from: 2) == [2])
    #expect(try reader.destinations(of: list, from: 3) == [])
    #expect(try reader.destinations(of: topics, from: 1) == [1])
    #expect(try reader.concreteEntity(ofKey: 1, in: "Topic") == "Topic")
    #expect(reader.store.metadata.versionHashes == model.versionHashes())
  }

  @Test("names with quotes are escaped, also before combining marks")
  func quotedNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    let name = "a\"\u{301}, (SELECT 1), \"\u{301}b"
    var entity = Entity(name: "A")
    entity.attributes = [Attribute(name: name, type: .string)]
    let model = try ObjectModel(ModelDocument(entities: [entity]))
    var store = try NewStore(path: path, model: model, uuid: "U")
    _ = try store.insert("A", attributes: [name: .text("x")])
    try store.finish()
    let reader = try StoreReader(SQLiteStore(reading: path), model: model)
    #expect(try reader.object(1, of: "A")?.attributes == [name: .text("x")])
  }

  @Test("a model that does not match the store is an error at once")
  func wrongModel() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    var caught: StoreError?
    do {
      _ = try StoreReader(
        SQLiteStore(reading: path),
        model: ObjectModel(ModelDocument(entities: [Entity(name: "Nothing")])))
    } catch let error as StoreError {
      caught = error
    } catch {}
    #expect(caught == .missingTable("ZNOTHING"))
  }
}
