package import StrataBase

/// What a migration loses: found in the models and the mapping, and counted in a store.
package enum LossRule: FindingRule {
  // MARK: Objects
  /// Nothing is created from the objects of the entity.
  case removedEntity
  /// The destination has the entity, and no entity mapping reads that of the source.
  case unreadEntity
  /// Objects of the entity itself have no place any more.
  case becameAbstract

  // MARK: Values and links that nothing reads
  /// The destination has no property of this name.
  case removed(isRelationship: Bool)
  /// The destination has the property, and no property mapping reads that of the source.
  case unread(isRelationship: Bool)
  /// Kept in memory only, from now on.
  case becameTransient(isRelationship: Bool)
  /// An attribute whose name a relationship has now, or the other way round.
  case becameRelationship(destination: String)
  case becameAttribute
  /// An element is removed, and one with like properties added.
  case unmatchedRename(of: String, to: String, score: RenameScore)
  /// An attribute is removed, and several that together look like it are added.
  case unmatchedSplit(of: String, into: [String])

  // MARK: Numbers
  /// A number type that holds less than the one before: what a store shows of it is one of the two below.
  case narrowedNumber(from: AttributeType, to: AttributeType)
  /// A number becomes a whole one.
  case truncated(to: AttributeType)
  /// A number with more digits than the new type has becomes the nearest one that it has.
  case rounded(to: AttributeType)
  /// A number that the new type does not hold: nothing is stored, or the default value of a required
  /// attribute. Of a Boolean, a number other than 0 and 1: true is stored.
  case outOfRange(AttributeType)

  // MARK: Links
  /// A to-many relationship becomes to-one: all objects but one are lost.
  case narrowed
  /// An ordered relationship is no longer ordered.
  case unordered
  /// The relationship leads to an entity that nothing of the old destination becomes.
  case retargeted(from: String, to: String)
  /// The objects at the other end are created by another part of a divided mapping model, which has an association
  /// table of its own.
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
    case .unordered: "no longer ordered; the order is lost"
    case .retargeted(let old, let new):
      "its destination becomes \(new), and no \(old) becomes one; its links are lost"
    case .acrossParts(let entity, let part):
      "leads to \(entity), whose objects \(part) creates; no association table spans two mapping models, and its links are lost"
    }
  }

  /// Whether a whole element of the source is lost: an entity or a property of which nothing goes on.
  ///
  /// An entity that becomes abstract goes on: only its objects are lost.
  package var isOfElement: Bool {
    switch self {
    case .removedEntity, .unreadEntity, .removed, .unread, .becameTransient, .becameRelationship,
      .becameAttribute, .unmatchedRename, .unmatchedSplit:
      true
    case .becameAbstract, .narrowedNumber, .truncated, .rounded, .outOfRange, .narrowed,
      .unordered, .retargeted, .acrossParts:
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

  /// Whether a renaming identifier or a mapping model may be missing.
  package var isUnmatched: Bool {
    switch self {
    case .unmatchedRename, .unmatchedSplit: true
    default: false
    }
  }
}

extension Finding {
  /// The rule of losses; `nil` where it is of something else.
  package var lossRule: LossRule? { rule as? LossRule }

  /// The property of the source that is lost as a whole; `nil` where it is of something else, or of an entity.
  package var lostProperty: String? {
    guard let lossRule, lossRule.isOfElement, property != nil else { return nil }
    if case .unmatchedRename(let old, _, _) = lossRule { return old }
    return property
  }

  /// Losses stand in the order of these, whoever found them first.
  package var lossSortKey: String { "\(entity).\(property ?? "") \(rule)" }

  init(_ loss: LossRule, entity: String, property: String? = nil) {
    self.init(loss, at: FindingPlace(entity: entity, property: property))
  }

  /// - Parameters:
  ///   - count: How many values, links or objects are lost.
  ///   - keys: Those of the first objects that lose something.
  package init(_ rule: LossRule, entity: String, property: String, count: Int, keys: [Int64]) {
    self.init(
      rule, at: FindingPlace(entity: entity, property: property),
      evidence: FindingEvidence(count: count, unit: .value, keys: keys))
  }
}

/// How much supports a rename that nobody declared.
package struct RenameScore: Sendable, Hashable {
  /// 0 to 1, in hundredths.
  package var value: Double
  /// What supports it, in words.
  package var evidence: [String]

  init(_ value: Double, _ evidence: [String]) {
    self.value = (min(1, value) * 100).rounded() / 100
    self.evidence = evidence
  }
}
