internal import StrataBase

/// The statements that add a link of a relationship, by how it is stored. Parameters are the keys of the objects.
enum LinkStatements {
  /// The own row keeps the key of the destination, unless it has one.
  case ownKey(set: String)
  /// Both rows keep each other's key: the second only if the first was set.
  case bothKeys(set: String, setBack: String)
  /// A row of a join table, in both directions if the relationship is its own inverse, and its order key.
  case joinRows(insert: String, isReflexive: Bool, number: String?)
  /// The row of the destination keeps the key of the owner, and its order key, which is part of the text.
  case ownersKey(set: String, order: String?, condition: String)
}

/// The statements of the relationships of a store, composed once; `nil` for a relationship that is not stored.
final class KnownLinkStatements {
  var known: [PropertyID: LinkStatements?] = [:]
}
