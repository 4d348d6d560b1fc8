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
  /// The inverse continues other relationships, whose links replace those of this one.
  case overruled(by: [String])
  /// Some objects at the other end of a relationship become objects that it does not take.
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

  /// Whether a whole element of the source is lost: an entity or a property.
  ///
  /// An entity that becomes abstract is not lost, only its objects.
  package var isOfElement: Bool {
    switch self {
    case .removedEntity, .unreadEntity, .removed, .unread, .becameTransient, .becameRelationship,
      .becameAttribute, .unmatchedRename, .unmatchedSplit:
      true
    case .becameAbstract, .narrowedNumber, .truncated, .rounded, .outOfRange, .narrowed,
      .exclusive, .ownInverse, .overruled, .narrowerDestination, .unordered, .retargeted,
      .acrossParts:
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
