public import StrataArchives
internal import StrataDiagnostics
public import StrataObjectModel
public import StrataSQLite
internal import StrataValues

/// A store that is one XML document, read whole.
///
/// With the model that wrote it, it becomes a store in memory, and is browsed, compared and written like
/// any other.
///
/// ```swift
/// let xml = try XMLStore(reading: "Notes.xml")
/// let store = try xml.inMemoryStore(of: model)
/// ```
///
/// Source: the documents of the corpus; types that none of them has (`date`, `decimal`, `double`, `int64`,
/// `uuid`, `uri`) are written by analogy.
public struct XMLStore: Sendable {
  public let path: String
  public let database: XMLDatabase
  public let metadata: StoreMetadata

  /// - Throws: ``StoreError``: not there, not such a document, or without metadata.
  public init(reading path: String) throws(StoreError) {
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path)
    } catch {
      throw .unreadable(reason: error.diagnostic.what)
    }
    do {
      database = try XMLDatabase(reading: bytes)
    } catch {
      throw .badXML(error)
    }
    guard let info = database.info else {
      throw .noMetadata(reason: "the document has no databaseInfo")
    }
    metadata = try StoreMetadata(entries: info.metadata, uuid: info.uuid, type: "XML")
    self.path = path
  }

  /// Beyond this no new one could be handed out.
  static let largestID: Int64 = 1 << 60

  /// Whether a file begins like an XML store.
  public static func isStore(_ head: [UInt8]) -> Bool { XMLDatabase.mayBegin(with: head) }

  /// The objects as a store in memory: `z103` is the key 103.
  ///
  /// - Throws: ``StoreError/badXMLObject(id:reason:)``: the document does not fit the model.
  public func inMemoryStore(of model: ObjectModel) throws(StoreError) -> SQLiteStore {
    var store = try newStore(of: model)
    try store.finish()
    return try SQLiteStore(inMemory: store)
  }

  /// A store in memory that holds the metadata alone: for those whose model is not known.
  public func metadataStore() throws(StoreError) -> SQLiteStore {
    let connection = try SQLiteConnection(path: "", mode: .memory)
    try connection.execute(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER, Z_UUID VARCHAR, Z_PLIST BLOB)")
    try connection.execute(
      "INSERT INTO Z_METADATA VALUES (1, ?, ?)",
      [.text(metadata.uuid), .bytes(metadata.plist.encoded())])
    connection.allowOnlyReading()
    return try SQLiteStore(connection, path: "")
  }

  func newStore(of model: ObjectModel) throws(StoreError) -> NewStore {
    try XMLName.check(model)
    var store = try NewStore(path: nil, model: model, uuid: metadata.uuid)
    store.metadata = metadata
    let entities = Dictionary(
      model.entityNames.map { (XMLName.ofEntity($0), $0) }, uniquingKeysWith: { first, _ in first })
    var ids: [String: (key: Int64, entity: String)] = [:]
    for object in database.objects {
      guard let entity = entities[XMLName.ofEntity(object.type)] else {
        throw .badXMLObject(id: object.id, reason: "the model has no entity \(object.type)")
      }
      guard let key = Int64(object.id.dropFirst()), object.id == "z\(key)", key > 0,
        key <= Self.largestID
      else {
        throw .badXMLObject(id: object.id, reason: "an id is a z and a number")
      }
      ids[object.id] = (key, entity)
    }
    var links = LinkCollector(model: model, ids: ids)
    var places: [String: [String: Int]] = [:]
    for object in database.objects {
      guard let (key, entity) = ids[object.id], let shape = store.shape(of: entity) else {
        continue
      }
      if places[entity] == nil { places[entity] = shape.placesByXMLName }
      var row = ObjectRow(key: key, values: Array(repeating: .null, count: shape.names.count))
      for attribute in object.attributes {
        guard let place = places[entity]?[XMLName.ofProperty(attribute.name)],
          case .attribute(let declared) = shape.contents[place]
        else {
          throw .badXMLObject(
            id: object.id, reason: "\(entity) has no attribute \(attribute.name)")
        }
        guard let value = XMLValue.parse(attribute.text, as: declared.type) else {
          throw .badXMLObject(
            id: object.id, reason: "\(attribute.name) is no \(declared.type.name)")
        }
        row.values[place] = value
      }
      row.orderKeys = Array(repeating: .null, count: shape.orderedPlaces.count)
      try store.insert(row, of: entity)
      try links.add(object, key, entity)
    }
    try links.connect(&store)
    return store
  }
}

/// The relationships of a document, each end of which names the other.
private struct LinkCollector {
  let model: ObjectModel
  let ids: [String: (key: Int64, entity: String)]
  /// By entity and name in upper case.
  private var relationships: [String: [String: Declared<Relationship>]] = [:]
  private var found: [(relationship: Declared<Relationship>, key: Int64, targets: [Int64])] = []

  init(model: ObjectModel, ids: [String: (key: Int64, entity: String)]) {
    self.model = model
    self.ids = ids
  }

  mutating func add(
    _ object: XMLDatabase.Object, _ key: Int64, _ entity: String
  ) throws(StoreError) {
    if relationships[entity] == nil {
      relationships[entity] = Dictionary(
        model.allRelationships(of: entity).map { (XMLName.ofProperty($0.property.name), $0) },
        uniquingKeysWith: { first, _ in first })
    }
    for relationship in object.relationships {
      guard let declared = relationships[entity]?[XMLName.ofProperty(relationship.name)] else {
        throw .badXMLObject(
          id: object.id, reason: "\(entity) has no relationship \(relationship.name)")
      }
      var targets: [Int64] = []
      for reference in relationship.references {
        guard let target = ids[reference] else {
          throw .badXMLObject(
            id: object.id,
            reason: "\(relationship.name) leads to \(reference), which is not there")
        }
        targets.append(target.key)
      }
      guard !targets.isEmpty else { continue }
      found.append((declared, key, targets))
    }
  }

  /// To-one ends first: what only one end says is kept too.
  func connect(_ store: inout NewStore) throws(StoreError) {
    for (relationship, key, targets) in found where !relationship.property.isToMany {
      try store.connect(relationship, of: key, to: targets)
    }
    for (relationship, key, targets) in found where relationship.property.isToMany {
      try store.connect(relationship, of: key, to: targets)
    }
  }
}

extension StoreRowShape {
  fileprivate var placesByXMLName: [String: Int] {
    Dictionary(
      names.enumerated().map { (XMLName.ofProperty($0.element), $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }
}
