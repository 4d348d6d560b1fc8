internal import StrataMapping
internal import StrataObjectModel

/// How the two ends of a destination relationship continue those of the source.
///
/// Where they continue relationships that were not the inverse of each other, they are crossed: both are
/// written from one list, the links of the end whose entity and name come first; the other end, where it is
/// ordered, has them in the order of the keys. Which links Core Data keeps is not known: the choice is
/// unproven, and the same for every executor.
struct ContinuedEnds {
  private let source: ObjectModel
  private let destination: ObjectModel
  /// The entity mappings without a policy, by destination entity: what a policy decides is not known.
  private let entityMappings: [String: [EntityMapping]]
  private let named: [EntityMapping]

  /// - Parameter named: Those that relationship mappings name; none of an inferred mapping model.
  init(
    entityMappings: [EntityMapping], named: [EntityMapping], source: ObjectModel,
    destination: ObjectModel
  ) {
    (self.source, self.destination, self.named) = (source, destination, named)
    self.entityMappings = Dictionary(
      grouping: entityMappings.filter { $0.policyName == nil && $0.destinationName != nil },
      by: { $0.destinationName ?? "" })
  }

  /// Whether the other end gives the links.
  func isOverruled(_ end: Declared<Relationship>) -> Bool { !overruling(end).isEmpty }

  /// The source relationships whose links the other end gives in its stead.
  func overruling(_ end: Declared<Relationship>) -> Set<Declared<Relationship>> {
    guard let inverse = destination.inverse(of: end.property),
      inverse.precedes(end), areCrossed(end, inverse)
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

  /// The source relationships that a relationship continues.
  private func continued(by end: Declared<Relationship>) -> Set<Declared<Relationship>> {
    let family = [end.declaringEntity] + destination.descendantNames(of: end.declaringEntity)
    return Set(
      family.flatMap { entityMappings[$0] ?? [] }.compactMap {
        RelationshipOrigin(of: end.property.name, in: $0, of: source, among: named)?.relationship
      })
  }
}
