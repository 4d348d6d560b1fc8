internal import StrataArchives
internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

extension BinaryStore {
  package func newStore(of model: ObjectModel) throws(StoreError) -> NewStore {
    var store = try NewStore(path: nil, model: model, uuid: metadata.uuid)
    store.metadata = metadata
    var shapes: [String: BinaryRowShape] = [:]
    // Shared values are written out for each object.
    var budget = 2 * size + ArchiveLimits.sharedSize
    for node in nodes {
      let shape: BinaryRowShape
      do {
        if let known = shapes[node.entity] {
          shape = known
        } else {
          shape = try BinaryRowShape(node.entity, of: model, store.shape(of: node.entity))
          shapes[node.entity] = shape
        }
        try store.insert(shape.row(of: node, budget: &budget), of: node.entity)
      } catch let error as UnfitObject {
        throw .badBinaryObject(key: node.key, reason: error.reason)
      } catch let error as ArchiveError {
        throw .badBinary(part: "objects", error)
      } catch let error as StoreError {
        throw error
      } catch {
        throw .unreadable(reason: "\(error)")
      }
    }
    try links(in: model).connect(&store)
    return store
  }

  /// - Throws: ``StoreError/badBinaryObject(key:reason:)``.
  func links(in model: ObjectModel) throws(StoreError) -> AtomicLinks {
    var links = AtomicLinks(
      model: model,
      entities: Dictionary(nodes.map { ($0.key, $0.entity) }, uniquingKeysWith: { $1 }))
    for node in nodes {
      for (name, targets) in node.related {
        guard let relationship = model.relationship(name, of: node.entity),
          !relationship.property.isTransient
        else {
          throw .badBinaryObject(
            key: node.key, reason: "\(node.entity) has no relationship \(name)")
        }
        do {
          try links.add(relationship, from: node.key, to: targets)
        } catch {
          throw .badBinaryObject(key: node.key, reason: error.reason)
        }
      }
    }
    return links
  }

  package func roundedValues(of model: ObjectModel) -> [String] {
    let layout = StoreLayout(model)
    let shapes = Dictionary(
      first: Set(nodes.map(\.entity)).compactMap { entity in
        let columns = StoreRowShape(entity, model: model, layout: layout)
        return (try? BinaryRowShape(entity, of: model, columns)).map { (entity, $0) }
      })
    return nodes.flatMap { node in
      (shapes[node.entity]?.rounded(in: node) ?? []).map { "p\(node.key).\($0)" }
    }
  }

  package func unprovenParts(of model: ObjectModel) -> [String] {
    guard !nodes.isEmpty else { return [] }
    var parts = ["the order of the values: attributes are assumed to be sorted by name"]
    for entity in Set(nodes.map(\.entity)).sorted(by: { $0.precedesInBytes($1) }) {
      let attributes = BinaryRowShape.attributes(of: entity, in: model)
      let names = attributes.map(\.name)
      if names != names.sorted(by: { ($0.lowercased(), $0) < ($1.lowercased(), $1) }) {
        parts.append("\(entity): the order of names that differ only in case")
      }
      parts += attributes.compactMap { attribute in
        Self.unprovenPart(attribute).map { "\(entity).\(attribute.name): \($0)" }
      }
      parts += model.allRelationships(of: entity).map(\.property)
        .filter { $0.isToMany && $0.isOrdered && !$0.isTransient }
        .map { "\(entity).\($0.name): the order of the objects" }
    }
    return parts
  }

  /// The part of an attribute's encoding that no known file shows.
  private static func unprovenPart(_ attribute: Attribute) -> String? {
    if attribute.isDerived { return "whether a derived attribute is stored" }
    switch attribute.type {
    case .decimal, .uuid, .uri: return "the encoding of a \(attribute.type.name)"
    case .transformable: return "the encoding of a transformed value"
    case .binary where attribute.allowsExternalBinaryStorage: return "binary data in external files"
    default: return nil
    }
  }
}

/// The layout of the values of an entity's objects in a binary store.
private struct BinaryRowShape {
  let entity: String
  let columns: StoreRowShape
  /// The attributes in the order of their values.
  let attributes: [Attribute]

  /// - Throws: ``UnfitObject``: the model has no such entity, or one with an unknown encoding.
  init(_ entity: String, of model: ObjectModel, _ columns: StoreRowShape?) throws(UnfitObject) {
    guard let declared = model[entity], !declared.isAbstract, let columns else {
      throw UnfitObject(reason: "the model has no concrete entity \(entity)")
    }
    attributes = Self.attributes(of: entity, in: model)
    for attribute in attributes where columns.index(of: attribute.name) == nil {
      throw UnfitObject(
        reason: "\(entity).\(attribute.name) has the type \(attribute.type.name), "
          + "whose encoding in binary stores is unknown")
    }
    self.entity = entity
    self.columns = columns
  }

  /// All stored attributes, own and inherited, by name.
  static func attributes(of entity: String, in model: ObjectModel) -> [Attribute] {
    model.allAttributes(of: entity).map(\.property).filter { !$0.isTransient }
      .sorted { $0.name.precedesInBytes($1.name) }
  }

  /// The attributes of an object with this number of values; `nil` if the number does not fit.
  private func stored(_ count: Int) -> [Attribute]? {
    [attributes, attributes.filter { !$0.isDerived }].first { $0.count == count }
  }

  /// The names of the attributes whose values are rounded as they are read.
  func rounded(in node: BinaryStore.Node) -> [String] {
    guard attributes.contains(where: { $0.type == .decimal }),
      let values = try? node.values?.members(), let stored = stored(values.count)
    else { return [] }
    return zip(stored, values).filter { $0.type == .decimal && BinaryValue.isRounded($1) }
      .map(\.0.name)
  }

  func row(of node: BinaryStore.Node, budget: inout Int) throws -> ObjectRow {
    let count = try node.values?.memberCount() ?? 0
    guard let stored = stored(count) else {
      throw UnfitObject(
        reason: "it has \(count) values, but \(entity) has \(attributes.count) stored attributes")
    }
    var values = Array(repeating: AttributeValue.null, count: columns.names.count)
    for (attribute, member) in zip(stored, try node.values?.members() ?? []) {
      guard let value = try BinaryValue.read(member, as: attribute.type) else {
        throw UnfitObject(
          reason: "\(attribute.name) should be a \(attribute.type.name), and is "
            + BinaryValue.description(member))
      }
      if case .bytes(let bytes) = value { budget -= bytes.count }
      if case .text(let text) = value { budget -= text.utf8.count }
      guard budget >= 0 else {
        throw ArchiveError.tooLarge(
          what: "the size of shared values", limit: ArchiveLimits.sharedSize)
      }
      if let index = columns.index(of: attribute.name) { values[index] = value }
    }
    return ObjectRow(
      key: node.key, values: values,
      orderKeys: Array(repeating: .null, count: columns.orderedIndices.count))
  }
}
