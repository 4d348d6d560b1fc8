internal import StrataBase

extension LossRule {
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
    case .overruled(let others):
      "both ends get the links of \(Phrase.list(others)); its own links without a counterpart there are lost"
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
}
