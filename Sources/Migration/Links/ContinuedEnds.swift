internal import StrataMapping
internal import StrataObjectModel

/// How the two ends of a destination relationship continue those of the source.
///
/// Where they continue relationships that were not the inverse of each other, they are crossed: both are
/// written from one list, the links of the end whose entity and name come first; the other end, where it is
/// ordered, has them in the order of the keys. Which links Core Data keeps is not known: the choice is
/// unproven, and the same for every executor.
struct ContinuedEnds {
  let entityMappings: [EntityMapping]
  let source: ObjectModel
  let destination: ObjectModel

  /// Whether the other end gives the links.
  func isOverruled(_ end: Declared<Relationship>) -> Bool { !overruling(end).isEmpty }

  /// The source relationships whose links the other end gives in its stead.
  func overruling(_ end: Declared<Relationship>) -> Set<Declared<Relationship>> {
    guard let inverse = destination.inverse(of: end.property),
      (inverse.declaringEntity, inverse.property.name) < (end.declaringEntity, end.property.name),
      areCrossed(end, inverse)
    else { return [] }
    return continued(by: inverse)
  }

  func areCrossed(_ end: Declared<Relationship>, _ inverse: Declared<Relationship>) -> Bool {
    let (own, other) = (continued(by: end), continued(by: inverse))
    func isAlone(_ old: Declared<Relationship>, among others: Set<Declared<Relationship>>) -> Bool {
      source.inverse(of: old.property).map { !others.contains($0) } ?? true
    }
    return !own.isEmpty && !other.isEmpty
      && (own.contains { isAlone($0, among: other) } || other.contains { isAlone($0, among: own) })
  }

  /// Whether a one-to-one relationship goes on as one: each end then keeps what its own objects say. In a
  /// sound store both say the same.
  func staysOneToOne(_ end: Declared<Relationship>) -> Bool {
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

  /// The source relationships that a relationship continues; what a policy decides is not known.
  private func continued(by end: Declared<Relationship>) -> Set<Declared<Relationship>> {
    let family = Set([end.declaringEntity] + destination.descendantNames(of: end.declaringEntity))
    var found: Set<Declared<Relationship>> = []
    for mapping in entityMappings
    where mapping.policyName == nil && family.contains(mapping.destinationName ?? "") {
      guard let entity = mapping.sourceName,
        let expression = mapping.relationshipMappings.first(where: { $0.name == end.property.name }
        )?
        .expression,
        let origin = RelationshipOrigin(expression, in: entity, of: source)
      else { continue }
      found.insert(origin.relationship)
    }
    return found
  }
}
