package import StrataBase

/// What prevents a model from being mirrored to CloudKit.
///
/// ```swift
/// CloudKitModelCheck(model1).findings.map(\.location.description)  // ["Topic.presenterName"]
/// ```
package struct CloudKitModelCheck: Sendable {
  /// Sorted by rule, then by location.
  package let findings: [Finding]

  /// - Parameter names: The mirrored entities; `nil` for all.
  package init(_ model: ObjectModel, entities names: [String]? = nil) {
    var found: [(rule: CloudKitRule, entity: String, property: String)] = []
    for name in names ?? model.entityNames {
      guard let entity = model[name] else { continue }
      for attribute in entity.attributes where !attribute.isTransient {
        let parts = model.storedAttributes(of: attribute)
        if !attribute.isOptional, !attribute.isDerived,
          parts.contains(where: { !$0.isOptional && !$0.hasDefault })
        {
          found.append(
            (.attributeNeedsDefault, name, attribute.name))
        }
        switch attribute.type {
        case .undefined:
          found.append(
            (.noUndefinedAttributes, name, attribute.name))
        case .objectID:
          found.append((.noObjectIDAttributes, name, attribute.name))
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
          found.append((rule, name, relationship.name))
        }
      }
      for constraint in entity.uniquenessConstraints {
        found.append((.noUniquenessConstraints, name, constraint.joined(separator: ",")))
      }
    }
    let order = Dictionary(
      uniqueKeysWithValues: CloudKitRule.allCases.enumerated().map { ($1, $0) })
    findings = found.sorted {
      (order[$0.rule] ?? 0, $0.entity, $0.property) < (order[$1.rule] ?? 0, $1.entity, $1.property)
    }.map {
      Finding(
        $0.rule, at: FindingLocation(entity: $0.entity, property: $0.property),
        fixes: [Fix($0.rule.fix)])
    }
  }
}
