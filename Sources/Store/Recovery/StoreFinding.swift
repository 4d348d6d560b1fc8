/// What was found in a store's folder that a migration, a crash or another tool has left.
public struct StoreFinding: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A folder or a file in which a new store was being made.
    case unfinishedDestination(DestinationMaker, storeIsThere: Bool)
    /// A journal whose store is not there; `isEmpty` where nothing is in it.
    case orphanJournal(isEmpty: Bool)
    /// The store itself, under the name that it was about to be set aside under.
    case secondName(of: String)
    /// The store as it was before a migration.
    case setAside(from: String, version: String?)
    /// A store set aside, and nothing in its place.
    case missingStore(name: String)
    /// A half-done transaction, to be rolled back by whoever opens the store next.
    case hotJournal
    /// A WAL of another store, or of this one before it was replaced: with it the store is damaged.
    case foreignWAL
    /// Tables that the store's model does not have, with their rows.
    case strangeTables([String: Int])
    /// Tables that the store's model has, and the store does not.
    case missingTables([String])
    /// The hashes in the metadata are not those of the model that the store keeps.
    case otherModel
    case damage([String])
    /// Core Data has put off a part of a migration.
    case deferredMigration
    /// Scripts of a staged migration by Strata are still to be run.
    case pendingStage([String])
    /// Files of binary data that are not there.
    case missingFiles([String])
    /// Files of binary data that no store names.
    case strayFiles([String], bytes: Int)
  }

  public enum DestinationMaker: Sendable, Hashable {
    case strata
    case coreData
  }

  /// Where it is.
  public var path: String
  public var kind: Kind
  /// The programs that are working with it right now.
  public var users: [String] = []

  /// Whether all is as a finished migration leaves it.
  public var isExpected: Bool {
    switch kind {
    case .setAside: true
    case .unfinishedDestination: !users.isEmpty
    default: false
    }
  }
}
