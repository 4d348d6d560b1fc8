package import StrataArchives
internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

extension XMLDatabase {
  /// The objects of a store as one document.
  ///
  /// Ids are assigned from 102 on, as in real documents: ids are unique in the document, keys in a table. Objects
  /// from a document keep their ids and their order.
  ///
  /// - Parameters:
  ///   - document: The document that the store was read from, if any.
  ///   - keepsKeys: Whether each key becomes the id: the keys are those of a document, unique over all entities.
  /// - Throws: ``StoreError`` if the store cannot be read, or two of its names would be equal;
  ///   ``StoreError/notInXML(object:property:value:type:)``.
  package init(
    _ reader: borrowing StoreReader, from document: XMLDatabase? = nil,
    keepingKeys keepsKeys: Bool = false
  ) throws {
    let model = reader.model
    try XMLName.check(model)
    var ids: [String: [Int64: Int64]] = [:]
    let kept = Set(document?.keys ?? [])
    var next = (document?.highestKey ?? Self.firstKey - 1) + 1
    let types = Dictionary(
      first: (document?.objects ?? []).map { ($0.id, XMLName.ofEntity($0.type)) })
    for entity in reader.layout.entityOrder {
      for key in try reader.keys(of: entity) {
        if keepsKeys || kept.contains(key) && types["z\(key)"] == XMLName.ofEntity(entity) {
          ids[entity, default: [:]][key] = key
          next = max(next, key + 1)
        } else {
          ids[entity, default: [:]][key] = next
          next += 1
        }
      }
    }
    var metadata = reader.store.metadata
    metadata.type = nil
    metadata.others["_NSAutoVacuumLevel"] = nil
    self.init(
      info: Info(
        uuid: metadata.uuid, nextObjectID: next - 1,
        metadata: metadata.plist.dictionary ?? [:]), objects: [])
    if let (key, value) = info?.unwritableEntry {
      throw StoreError.notInXML(
        object: "metadata", property: key, value: "a \(value.kind) that XML cannot contain",
        type: value.kind)
    }
    for entity in reader.layout.entityOrder {
      guard let shape = reader.shape(of: entity) else { continue }
      let own = ids[entity] ?? [:]
      let relationships = model.allRelationships(of: entity).filter { !$0.property.isTransient }
        .map { relationship in
          // An object of another entity of the same table is none of its objects.
          let name = relationship.property.destinationName
          let targets = model.familyNames(of: name).compactMap { ids[$0] }
          return (relationship: relationship, targets: targets)
        }
      try reader.forEachRow(of: entity) { row in
        var object = Object(type: XMLName.ofEntity(entity), id: "z\(own[row.key] ?? 0)")
        for (index, content) in shape.contents.enumerated() {
          guard case .attribute(let attribute) = content,
            let type = XMLValue.typeName(attribute.type),
            let text = XMLValue.text(row.values[index], of: attribute.type)
          else { continue }
          func misfit(_ value: String) -> StoreError {
            .notInXML(
              object: "\(entity)/p\(row.key)", property: shape.names[index], value: value,
              type: attribute.type.name)
          }
          guard XMLValue.isText(text, of: row.values[index], attribute.type) else {
            throw misfit(XMLValue.misfit(row.values[index], attribute.type))
          }
          let invalid = try reader.invalidText(
            row.values[index], of: row.key, shape.columns[index], in: shape)
          guard invalid == nil else { throw misfit("text that is not valid in its encoding") }
          object.attributes.append(
            Attribute(name: XMLName.ofProperty(shape.names[index]), type: type, text: text))
        }
        for (relationship, targets) in relationships {
          let property = relationship.property
          var (references, seen): ([String], Set<Int64>) = ([], [])
          for key in try reader.destinations(of: relationship, from: row.key) {
            guard let id = targets.lazy.compactMap({ $0[key] }).first else { continue }
            // A join table without a primary key can repeat a link.
            if seen.insert(id).inserted { references.append("z\(id)") }
          }
          object.relationships.append(
            Relationship(
              name: XMLName.ofProperty(property.name),
              type: "\(max(property.minCount, property.isOptional ? 0 : 1))/\(property.maxCount)",
              destination: XMLName.ofEntity(property.destinationName), references: references))
        }
        objects.append(object)
      }
    }
    guard let document else { return }
    isStandalone = document.isStandalone
    let indices = Dictionary(
      first: document.objects.enumerated().map { ($0.element.id, $0.offset) })
    objects.sort { indices[$0.id] ?? .max < indices[$1.id] ?? .max }
  }

  /// The key of the first object of a new document.
  private static let firstKey: Int64 = 102

  private var keys: [Int64] { objects.map { Int64($0.id.dropFirst()) ?? 0 } }

  /// The highest key that any object has, or has had: the next one is that of a new object.
  ///
  /// Readers refuse ids beyond the largest one.
  var highestKey: Int64 {
    min(XMLStore.largestID, max(Self.firstKey - 1, info?.nextObjectID ?? 0, keys.max() ?? 0))
  }

  /// This document with the changes of an insertion or a deletion; everything else is kept, even if unknown.
  func taking(
    _ written: XMLDatabase, new: [Object] = [], touched: Set<Int64>, deleted: Set<Int64> = []
  ) -> XMLDatabase {
    var document = self
    document.objects.removeAll { Int64($0.id.dropFirst()).map(deleted.contains) ?? false }
    document.info?.nextObjectID = written.info?.nextObjectID ?? 0
    let relationships = Dictionary(first: written.objects.map { ($0.id, $0.relationships) })
    for index in document.objects.indices {
      let id = document.objects[index].id
      guard let key = Int64(id.dropFirst()), touched.contains(key) else { continue }
      document.objects[index].relationships = relationships[id] ?? []
    }
    document.objects += new
    return document
  }

  /// The number of elements for a reader of the document.
  package var elementCount: Int {
    objects.reduce(100) { $0 + 1 + $1.attributes.count + $1.relationships.count }
  }
}
