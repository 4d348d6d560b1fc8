public import StrataObjectModel
internal import StrataValues

/// What in a model stands against mirroring it to CloudKit.
///
/// ```swift
/// CloudKitModelCheck(model).breaches.map(\.place)  // ["Topic.presenterName"]
/// ```
public struct CloudKitModelCheck: Sendable {
  public struct Breach: Sendable, Hashable {
    public var rule: CloudKitRule
    public var entity: String
    /// `nil` where the entity itself breaks the rule.
    public var property: String?

    /// `Topic.content`, or the entity.
    public var place: String { property.map { "\(entity).\($0)" } ?? entity }
  }

  /// By rule, then by place.
  public let breaches: [Breach]

  /// - Parameter names: The entities that are mirrored; all of the model where it is `nil`.
  public init(_ model: ObjectModel, entities names: [String]? = nil) {
    var found: [Breach] = []
    for name in names ?? model.entityNames {
      guard let entity = model[name] else { continue }
      for attribute in entity.attributes where !attribute.isTransient {
        let parts = model.storedAttributes(of: attribute)
        if !attribute.isOptional, !attribute.isDerived,
          parts.contains(where: { !$0.isOptional && $0.defaultValue == nil })
        {
          found.append(
            Breach(rule: .attributeNeedsDefault, entity: name, property: attribute.name))
        }
        switch attribute.type {
        case .undefined:
          found.append(
            Breach(rule: .noUndefinedAttributes, entity: name, property: attribute.name))
        case .objectID:
          found.append(Breach(rule: .noObjectIDAttributes, entity: name, property: attribute.name))
        default: break
        }
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let broken: [(CloudKitRule, Bool)] = [
          (.relationshipMustBeOptional, !relationship.isOptional),
          (.relationshipNeedsInverse, relationship.inverseName == nil),
          (.noOrderedRelationships, relationship.isOrdered),
          (.noDenyRule, relationship.deleteRule == .deny),
        ]
        for (rule, isBroken) in broken where isBroken {
          found.append(Breach(rule: rule, entity: name, property: relationship.name))
        }
      }
      for constraint in entity.uniquenessConstraints {
        found.append(
          Breach(
            rule: .noUniquenessConstraints, entity: name,
            property: constraint.joined(separator: ",")))
      }
    }
    let order = Dictionary(
      uniqueKeysWithValues: CloudKitRule.allCases.enumerated().map { ($1, $0) })
    breaches = found.sorted {
      (order[$0.rule] ?? 0, $0.place) < (order[$1.rule] ?? 0, $1.place)
    }
  }
}
