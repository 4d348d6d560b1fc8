public import StrataObjectModel

/// A fact about a store, or about a file beside it, that a migration, a crash or another tool has caused.
public struct StoreFinding: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A folder or a file in which a new store was being written.
    case unfinishedDestination(DestinationMaker, storeIsThere: Bool)
    /// A journal without a store; `isEmpty` where it holds nothing.
    case orphanJournal(isEmpty: Bool)
    /// A second name of the store, under which it was about to be set aside.
    case secondName(of: String)
    /// The store as it was before a migration.
    case setAside(from: String, version: String?)
    /// A store set aside, without another one in its place.
    case missingStore(name: String)
    /// An unfinished transaction, which whoever opens the store next rolls back.
    case hotJournal
    /// A WAL of another store, or of this one before it was replaced: with it the store is damaged.
    case foreignWAL
    /// A store in WAL mode without its `-wal`, beside a `-shm`; the frames that the `-shm` still counts and
    /// the store does not have.
    case missingWAL(frames: Int)
    /// A migration in place that ended half-way, with what proves it.
    case halfMigrated(MigrationEvidence)
    /// Tables that the store's model does not have, with their rows: `nil` for a table that is not read.
    case unknownTables([String: Int?])
    /// Rows with an entity number that the store's model does not have in their table.
    case unknownEntities([UnknownEntityRows])
    /// Rows with primary keys that Core Data does not give.
    case keysOutOfRange([KeysOutOfRange])
    /// Entities for which `Z_PRIMARYKEY` has no row or a wrong parent.
    case keyTable([ValidationProblem])
    /// Entities for which Strata computes another version hash from the cached model than the store records.
    case unknownHash([String])
    /// The metadata and the cached model differ, and nothing proves a migration.
    case otherModel(HashAgreement)
    /// No model is known to compare the tables with.
    case noModel
    /// The cached model cannot be read.
    case unreadableModel(reason: String)
    case damage([String])
    /// A store that is not read, though it is not damaged.
    case unreadable(reason: String, fix: String)
    /// Core Data has deferred a part of a migration.
    case deferredMigration
    /// Scripts of a staged migration by Strata that have not run.
    case pendingStage([String])
    /// Files of binary data that do not exist.
    case missingFiles([String])
    /// Files of binary data that no store names.
    case strayFiles([String], bytes: Int)
  }

  public enum DestinationMaker: Sendable, Hashable {
    case strata
    case coreData
  }

  /// What proves that a migration in place ended half-way.
  public enum MigrationEvidence: Sendable, Hashable {
    /// The model that the metadata name has a table or column that the store lacks.
    case lacks(what: String, model: String)
    /// Tables under the temporary names of a migration, with their rows.
    case temporaryTables([String: Int])
    /// The tables are those of one model, the metadata or the cached model are of another.
    case versions(fits: String, other: String, lacks: String)
    /// The cached model is of another version than the metadata, whose model is not known, and does not fit
    /// the tables.
    case disagreement(lacks: String)
  }

  public enum Severity: String, Sendable, Hashable, Encodable {
    case error
    /// Nothing to fix.
    case note
  }

  /// The file or folder.
  public var path: String
  public var kind: Kind
  /// The programs that are using it now.
  public var users: [String]

  public init(path: String, kind: Kind, users: [String] = []) {
    self.path = path
    self.kind = kind
    self.users = users
  }

  public var severity: Severity {
    switch kind {
    case .setAside, .unknownTables, .unknownHash, .otherModel, .noModel, .unreadableModel,
      .deferredMigration:
      .note
    case .missingWAL(frames: 0): .note
    case .unfinishedDestination: users.isEmpty ? .error : .note
    default: .error
    }
  }
}
