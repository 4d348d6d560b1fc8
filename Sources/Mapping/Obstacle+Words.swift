extension Obstacle {
  /// Core Data's error code: 134190 where inference fails, 134110 where the migration would.
  public var code: Int {
    switch reason {
    case .ambiguousIdentifier, .incompatibleTypes, .mergedHierarchies: 134190
    case .missingDefault: 134110
    case .narrowedCount, .narrowedNumber, .lostProperty, .lostEntity, .lostOrder, .unmatchedRename:
      0
    }
  }

  /// `Topic.content`, or the entity.
  public var place: String { property.map { "\(entity).\($0)" } ?? entity }

  /// The reason in words; Core Data's own where one is known.
  public var words: String {
    switch reason {
    case .ambiguousIdentifier(let sources):
      "its renaming identifier fits several: \(sources.joined(separator: ", "))"
    case .incompatibleTypes(let old, let new):
      "Source and destination attribute types are incompatible: \(old) -> \(new)"
    case .mergedHierarchies(let roots):
      "Cannot merge multiple root entity source tables into one destination entity root table: "
        + roots.joined(separator: ", ")
    case .missingDefault:
      "required without a default value: any existing row makes the migration fail"
    case .narrowedCount: "to-many becomes to-one: all but one object are let go"
    case .narrowedNumber(let old, let new): "\(old) becomes \(new): large numbers do not fit"
    case .lostProperty: "is removed: its values are let go"
    case .lostEntity: "is removed: its objects are let go"
    case .lostOrder: "no longer ordered: the order is let go"
    case .unmatchedRename(let old, let new):
      "\(old) is removed and \(new) added: if it is a rename, the values are lost"
    }
  }

  /// Ways out, the best first.
  public var remedies: [String] {
    switch reason {
    case .ambiguousIdentifier: ["give each element a renaming identifier of its own"]
    case .incompatibleTypes:
      [
        "add a new attribute of the new type, and copy the values in a mapping model or a stage",
        "keep the type",
      ]
    case .mergedHierarchies: ["write a mapping model", "keep the entities apart"]
    case .missingDefault: ["give it a default value", "make it optional"]
    case .narrowedCount: ["write a mapping model whose policy chooses the object to keep"]
    case .narrowedNumber: ["keep the wider type"]
    case .lostProperty: ["write a mapping model that puts the values somewhere"]
    case .lostEntity: ["write a mapping model that turns the objects into others"]
    case .lostOrder: ["keep it ordered, or store the order in an attribute"]
    case .unmatchedRename(let old, _): ["set its renaming identifier to \(old)"]
    }
  }
}
