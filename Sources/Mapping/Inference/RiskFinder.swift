internal import StrataBase
internal import StrataObjectModel

/// Finds the risks of a successful inference; ``LossFinder`` finds the losses.
///
/// Source: `Docs/Facts/inference.md`, section 5.
struct RiskFinder {
  let matching: ModelMatching
  private(set) var risks: [Finding] = []
  /// The findings about inherited properties, by declaring entity, to report each once.
  private var seen: Set<Finding> = []

  init(_ matching: ModelMatching) {
    self.matching = matching
    findRisks()
  }

  private var source: ObjectModel { matching.source.model }
  private var destination: ObjectModel { matching.destination.model }

  private mutating func findRisks() {
    for pair in matching.pairs {
      findEntityRisks(pair)
      guard !pair.isIdentical else { continue }
      findAttributeRisks(pair)
      findRelationshipRisks(pair)
    }
  }

  private mutating func findEntityRisks(_ pair: ModelMatching.Pair) {
    guard let old = source[pair.source], let new = destination[pair.destination],
      !new.uniquenessConstraints.isEmpty
    else { return }
    let names = matching.sourceNames(
      of: pair, \.attributes,
      allNames: matching.destination.properties(of: new.name).attributes.map(\.property.name))
    let known = Set(old.uniquenessConstraints.map { Set($0) })
    for constraint in new.uniquenessConstraints
    where !known.contains(Set(constraint.map { names[$0] ?? $0 })) {
      risks.append(Finding(.newConstraint(constraint), entity: new.name))
    }
  }

  private mutating func findAttributeRisks(_ pair: ModelMatching.Pair) {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    let names = matching.sourceNames(of: pair, \.attributes, allNames: [])
    for new in after.attributes {
      let attribute = new.property
      guard let old = names[attribute.name].flatMap({ before.attribute($0) })?.property else {
        if before.transient.contains(attribute.name) {
          add(.becamePersistent(isRelationship: false), of: new)
        }
        findMissingDefaults(new, from: nil)
        if attribute.isDerived { add(.notComputed, of: new) }
        continue
      }
      findMissingDefaults(new, from: old)
      if attribute.isDerived, old.derivation != attribute.derivation {
        add(.notComputed, of: new)
      }
      if attribute.isDerived, old.name != attribute.name,
        matching.isCopied(new.declaringEntity, new.declaringEntity)
      {
        add(.unhashedRename(of: old.name), of: new)
      }
      if old.type == attribute.type,
        old.versionHashModifier != attribute.versionHashModifier, !attribute.isDerived
      {
        add(.copiedUnchanged, of: new)
      }
    }
  }

  /// Finds the values that existing objects lack: of the attribute itself, or of an element of a composite attribute.
  private mutating func findMissingDefaults(_ new: Declared<Attribute>, from old: Attribute?) {
    guard !new.property.isDerived else { return }
    let known = old.map { old in
      source.storedAttributes(of: old).map { ($0.elementPath(in: old.name), $0.isOptional) }
    }
    for leaf in destination.storedAttributes(of: new.property)
    where !leaf.isOptional && !leaf.hasDefault {
      let path = leaf.elementPath(in: new.property.name)
      let wasOptional = known?.first { $0.0 == path }?.1
      guard wasOptional != false else { continue }
      add(.missingDefault(isNew: wasOptional == nil), of: new, leaf.name)
    }
  }

  private mutating func findRelationshipRisks(_ pair: ModelMatching.Pair) {
    let before = matching.source.properties(of: pair.source)
    let after = matching.destination.properties(of: pair.destination)
    let names = matching.sourceNames(of: pair, \.relationships, allNames: [])
    for new in after.relationships {
      let relationship = new.property
      // A to-many relationship can be empty if its min count is 0.
      let isNeeded =
        !relationship.isOptional && (!relationship.isToMany || relationship.minCount > 0)
      guard let old = names[relationship.name].flatMap({ before.relationship($0) })?.property
      else {
        if before.transient.contains(relationship.name) {
          add(.becamePersistent(isRelationship: true), of: new)
        }
        if isNeeded { add(.missingDestination(isNew: true), of: new) }
        continue
      }
      if old.isOptional, isNeeded {
        add(.missingDestination(isNew: false), of: new)
      }
    }
  }

  /// Reports a risk of a property at its declaring entity, once for all subentities that inherit it.
  private mutating func add<Member>(
    _ rule: InferenceRule, of member: Declared<Member>, _ name: String? = nil
  ) {
    let risk = Finding(
      rule, entity: member.declaringEntity, property: name ?? member.property.name)
    if seen.insert(risk).inserted { risks.append(risk) }
  }
}
