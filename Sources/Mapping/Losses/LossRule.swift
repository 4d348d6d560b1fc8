package import StrataBase

/// A loss of a migration, found in the models and the mapping model, and counted in a store.
package enum LossRule: FindingRule {
  // MARK: Objects
  /// Nothing is created from the objects of the entity.
  case removedEntity
  /// The destination has the entity, but no entity mapping reads it.
  case unreadEntity
  /// The entity becomes abstract, so its own objects are lost.
  case becameAbstract

  // MARK: Unread values and links
  /// The destination has no property with this name.
  case removed(isRelationship: Bool)
  /// The destination has the property, but no property mapping reads it.
  case unread(isRelationship: Bool)
  /// A persistent property becomes transient.
  case becameTransient(isRelationship: Bool)
  /// An attribute becomes a relationship with the same name, or the reverse.
  case becameRelationship(destination: String)
  case becameAttribute
  /// An element is removed, and a similar one is added.
  case unmatchedRename(of: String, to: String, score: RenameScore)
  /// An attribute is removed, and several attributes that resemble it together are added.
  case unmatchedSplit(of: String, into: [String])

  // MARK: Numbers
  /// A number type with a smaller range or precision; in a store, it is one of the following three.
  case narrowedNumber(from: AttributeType, to: AttributeType)
  /// The fraction of a number is truncated.
  case truncated(to: AttributeType)
  /// A number with more digits than the new type is rounded.
  case rounded(to: AttributeType)
  /// A number outside the range of the new type: NULL is stored, or the default value of a required attribute.
  /// For a Boolean, a number other than 0 and 1, which is stored as true.
  case outOfRange(AttributeType)

  // MARK: Links
  /// A to-many relationship becomes to-one: all objects but one are lost.
  case narrowed
  /// An object at the other end of a relationship can have one owner only: all links to it but one are lost.
  case exclusive
  /// A to-one relationship becomes its own inverse: only links between two objects of a pair are kept.
  case ownInverse
  /// Some objects at the other end of a relationship without an inverse become objects that it does not take.
  case narrowerDestination(to: String, without: [String])
  /// An ordered relationship is no longer ordered; or it is, but only its inverse is mapped, which has no order.
  case unordered(isMapped: Bool)
  /// No object of the old destination becomes an object of the new destination.
  case retargeted(from: String, to: String)
  /// The objects at the other end are created by another part of a divided mapping model, which has its own
  /// association tables.
  case acrossParts(to: String, part: String)

  package static let domain = "loss"

  package var severity: Diagnostic.Severity { .warning }

  package var reason: String {
    switch self {
    case .removedEntity: "is removed; its objects are lost"
    case .unreadEntity: "no entity mapping reads its objects; they are lost"
    case .becameAbstract: "becomes abstract; its own objects are lost"
    case .removed(isRelationship: false): "is removed; its values are lost"
    case .removed(isRelationship: true): "is removed; its links are lost"
    case .unread(isRelationship: false): "no property mapping reads it; its values are lost"
    case .unread(isRelationship: true): "no property mapping reads it; its links are lost"
    case .becameTransient(isRelationship: false): "no longer stored; its values are lost"
    case .becameTransient(isRelationship: true): "no longer stored; its links are lost"
    case .becameRelationship(let destination):
      "becomes a relationship to \(destination); its values are lost"
    case .becameAttribute: "becomes an attribute; its links are lost"
    case .unmatchedRename(let old, let new, _) where old == new:
      "is removed and added again, because its renaming identifier names another element; its values are lost"
    case .unmatchedRename(let old, let new, _):
      "\(old) is removed and \(new) is added; if this is a rename, the values are lost"
    case .unmatchedSplit(_, let parts):
      "is removed, and \(parts.joined(separator: " and ")) are added; if it is split, the values are lost"
    case .narrowedNumber(let old, .boolean):
      "\(old.name) becomes Boolean; numbers other than 0 and 1 are stored as true"
    case .narrowedNumber(let old, let new) where new.isWhole && old.isFractional:
      "\(old.name) becomes \(new.name); fractions are truncated, and not every number fits"
    case .narrowedNumber(let old, let new):
      "\(old.name) becomes \(new.name); not every number fits"
    case .truncated(let type): "is truncated to \(type.name)"
    case .rounded(let type): "has more digits than \(type.name) holds, and is rounded"
    case .outOfRange(.boolean): "is neither 0 nor 1 and is stored as true"
    case .outOfRange(let type): "does not fit \(type.name)"
    case .narrowed: "to-many becomes to-one; all objects but one are lost"
    case .exclusive:
      "several objects can no longer have the same object; all links to it but one are lost"
    case .ownInverse:
      "becomes its own inverse, which links objects in pairs; all other links are lost"
    case .narrowerDestination(let new, let others):
      "its destination takes \(new) objects; its links to objects of \(others.joined(separator: ", ")) are lost"
    case .unordered(isMapped: true): "no longer ordered; the order is lost"
    case .unordered(isMapped: false): "only its inverse is mapped; the order is lost"
    case .retargeted(let old, let new):
      "its destination becomes \(new), and no \(old) object becomes a \(new) object; its links are lost"
    case .acrossParts(let entity, let part):
      "its destination objects, of \(entity), are created by \(part); no association table spans two mapping models, and its links are lost"
    }
  }

  /// Whether a whole element of the source is lost: an entity or a property.
  ///
  /// An entity that becomes abstract is not lost, only its objects.
  package var isOfElement: Bool {
    switch self {
    case .removedEntity, .unreadEntity, .removed, .unread, .becameTransient, .becameRelationship,
      .becameAttribute, .unmatchedRename, .unmatchedSplit:
      true
    case .becameAbstract, .narrowedNumber, .truncated, .rounded, .outOfRange, .narrowed,
      .exclusive, .ownInverse, .narrowerDestination, .unordered, .retargeted, .acrossParts:
      false
    }
  }

  /// Whether whole objects are lost.
  package var isOfObjects: Bool {
    switch self {
    case .removedEntity, .unreadEntity, .becameAbstract: true
    default: false
    }
  }

  /// Whether a renaming identifier or a mapping model is probably missing.
  package var isUnmatched: Bool {
    switch self {
    case .unmatchedRename, .unmatchedSplit: true
    default: false
    }
  }
}

extension Finding {
  /// The loss rule of the finding; `nil` if it has another rule.
  package var lossRule: LossRule? { rule as? LossRule }

  /// The lost property of the source; `nil` if the finding is about an entity or not about a whole property.
  package var lostProperty: String? {
    guard let lossRule, lossRule.isOfElement, property != nil else { return nil }
    if case .unmatchedRename(let old, _, _) = lossRule { return old }
    return property
  }

  /// The sort key of losses.
  package var lossSortKey: String { "\(entity).\(property ?? "") \(rule)" }

  init(_ loss: LossRule, entity: String, property: String? = nil) {
    self.init(loss, at: FindingLocation(entity: entity, property: property))
  }

  /// - Parameters:
  ///   - count: The number of lost values, links or objects.
  ///   - keys: The keys of the first objects with losses.
  package init(_ rule: LossRule, entity: String, property: String, count: Int, keys: [Int64]) {
    self.init(
      rule, at: FindingLocation(entity: entity, property: property),
      evidence: FindingEvidence(count: count, unit: .value, keys: keys))
  }
}

/// The score of a probable rename without a renaming identifier.
package struct RenameScore: Sendable, Hashable {
  /// From 0 to 1, rounded to hundredths.
  package var value: Double
  /// The descriptions of the evidence.
  package var evidence: [String]

  init(_ value: Double, _ evidence: [String]) {
    self.value = (min(1, value) * 100).rounded() / 100
    self.evidence = evidence
  }
}
