internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel

extension StoreRule {
  /// The message of the finding.
  package var reason: String {
    switch self {
    case .unfinishedDestination(.strata, _, let writers):
      writers.isEmpty
        ? "a new store left by an interrupted migration"
        : "a new store that \(Self.list(writers)) is writing"
    case .unfinishedDestination(.coreData, _, _):
      "the unfinished destination of a migration by Core Data: the next migration fails with \"table already exists\""
    case .orphanJournal(true): "an empty journal without a store"
    case .orphanJournal(false): "a journal without a store: it may hold the last changes"
    case .secondName(let name):
      "a second name of \(name), left by an interrupted replacement"
    case .setAside(let name, let version):
      "a copy of \(name) from before a migration" + (version.map { ", at \($0)" } ?? "")
    case .missingStore(let name): "the old \(name), renamed by a migration; there is no \(name)"
    case .hotJournal:
      "an unfinished transaction: the next program that opens the store rolls it back"
    case .foreignJournal:
      "the -journal beside it belongs to another store: rolling it back would destroy this one"
    case .unclearJournal:
      "the -journal beside it may belong to another store: rolling it back may undo an unfinished transaction, or replace objects with those of another store"
    case .leftoverWAL(let bytes):
      "the -wal beside it has \(Phrase.count(bytes, "byte")) of changes, and no known program has the store open: without the -wal they would be lost"
    case .abandonedFolder(let bytes):
      "a private folder of a killed strata process, \(Phrase.count(bytes, "byte"))"
    case .unfinishedFile(let name, isThere: false):
      "left when strata was killed while writing \(name): an unfinished \(name), or the old one; there is no \(name)"
    case .unfinishedFile(let name, _):
      "an unfinished \(name), left when strata was killed: \(name) itself is intact"
    case .dataAside(let folder):
      "binary data of \(folder), moved away by an interrupted replacement of a store"
    case .foreignWAL:
      "the -wal beside it belongs to another store: the store is intact without it, damaged with it"
    case .unclearWAL:
      "the -wal beside it may belong to another store: with it, the file is a store with another UUID, or none"
    case .damagedWAL(let fault):
      "the -wal beside it \(fault.message), and deletes the file with the next change"
    case .missingWAL(frames: 0):
      "the -wal is missing, although a -shm exists: the last changes may be missing"
    case .missingWAL(let frames):
      "the -wal is missing; by the -shm it had \(Phrase.count(frames, "page")) that the store does not have: the last changes are missing"
    case .halfMigrated(let evidence):
      "a migration in place was interrupted: \(evidence.message)"
    case .unknownTables(let tables): "tables that are not in the model: \(Self.list(tables))"
    case .unknownEntities(let rows):
      "rows of no concrete entity of the model: \(Self.list(rows.map(\.message)))"
    case .keysOutOfRange(let rows):
      "rows with primary keys that Core Data never assigns: \(Self.list(rows.map(\.message)))"
    case .keyTable(let faults):
      "Z_PRIMARYKEY does not match the model: "
        + faults.prefix(Self.faultLimit).map { "\($0.entity) \($0.property ?? "") \($0.message)" }
        .joined(separator: "; ")
        + (faults.count > Self.faultLimit ? "; and \(faults.count - Self.faultLimit) more" : "")
    case .unknownHash(let entities):
      "the store records a different version hash for \(Self.list(entities)) than Strata computes from the store's cached model"
    case .otherModel(let agreement):
      "the metadata and the cached model differ: \(agreement.message)"
    case .noModel:
      "the model that wrote the store is unknown: its contents are not compared with one"
    case .unreadableModel(let reason):
      "the cached model cannot be read (\(reason)): the tables are not compared with it"
    case .unreadable(let reason, _): reason
    case .damage(let faults): "damaged: \(faults.joined(separator: "; "))"
    case .deferredMigration: "Core Data has deferred the end of a lightweight migration"
    case .pendingStage(let scripts):
      "a staged migration was interrupted before these scripts ran: \(Self.list(scripts))"
    case .missingFiles(let names):
      "\(Phrase.count(names.count, "file")) of binary data \(names.count == 1 ? "is" : "are") missing"
    case .strayFiles(let names, let bytes, let unread):
      "\(Phrase.count(names.count, "file")) of binary data that no store refers to, \(Phrase.count(bytes, "byte"))"
        + (unread.isEmpty ? "" : "; \(Self.list(unread)) cannot be read, and may refer to them")
    }
  }

  /// The fix; for a note, additional information.
  func fix(users: [String]) -> String {
    guard users.isEmpty else { return "wait for \(Self.list(users)), or quit it" }
    return switch self {
    case .unfinishedDestination(.coreData, false, _):
      "the store itself is missing: check whether this file is intact before you delete it"
    case .unfinishedDestination(_, false, _): "delete it; the store itself does not exist"
    case .unfinishedDestination(.strata, _, _): "delete it; the store beside it is intact"
    case .unfinishedDestination: "delete it; the old store is intact"
    case .unfinishedFile(let name, isThere: false):
      "if it is complete, rename it to \(name), otherwise delete it"
    case .orphanJournal(true), .abandonedFolder, .unfinishedFile: "delete it"
    case .orphanJournal(false), .foreignJournal, .foreignWAL:
      "rename it to .orphan, so that SQLite ignores it; then look for the store that it belongs to"
    case .damagedWAL:
      "keep a copy as .orphan and write its intact changes to the store; then copy the store again with its -wal, or restore a backup"
    case .missingWAL(frames: 0):
      "if the store was copied while the app was running, copy it again with its -wal; otherwise delete the -shm"
    case .missingWAL: "copy the store again with its -wal, while the app is not running"
    case .secondName: "delete the second name"
    case .setAside:
      "keep it until you trust the new store; --discard-old deletes it if the new store is intact"
    case .missingStore(let name): "rename it to \(name)"
    case .hotJournal: "roll it back"
    case .unclearJournal:
      "copy the store and its -journal to another folder and open the copy with sqlite3, which rolls it back: if its rows are correct, use that copy; otherwise rename the -journal"
    case .unclearWAL:
      "copy the store without its -wal to another folder: if the rows of the copy are correct, rename the -wal; otherwise open the store in its app, or with sqlite3, which plays in the -wal"
    case .leftoverWAL:
      "write the changes to the store; if you copy the store, copy the -wal too"
    case .dataAside(let folder): "move the files back to \(folder)"
    case .halfMigrated(.temporaryTables):
      "restore a backup; without one, copy the rows of these tables: they may be the only copy"
    case .halfMigrated: "restore a backup; `identify` shows the version in the metadata"
    case .unknownTables: "none needed: Core Data ignores them; a migration in place keeps them"
    case .unknownEntities:
      "restore a backup, or delete the rows: Core Data does not read them; a migration in place keeps them unless it drops or recreates their table; a migration by passes loses them"
    case .keysOutOfRange:
      "restore a backup, or delete the rows: Strata does not migrate a store with such keys"
    case .keyTable:
      "restore a backup, or migrate to another version with --output, which rewrites Z_PRIMARYKEY"
    case .unknownHash:
      "load the app's model (`load <bundle>`): if it has the recorded hashes, the cached model is of another version; if not, Strata cannot hash a feature of the model, and does not migrate the store"
    case .otherModel:
      "load the app's model (`load <bundle>`) and run `doctor` again; Core Data uses the metadata, not the cached model, to open the store"
    case .noModel, .unreadableModel:
      "load the app's model (`load <bundle>`) and run `doctor` again"
    case .unreadable(_, let fix): fix
    case .damage: "restore a backup, or save what can be read with sqlite3's .recover"
    case .deferredMigration: "none needed: the app calls finishDeferredLightweightMigration"
    case .pendingStage: "run `migrate` with the same stages file again: it continues"
    case .missingFiles:
      "also copy the hidden folder beside the store; `validate` lists the objects"
    case .strayFiles(_, _, let unread) where !unread.isEmpty:
      "make \(Self.list(unread)) readable, or move it to another folder if it is no store of this app, and run `doctor` again"
    case .strayFiles: "move them to \(ExternalData.asideName) beside their folder"
    }
  }

  /// The maximum number of faults of `Z_PRIMARYKEY` in a message.
  private static var faultLimit: Int { 5 }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  fileprivate static func list(_ tables: [String: Int?]) -> String {
    list(
      tables.sorted { $0.key < $1.key }.map { name, count in
        "\(name) (\(count.map { Phrase.count($0, "row") } ?? "virtual"))"
      })
  }
}

extension WALFault {
  fileprivate var message: String {
    switch self {
    case .header: "has a damaged header: SQLite ignores all of it"
    case .frame(let number, let commits):
      "is damaged in frame \(number): SQLite ignores \(Phrase.count(commits, "transaction")) from there on"
    case .cut(let frame): "ends within frame \(frame): SQLite ignores the last transaction"
    }
  }
}

extension StoreRule.MigrationEvidence {
  fileprivate var message: String {
    switch self {
    case .lacks(let what, let model):
      "the metadata is that of \(model), but the store has no \(what)"
    case .temporaryTables(let tables):
      "rows under a migration's temporary names: \(StoreRule.list(tables))"
    case .versions(let fits, let other, let lacks):
      "the tables match \(fits) but not \(other), which is of another version: the store has no \(lacks)"
    case .disagreement(let lacks):
      "the cached model and the metadata are of different versions, and the store has no \(lacks)"
    }
  }
}

extension HashAgreement {
  /// `Topic has another hash, Member is only in the metadata`
  fileprivate var message: String {
    func clause(_ names: [String], _ one: String, _ several: String) -> String? {
      names.isEmpty
        ? nil : "\(names.joined(separator: ", ")) \(names.count == 1 ? one : several)"
    }
    return [
      clause(different, "has another hash", "have other hashes"),
      clause(onlyInMetadata, "is only in the metadata", "are only in the metadata"),
      clause(onlyInModel, "is only in the cached model", "are only in the cached model"),
    ].compactMap { $0 }.joined(separator: "; ")
  }
}

extension KeysOutOfRange {
  /// `3 rows with Z_PK -2, -1, 0 in ZTOPIC`
  fileprivate var message: String {
    "\(Phrase.count(count, "row")) with Z_PK \(ValidationRule.list(keys, of: count)) in \(table)"
  }
}

extension UnknownEntityRows {
  /// `3 rows with Z_ENT 7 in ZTOPIC`
  package var message: String {
    "\(Phrase.count(count, "row")) with Z_ENT \(number.map(String.init) ?? "NULL") in \(table)"
  }
}
