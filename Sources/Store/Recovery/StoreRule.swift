package import StrataBase
internal import StrataObjectModel

/// A fact about a store, or about a file beside it, that a migration, a crash or another tool has caused.
package enum StoreRule: FindingRule {
  /// A folder or a file in which a new store was being written, and the programs that are writing it now.
  case unfinishedDestination(DestinationMaker, storeIsThere: Bool, writers: [String])
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
  /// A rollback journal of another store, or of this one before it was replaced: rolled back, the store is damaged.
  case foreignJournal
  /// A rollback journal of which nothing tells whether it is the store's own: the store is intact with it and without
  /// it, and not the same.
  case unclearJournal
  /// A WAL that no one is using, with pages that are not in the store's file yet.
  case leftoverWAL(bytes: Int)
  /// A private folder of a process that was killed.
  case abandonedFolder(bytes: Int)
  /// A file that was being written when its process was killed, for a document that takes its place whole.
  case unfinishedFile(of: String)
  /// A folder of binary data that an interrupted replacement of a store has moved away.
  case dataAside(from: String)
  /// A WAL of another store, or of this one before it was replaced: with it the store is damaged.
  case foreignWAL
  /// A WAL with committed changes that SQLite ignores, and deletes with the next checkpoint.
  case damagedWAL(WALFault)
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
  case keyTable([Finding])
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

  package enum DestinationMaker: Sendable, Hashable {
    case strata
    case coreData
  }

  /// What proves that a migration in place ended half-way.
  package enum MigrationEvidence: Sendable, Hashable {
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

  package static let domain = "store"

  /// A note where there is nothing to fix.
  package var severity: Diagnostic.Severity {
    switch self {
    case .setAside, .leftoverWAL, .abandonedFolder, .unfinishedFile, .unknownTables, .unknownHash,
      .otherModel, .noModel, .unreadableModel,
      .deferredMigration:
      .note
    case .missingWAL(frames: 0): .note
    case .unfinishedDestination(_, _, let writers): writers.isEmpty ? .error : .note
    default: .error
    }
  }
}

extension Finding {
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - users: The programs that are using it now: the fix is to wait for them.
  package init(_ rule: StoreRule, path: String, users: [String] = []) {
    self.init(
      rule, at: FindingPlace(file: path), fixes: [Fix(rule.fix(users: users))],
      evidence: FindingEvidence(programs: users))
  }

  /// The file or folder; empty if it is about none.
  package var path: String { place.file ?? "" }

  /// The rule of stores and the files beside them; `nil` if it is of something else.
  package var storeRule: StoreRule? { rule as? StoreRule }
}
