package import StrataBase

/// The columns and join tables that properties keep, whatever Core Data would call them in a new store.
package struct StoredNames: Sendable {
  /// By the declaring entity and the key path.
  package var columns: [PropertyID: StoreColumn] = [:]
  /// By the relationship, as that end sees it.
  package var joins: [PropertyID: JoinTable] = [:]

  package init() {}
}

/// A name in a new store that follows from no rule which real files show.
package struct UnprovenName: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// Either end of a many-to-many relationship within one entity may own the join table.
    case relationWithinEntity
    /// Of two join tables with one owner, either may have the bare name of a column.
    case clashWithinOwner
  }

  package var entity: String
  package var relationship: String
  /// The join table.
  package var table: String
  package var reason: Reason
}
