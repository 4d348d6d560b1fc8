package import StrataBase

/// The existing columns and join tables of properties, which may differ from the names in a new store.
package struct StoredNames: Sendable {
  /// By the declaring entity and the key path.
  package var columns: [PropertyID: StoreColumn] = [:]
  /// For each relationship, seen from its end.
  package var joins: [PropertyID: JoinTable] = [:]

  package init() {}
}

/// A name in a new store without a proven rule.
package struct UnprovenName: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// Either end of a many-to-many relationship within one entity may own the join table.
    case relationWithinEntity
    /// Of two join tables with one owner, either may have the plain column name.
    case clashWithinOwner
  }

  package var entity: String
  package var relationship: String
  /// The join table.
  package var table: String
  package var reason: Reason
}
