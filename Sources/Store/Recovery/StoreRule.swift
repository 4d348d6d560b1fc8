package import StrataBase
internal import StrataObjectModel

/// A finding about a store or a file beside it, caused by a migration, a crash or another tool.
package enum StoreRule: FindingRule {
  /// An unfinished new store, and the programs that are writing it now.
  case unfinishedDestination(DestinationMaker, storeIsThere: Bool, writers: [String])
  /// A journal without a store; `isEmpty` if it has no content.
  case orphanJournal(isEmpty: Bool)
  /// A second name (hard link) of the store, which was about to be set aside.
  case secondName(of: String)
  /// The store as it was before a migration.
  case setAside(from: String, version: String?)
  /// A store that was set aside without a new one at its path.
  case missingStore(name: String)
  /// An unfinished transaction, rolled back when the store is next opened.
  case hotJournal
  /// A rollback journal of another store, or of this one before it was replaced: rolling it back damages the store.
  case foreignJournal
  /// A rollback journal that may belong to another store: the store is intact with it and without it, but
  /// different.
  case unclearJournal
  /// A WAL that no program is using, with pages that are not in the store's file yet.
  case leftoverWAL(bytes: Int)
  /// A private folder of a process that was killed.
  case abandonedFolder(bytes: Int)
  /// A temporary file of a document, whose process was killed while writing it. If the document is missing, it may be
  /// the old one, which is renamed where the file system has no hard links.
  case unfinishedFile(of: String, isThere: Bool)
  /// A folder of binary data that an interrupted replacement of a store has moved away.
  case dataAside(from: String)
  /// A WAL of another store, or of this one before it was replaced, which damages the store.
  case foreignWAL
  /// A WAL that may belong to another store: with it, the file is another store or none.
  case unclearWAL
  /// A WAL with committed changes that SQLite ignores, and deletes at the next checkpoint.
  case damagedWAL(WALFault)
  /// A store in WAL mode without its `-wal`, beside a `-shm`; the number of frames that the `-shm` counts and the
  /// store does not have.
  case missingWAL(frames: Int)
  /// An interrupted migration in place, with its evidence.
  case halfMigrated(MigrationEvidence)
  /// Tables that are not in the store's model, with their row counts: `nil` for a table that is not read.
  case unknownTables([String: Int?])
  /// Rows with an entity number that the store's model does not have in that table.
  case unknownEntities([UnknownEntityRows])
  /// Rows with primary keys that Core Data never assigns.
  case keysOutOfRange([KeysOutOfRange])
  /// Entities for which `Z_PRIMARYKEY` has no row or a wrong parent.
  case keyTable([Finding])
  /// Entities whose recorded version hash differs from the one that Strata computes from the cached model.
  case unknownHash([String])
  /// The metadata and the cached model differ, without evidence of a migration.
  case otherModel(HashAgreement)
  /// The model of the store is unknown; the tables are not compared.
  case noModel
  /// The cached model cannot be read.
  case unreadableModel(reason: String)
  case damage([String])
  /// A store that cannot be read, although it is not damaged.
  case unreadable(reason: String, fix: String)
  /// Core Data has deferred a part of a migration.
  case deferredMigration
  /// Scripts of a staged migration by Strata that have not run.
  case pendingStage([String])
  /// Files of binary data that do not exist.
  case missingFiles([String])
  /// Files of binary data that no store refers to, and the files that may be such stores but cannot be read.
  case strayFiles([String], bytes: Int, unread: [String])

  package enum DestinationMaker: Sendable, Hashable {
    case strata
    case coreData
  }

  /// The evidence that a migration in place was interrupted.
  package enum MigrationEvidence: Sendable, Hashable {
    /// The model of the metadata has a table or column that the store does not have.
    case lacks(what: String, model: String)
    /// Tables with the temporary names of a migration, with their row counts.
    case temporaryTables([String: Int])
    /// The tables match one model, but the metadata or the cached model is of another version.
    case versions(fits: String, other: String, lacks: String)
    /// The cached model is of another version than the metadata, whose model is unknown, and does not match the
    /// tables.
    case disagreement(lacks: String)
  }

  package static let domain = "store"

  /// The severity; a note if there is nothing to fix.
  package var severity: Diagnostic.Severity {
    switch self {
    case .setAside, .leftoverWAL, .abandonedFolder, .unfinishedFile(_, isThere: true),
      .unknownTables, .unknownHash, .otherModel, .noModel, .unreadableModel, .deferredMigration:
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
  ///   - users: The programs that are using it now; the fix is to wait for them.
  package init(_ rule: StoreRule, path: String, users: [String] = []) {
    self.init(
      rule, at: FindingLocation(file: path), fixes: [Fix(rule.fix(users: users))],
      evidence: FindingEvidence(programs: users))
  }

  /// The file or folder; empty if there is none.
  package var path: String { location.file ?? "" }

  /// The store rule; `nil` for rules of other domains.
  package var storeRule: StoreRule? { rule as? StoreRule }
}
