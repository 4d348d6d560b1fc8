internal import StrataBase
internal import StrataObjectModel
internal import StrataSQLite

/// The links of an atomic store, in which each object has its own ends.
struct AtomicLinks {
  let model: ObjectModel
  /// The entity of each object.
  let entities: [Int64: String]
  private var found: [(relationship: Declared<Relationship>, key: Int64, targets: [Int64])] = []

  init(model: ObjectModel, entities: [Int64: String]) {
    self.model = model
    self.entities = entities
  }

  /// - Throws: ``UnfitObject``: an object that the relationship cannot refer to.
  mutating func add(
    _ relationship: Declared<Relationship>, from key: Int64, to targets: [Int64]
  ) throws(UnfitObject) {
    guard !targets.isEmpty else { return }
    let property = relationship.property
    guard property.isToMany || targets.count == 1 else {
      throw UnfitObject(reason: "\(property.name) is to-one but has \(targets.count) objects")
    }
    for target in targets {
      guard let entity = entities[target] else {
        throw UnfitObject(
          reason: "\(property.name) refers to object \(target), which does not exist")
      }
      guard model.isKind(entity, of: property.destinationName) else {
        throw UnfitObject(
          reason: "\(property.name) refers to a \(entity), not to a \(property.destinationName)")
      }
    }
    found.append((relationship, key, targets))
  }

  /// The links without the inverse link. Those of one-to-one relationships are omitted: each end is kept, and validated
  /// with the objects.
  func oneSided() -> [Finding] {
    let links = Set(
      found.flatMap { relationship, key, targets in
        targets.map { Link(key: key, name: relationship.property.name, target: $0) }
      })
    return found.flatMap { relationship, key, targets -> [Finding] in
      let property = relationship.property
      guard let inverse = model.inverse(of: property)?.property,
        property.isToMany || inverse.isToMany
      else { return [] }
      return targets.filter {
        !links.contains(Link(key: $0, name: inverse.name, target: key))
      }.map {
        Finding(
          ValidationRule.brokenInverse(key: $0), entity: entities[key] ?? "", key: key,
          property: property.name)
      }
    }
  }

  private struct Link: Hashable {
    var key: Int64
    var name: String
    var target: Int64
  }

  /// Connects the objects, to-one ends first, each as the document has it, whatever the other end says. Of a to-many
  /// end, whose links are those of its inverse, what the inverse lacks is added.
  func connect(_ store: inout NewStore) throws(StoreError) {
    for (relationship, key, targets) in found where !relationship.property.isToMany {
      for target in targets { try store.set(relationship, of: key, to: target) }
    }
    for (relationship, key, targets) in found where relationship.property.isToMany {
      try store.connect(relationship, of: key, to: targets, takesOver: false)
    }
  }
}
