package import StrataArchives
package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// An XML store, read as a whole.
///
/// With the model that wrote it, it is converted to a store in memory, and browsed, compared and written like any
/// other.
///
/// ```swift
/// let xml = try XMLStore(reading: "Notes.xml")
/// let store = try xml.inMemoryStore(of: model1)
/// ```
///
/// Source: `Docs/Facts/binary-store.md`, section 2; types that none of them has (`date`, `decimal`, `double`, `int64`,
/// `uuid`, `uri`) are written by analogy.
package struct XMLStore: AtomicStore {
  package let path: String
  package let database: XMLDatabase
  package let metadata: StoreMetadata

  /// - Throws: ``StoreError``: does not exist, not an XML store, or without metadata.
  package init(reading path: String) throws(StoreError) {
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

  /// The highest id that leaves room for new ones.
  static let largestID: Int64 = 1 << 60

  /// Whether a file has the beginning of an XML store.
  package static func isStore(_ head: [UInt8]) -> Bool { XMLDatabase.mayBegin(with: head) }

  package func count(of entity: String) -> Int {
    database.objects.count { XMLName.ofEntity($0.type) == XMLName.ofEntity(entity) }
  }

  /// Decimals with more digits than a column of SQLite keeps.
  package func roundedValues(of model: ObjectModel) -> [String] {
    database.objects.flatMap { object in
      object.attributes.filter { $0.type == "decimal" && XMLValue.isRounded(decimal: $0.text) }
        .map { "\(object.id).\($0.name)" }
    }
  }

  package func newStore(of model: ObjectModel) throws(StoreError) -> NewStore {
    try XMLName.check(model)
    var store = try NewStore(path: nil, model: model, uuid: metadata.uuid)
    store.metadata = metadata
    let identities = try identities(in: model)
    // By entity, and by name in upper case.
    var indices: [String: [String: Int]] = [:]
    for object in database.objects {
      guard let (key, entity) = identities[object.id], let shape = store.shape(of: entity) else {
        continue
      }
      if indices[entity] == nil { indices[entity] = shape.indicesByXMLName }
      var row = ObjectRow(key: key, values: Array(repeating: .null, count: shape.names.count))
      for attribute in object.attributes {
        guard let index = indices[entity]?[XMLName.ofProperty(attribute.name)],
          case .attribute(let declared) = shape.contents[index]
        else {
          throw .badXMLObject(
            id: object.id, reason: "\(entity) has no attribute \(attribute.name)")
        }
        guard let value = XMLValue.parse(attribute.text, as: declared.type) else {
          throw .badXMLObject(
            id: object.id, reason: "\(attribute.name) is not a valid \(declared.type.name)")
        }
        row.values[index] = value
      }
      row.orderKeys = Array(repeating: .null, count: shape.orderedIndices.count)
      try store.insert(row, of: entity)
    }
    try links(identities, in: model).connect(&store)
    return store
  }

  package func problems(of model: ObjectModel, named name: String) -> [Finding] {
    (try? links(identities(in: model), in: model).oneSided()) ?? []
  }

  /// The key and the entity of each object, by its id.
  private typealias Identities = [String: (key: Int64, entity: String)]

  private func identities(in model: ObjectModel) throws(StoreError) -> Identities {
    let entities = Dictionary(first: model.entityNames.map { (XMLName.ofEntity($0), $0) })
    var identities: Identities = [:]
    for object in database.objects {
      guard let entity = entities[XMLName.ofEntity(object.type)] else {
        throw .badXMLObject(id: object.id, reason: "the model has no entity \(object.type)")
      }
      guard let key = Int64(object.id.dropFirst()), object.id == "z\(key)", key > 0,
        key <= Self.largestID
      else {
        throw .badXMLObject(id: object.id, reason: "an id must be z and a number from 1 to 2^60")
      }
      identities[object.id] = (key, entity)
    }
    return identities
  }

  private func links(
    _ identities: Identities, in model: ObjectModel
  ) throws(StoreError) -> AtomicLinks {
    var links = AtomicLinks(
      model: model,
      entities: Dictionary(
        identities.values.map { ($0.key, $0.entity) }, uniquingKeysWith: { $1 }))
    // By entity, and by name in upper case.
    var relationships: [String: [String: Declared<Relationship>]] = [:]
    for object in database.objects {
      guard let (key, entity) = identities[object.id] else { continue }
      if relationships[entity] == nil {
        relationships[entity] = Dictionary(
          first:
            model.allRelationships(of: entity).map { (XMLName.ofProperty($0.property.name), $0) })
      }
      for relationship in object.relationships {
        guard let declared = relationships[entity]?[XMLName.ofProperty(relationship.name)] else {
          throw .badXMLObject(
            id: object.id, reason: "\(entity) has no relationship \(relationship.name)")
        }
        var targets: [Int64] = []
        for reference in relationship.references {
          guard let target = identities[reference] else {
            throw .badXMLObject(
              id: object.id,
              reason: "\(relationship.name) refers to \(reference), which does not exist")
          }
          targets.append(target.key)
        }
        do {
          try links.add(declared, from: key, to: targets)
        } catch {
          throw .badXMLObject(id: object.id, reason: error.reason)
        }
      }
    }
    return links
  }
}

extension StoreRowShape {
  fileprivate var indicesByXMLName: [String: Int] {
    Dictionary(first: names.enumerated().map { (XMLName.ofProperty($0.element), $0.offset) })
  }
}
