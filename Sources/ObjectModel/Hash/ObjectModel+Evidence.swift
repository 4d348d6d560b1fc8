internal import StrataBase
internal import StrataExpressions

/// A rule of the version hash that has not been verified against a hash computed by Core Data.
package struct UnprovenRule: Sendable, Hashable {
  package enum Rule: Sendable, Hashable {
    /// A derivation by a function other than `count:`.
    case derivedFunction
    /// A composite attribute inside another.
    case nestedComposite
    /// A to-one or ordered relationship that is its own inverse.
    case ownInverse
    /// A relationship that is its own inverse, inherited by a subentity.
    case inheritedOwnInverse
    /// An inverse that the destination inherits from the relationship's own declaration.
    case inverseThroughSubentity
    /// A derived attribute with a predicate that selects the objects it is derived for.
    case filteredDerivation
    /// A name with letters beyond ASCII, of the element itself, of a destination or of an inverse.
    case nameBeyondASCII
  }

  package var rule: Rule
  /// `Entity.property`, by the entity that declares it.
  package var qualifiedName: String

  /// The description of the rule.
  package var text: String {
    switch rule {
    case .derivedFunction: "the derivation of \(qualifiedName) is hashed by analogy with count:"
    case .nestedComposite: "\(qualifiedName) nests a composite in a composite"
    case .ownInverse: "\(qualifiedName) is its own inverse, and to-one or ordered"
    case .inheritedOwnInverse: "\(qualifiedName) is its own inverse, and inherited"
    case .inverseThroughSubentity: "\(qualifiedName) has itself as inverse through a subentity"
    case .filteredDerivation: "\(qualifiedName) is derived with a predicate, which is not read"
    case .nameBeyondASCII: "\(qualifiedName) has or refers to a name beyond ASCII"
    }
  }
}

extension ObjectModel {
  /// The unverified rules that an entity's hash depends on; empty if every rule was verified against hashes
  /// computed by Core Data.
  ///
  /// Source: `Docs/Facts/version-hash.md`, section 8.
  package func unprovenRules(of entity: String) -> [UnprovenRule] {
    guard mayUseUnprovenRules, let index = index(ofEntity: entity) else { return [] }
    var rules: [UnprovenRule] = []
    for owner in lineage(ofEntityAt: index) {
      let declaring = entities[owner]
      if !declaring.name.isASCII {
        rules.append(UnprovenRule(rule: .nameBeyondASCII, qualifiedName: declaring.name))
      }
      for attribute in declaring.attributes where !attribute.isTransient {
        if let rule = unprovenRule(of: attribute) {
          rules.append(
            UnprovenRule(rule: rule, qualifiedName: "\(declaring.name).\(attribute.name)"))
        }
      }
      for relationship in declaring.relationships where !relationship.isTransient {
        if let rule = unprovenRule(
          of: relationship, declaredBy: declaring.name, isInherited: owner != index)
        {
          rules.append(
            UnprovenRule(rule: rule, qualifiedName: "\(declaring.name).\(relationship.name)"))
        }
      }
    }
    return rules
  }

  private func unprovenRule(of attribute: Attribute) -> UnprovenRule.Rule? {
    if let derivation = attribute.parsedDerivation {
      if attribute.hasFilteringPredicate { return .filteredDerivation }
      if !derivation.isProven { return .derivedFunction }
    }
    if attribute.type == .composite, let composite = composite(named: attribute.compositeName ?? "")
    {
      if composite.attributes.contains(where: { $0.type == .composite }) { return .nestedComposite }
      if !composite.attributes.allSatisfy(\.name.isASCII) { return .nameBeyondASCII }
    }
    return attribute.name.isASCII ? nil : .nameBeyondASCII
  }

  private func unprovenRule(
    of relationship: Relationship, declaredBy entity: String, isInherited: Bool
  ) -> UnprovenRule.Rule? {
    guard isOwnInverse(relationship, declaredBy: entity) else {
      return relationship.hasOnlyASCII ? nil : .nameBeyondASCII
    }
    if relationship.destinationName != entity { return .inverseThroughSubentity }
    if isInherited { return .inheritedOwnInverse }
    return !relationship.isToMany || relationship.isOrdered ? .ownInverse : nil
  }
}

extension Relationship {
  var hasOnlyASCII: Bool {
    name.isASCII && destinationName.isASCII && inverseName?.isASCII != false
  }
}

extension String {
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
