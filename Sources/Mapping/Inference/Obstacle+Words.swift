extension Obstacle {
  /// Core Data's error code: 134190 where inference fails, 134110 and 134111 where the migration would, 0
  /// where it says nothing.
  ///
  /// Source: facts on inference, section 6.
  public var code: Int {
    switch reason {
    case .ambiguousIdentifier, .rivalIdentifiers, .incompatibleTypes, .mergedHierarchies: 134190
    case .missingDefault: 134110
    case .newConstraint: 134111
    case .missingDestination: 1570
    default: 0
    }
  }

  /// `Topic.content`, or the entity.
  public var place: String { property.map { "\(entity).\($0)" } ?? entity }

  /// The reason in words; Core Data's own where they are known.
  public var words: String {
    switch reason {
    case .ambiguousIdentifier(let sources):
      "its renaming identifier fits several: \(Self.list(sources))"
    case .rivalIdentifiers(let others, let source):
      "it claims to be \(source) by its renaming identifier, and so does \(Self.list(others))"
    case .incompatibleTypes(let old, let new):
      "Source and destination attribute types are incompatible: \(old) -> \(new)"
    case .mergedHierarchies(let roots):
      "Cannot merge multiple root entity source tables into one destination entity root table: "
        + Self.list(roots)
    case .missingDefault(isNew: true):
      "new, required and without a default value: any existing row makes the migration fail"
    case .missingDefault(isNew: false):
      "required from now on and without a default value: any row without a value makes the migration fail"
    case .missingDestination(isNew: true):
      "new and required: existing objects have nothing there, and cannot be saved again"
    case .missingDestination(isNew: false):
      "required from now on: objects that have nothing there cannot be saved again"
    case .newConstraint(let properties):
      "\(properties.joined(separator: ", ")) unique from now on: rows that share a value make the migration fail"
    case .becameAbstract: "abstract from now on: objects of the entity itself have no place"
    case .narrowedCount: "to-many becomes to-one: all but one object are let go"
    case .narrowedNumber(let old, "Boolean"):
      "\(old) becomes Boolean: numbers other than 0 and 1 are stored as true"
    case .narrowedNumber(let old, let new): "\(old) becomes \(new): not every number fits"
    case .lostProperty: "is removed: its values are let go"
    case .lostEntity: "is removed: its objects are let go"
    case .lostOrder: "no longer ordered: the order is let go"
    case .becameTransient: "no longer stored: its values are let go"
    case .becameRelationship(let destination):
      "is a relationship to \(destination) from now on: its values are let go, none becomes an object"
    case .becameAttribute: "is an attribute from now on: its links are let go"
    case .retargeted(let old, let new):
      "leads to \(new) from now on, which no \(old) becomes: its links are let go"
    case .unmatchedRename(let old, let new, _) where old == new:
      "is removed and added anew, since its renaming identifier leads elsewhere: the values are lost"
    case .unmatchedRename(let old, let new, _):
      "\(old) is removed and \(new) added: if it is a rename, the values are lost"
    case .unmatchedSplit(_, let parts):
      "is removed, \(parts.joined(separator: " and ")) added: if it is split, the values are lost"
    case .copiedUnchanged:
      "only its hash modifier differs: the values are copied as they are, whatever they mean now"
    case .becamePersistent: "so far in memory only: every object begins with the default"
    case .notComputed:
      "derived: Core Data computes the value of an existing object only when it saves the object"
    }
  }

  /// Names, of very many the first.
  private static func list(_ names: [String]) -> String {
    names.count <= 8
      ? names.joined(separator: ", ") : names.prefix(6).joined(separator: ", ") + ", …"
  }
}
