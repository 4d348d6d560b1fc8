internal import StrataBase
package import StrataObjectModel

/// The source relationships of the two ends of a destination relationship.
///
/// If the source relationships are not inverses of each other, the ends are crossed: both are written from the
/// links of the end whose entity and name come first; if the other end is ordered, its links are in key order.
/// Which links Core Data keeps is unknown: the choice is not verified, but equal in all executors.
package struct ContinuedEnds {
  private let source: ObjectModel
  private let destination: ObjectModel
  /// The source relationships of each destination relationship, by their names and entities.
  private var origins: [PropertyID: [PropertyID: Declared<Relationship>]] = [:]

  /// - Parameters:
  ///   - entityMappings: Those with a policy are passed over, whose effect is unknown.
  ///   - named: The entity mappings named by relationship mappings; empty for an inferred mapping model.
  package init(
    entityMappings: [EntityMapping], named: [EntityMapping], source: ObjectModel,
    destination: ObjectModel
  ) {
    (self.source, self.destination) = (source, destination)
    for mapping in entityMappings where mapping.policyName == nil {
      guard let entity = mapping.destinationName else { continue }
      for property in mapping.relationshipMappings {
        guard let end = destination.relationship(property.name, of: entity),
          let old = RelationshipOrigin(of: property.name, in: mapping, of: source, among: named)?
            .relationship
        else { continue }
        origins[end.id, default: [:]][old.id] = old
      }
    }
  }

  /// Whether the links are taken from the other end.
  package func isOverruled(_ end: Declared<Relationship>) -> Bool { !overruling(end).isEmpty }

  /// The source relationships whose links are replaced by those of the other end.
  package func overruling(_ end: Declared<Relationship>) -> Set<Declared<Relationship>> {
    guard let inverse = destination.inverse(of: end.property),
      inverse.precedes(end), areCrossed(end, inverse)
    else { return [] }
    return continued(by: inverse)
  }

  package func areCrossed(
    _ end: Declared<Relationship>, _ inverse: Declared<Relationship>
  ) -> Bool {
    let (own, other) = (continued(by: end), continued(by: inverse))
    func isAlone(_ old: Declared<Relationship>, among others: Set<Declared<Relationship>>) -> Bool {
      source.inverse(of: old.property).map { !others.contains($0) } ?? true
    }
    return !own.isEmpty && !other.isEmpty
      && (own.contains { isAlone($0, among: other) } || other.contains { isAlone($0, among: own) })
  }

  /// Whether a one-to-one relationship stays one-to-one: each end then keeps the keys of its own objects, which
  /// agree in a consistent store.
  package func staysOneToOne(_ end: Declared<Relationship>) -> Bool {
    guard !end.property.isToMany, let inverse = destination.inverse(of: end.property),
      !inverse.property.isToMany
    else { return false }
    let own = continued(by: end)
    let backs = own.compactMap { old in
      old.property.isToMany ? nil : source.inverse(of: old.property)
    }
    return !own.isEmpty && backs.count == own.count && backs.allSatisfy { !$0.property.isToMany }
      && Set(backs) == continued(by: inverse)
  }

  private func continued(by end: Declared<Relationship>) -> Set<Declared<Relationship>> {
    Set(origins[end.id, default: [:]].values)
  }
}
