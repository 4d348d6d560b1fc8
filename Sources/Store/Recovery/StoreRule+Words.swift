internal import Foundation
internal import StrataBase
internal import StrataObjectModel

extension StoreRule {
  /// What was found.
  package var reason: String {
    switch self {
    case .unfinishedDestination(.strata, _, let writers):
      writers.isEmpty
        ? "a new store left by an interrupted migration"
        : "a new store that \(Self.list(writers)) is writing"
    case .unfinishedDestination(.coreData, _, _):
      "the destination of a migration by Core Data that did not finish: the next one fails with \"table already exists\""
    case .orphanJournal(true): "an empty journal without a store"
    case .orphanJournal(false): "a journal without a store: it may hold the last changes"
    case .secondName(let name):
      "\(name) itself, under the name that it was about to be set aside under"
    case .setAside(let name, let version):
      "\(name) as it was before a migration" + (version.map { ", at \($0)" } ?? "")
    case .missingStore(let name): "\(name) as it was set aside; there is no \(name)"
    case .hotJournal:
      "an unfinished transaction: the next program that opens the store rolls it back"
    case .foreignJournal:
      "the -journal beside it belongs to another store: rolling it back would destroy what is in this one"
    case .unclearJournal:
      "nothing proves that the -journal beside it is its own: rolling it back may undo an unfinished transaction, or replace objects by those of another store"
    case .leftoverWAL(let bytes):
      "the -wal beside it has \(Words.count(bytes, "byte")) of changes, and no program that is known of has the store open: without the -wal they would be lost"
    case .abandonedFolder(let bytes):
      "a private folder of a strata that was killed, \(Words.count(bytes, "byte"))"
    case .unfinishedFile(let name):
      "\(name) as it was being written when strata was killed: what stands under the name is whole"
    case .dataAside(let folder):
      "binary data of \(folder), moved away by a replacement of a store that was interrupted"
    case .foreignWAL:
      "the -wal beside it belongs to another store: without it the store is intact, with it damaged"
    case .damagedWAL(let fault):
      "the -wal beside it \(fault.message), and deletes the file with the next change"
    case .missingWAL(frames: 0):
      "the -wal is missing, although there is a -shm: the last changes may be missing"
    case .missingWAL(let frames):
      "the -wal is missing, and the -shm counts \(Words.count(frames, "page")) in it that the store does not have: the last changes are missing"
    case .halfMigrated(let evidence):
      "a migration in place was interrupted: \(evidence.message)"
    case .unknownTables(let tables): "tables that the model does not have: \(Self.list(tables))"
    case .unknownEntities(let rows):
      "rows of entities that the model does not have: \(Self.list(rows.map(\.message)))"
    case .keysOutOfRange(let rows):
      "rows with primary keys that Core Data does not give: \(Self.list(rows.map(\.message)))"
    case .keyTable(let faults):
      "Z_PRIMARYKEY does not fit the model: "
        + faults.prefix(Self.faultLimit).map { "\($0.entity) \($0.property ?? "") \($0.message)" }
        .joined(separator: "; ")
        + (faults.count > Self.faultLimit ? "; and \(faults.count - Self.faultLimit) more" : "")
    case .unknownHash(let entities):
      "the store records another version hash for \(Self.list(entities)) than Strata computes from the store's cached model"
    case .otherModel(let agreement):
      "the metadata and the cached model differ: \(agreement.message)"
    case .noModel: "no model is known that wrote the store: it is not compared with one"
    case .unreadableModel(let reason):
      "the cached model cannot be read (\(reason)): the tables are not compared with it"
    case .unreadable(let reason, _): reason
    case .damage(let faults): "damaged: \(faults.joined(separator: "; "))"
    case .deferredMigration: "Core Data has deferred the end of a lightweight migration"
    case .pendingStage(let scripts):
      "a staged migration was interrupted before these scripts ran: \(Self.list(scripts))"
    case .missingFiles(let names):
      "\(Words.count(names.count, "file")) of binary data \(names.count == 1 ? "is" : "are") missing"
    case .strayFiles(let names, let bytes):
      "\(Words.count(names.count, "file")) of binary data that no store names, \(Words.count(bytes, "byte"))"
    }
  }

  /// What to do about it; for a note, what there is to know.
  func fix(users: [String]) -> String {
    guard users.isEmpty else { return "wait for \(Self.list(users)), or quit it" }
    return switch self {
    case .unfinishedDestination(.coreData, false, _):
      "the store itself is missing: check whether this one is intact before you delete it"
    case .unfinishedDestination(_, false, _): "delete it; there is no store in its place"
    case .unfinishedDestination: "delete it; the old store is intact"
    case .orphanJournal(true): "delete it"
    case .orphanJournal(false), .foreignJournal, .foreignWAL:
      "rename it to .orphan, so that no store reads it; then look for the store that it belongs to"
    case .damagedWAL:
      "keep a copy as .orphan, and write into the store what SQLite still reads; then copy the store again with its -wal, or restore a backup"
    case .missingWAL(frames: 0):
      "if the store was copied while the app was running, copy it again with its -wal; else delete the -shm"
    case .missingWAL: "copy the store again with its -wal, while the app is not running"
    case .secondName: "delete the second name"
    case .setAside:
      "keep it until you trust the new store; --discard-old deletes it if the new store is intact"
    case .missingStore(let name): "rename it to \(name)"
    case .hotJournal: "roll it back"
    case .unclearJournal:
      "copy the store and its -journal to another folder and open the copy with sqlite3, which rolls it back: if its rows are right, use that copy, else rename the -journal"
    case .leftoverWAL:
      "write the changes into the store; or copy the -wal too where you copy the store"
    case .abandonedFolder: "delete it"
    case .unfinishedFile: "delete it"
    case .dataAside(let folder): "move the files back to \(folder)"
    case .halfMigrated(.temporaryTables):
      "restore a backup; without one, copy the rows of these tables, which may be the only ones"
    case .halfMigrated: "restore a backup; `identify` shows which version the metadata names"
    case .unknownTables: "none needed: Core Data ignores them; a migration in place keeps them"
    case .unknownEntities:
      "restore a backup, or delete the rows: Core Data does not read them; a migration in place keeps them in a table that it does not drop or create anew, a migration by passes loses them"
    case .keysOutOfRange:
      "restore a backup, or delete the rows: Strata does not migrate the store with them"
    case .keyTable:
      "restore a backup, or migrate to another version with --output, which writes Z_PRIMARYKEY anew"
    case .unknownHash:
      "load the app's model (`load <bundle>`): if it has the recorded hashes, the cached model is of another version; if not, the model has something whose hash Strata does not know, and Strata does not migrate the store"
    case .otherModel:
      "load the app's model (`load <bundle>`) and run `doctor` again; Core Data opens the store by the metadata"
    case .noModel, .unreadableModel:
      "load the app's model (`load <bundle>`) and run `doctor` again"
    case .unreadable(_, let fix): fix
    case .damage: "restore a backup, or save what can be read with sqlite3's .recover"
    case .deferredMigration: "none needed: the app calls finishDeferredLightweightMigration"
    case .pendingStage: "run `migrate` with the same stages file again: it continues"
    case .missingFiles:
      "copy the hidden folder beside the store too; `validate` lists the objects"
    case .strayFiles: "move them to \(ExternalData.asideName) beside their folder"
    }
  }

  /// Faults of `Z_PRIMARYKEY` that a message lists.
  private static var faultLimit: Int { 5 }

  private static func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  fileprivate static func list(_ tables: [String: Int?]) -> String {
    list(
      tables.sorted { $0.key < $1.key }.map { name, count in
        "\(name) (\(count.map { Words.count($0, "row") } ?? "virtual"))"
      })
  }
}

extension WALFault {
  fileprivate var message: String {
    switch self {
    case .header: "is damaged in its header: SQLite ignores all of it"
    case .frame(let number, let commits):
      "is damaged in frame \(number): SQLite ignores \(commits == 1 ? "1 transaction" : "\(commits) transactions") from there on"
    case .cut(let frame): "ends within frame \(frame): SQLite ignores the transaction that it is of"
    }
  }
}

extension StoreRule.MigrationEvidence {
  fileprivate var message: String {
    switch self {
    case .lacks(let what, let model):
      "the metadata name \(model), but the store has no \(what)"
    case .temporaryTables(let tables):
      "rows under a migration's temporary names: \(StoreRule.list(tables))"
    case .versions(let fits, let other, let lacks):
      "the tables fit \(fits), and not \(other), which is of another version: the store has no \(lacks)"
    case .disagreement(let lacks):
      "the cached model is of another version than the metadata, and the store does not have its \(lacks)"
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
    "\(Words.count(count, "row")) with Z_PK \(ValidationRule.list(keys, of: count)) in \(table)"
  }
}

extension UnknownEntityRows {
  /// `3 rows with Z_ENT 7 in ZTOPIC`
  package var message: String {
    "\(Words.count(count, "row")) with Z_ENT \(number.map(String.init) ?? "NULL") in \(table)"
  }
}
