internal import Foundation

extension StoreFinding {
  /// Stable name: `hotJournal`.
  public var id: String {
    switch kind {
    case .unfinishedDestination: "unfinishedDestination"
    case .orphanJournal: "orphanJournal"
    case .secondName: "secondName"
    case .setAside: "setAside"
    case .missingStore: "missingStore"
    case .hotJournal: "hotJournal"
    case .foreignWAL: "foreignWAL"
    case .strangeTables: "strangeTables"
    case .missingTables: "missingTables"
    case .otherModel: "otherModel"
    case .damage: "damage"
    case .deferredMigration: "deferredMigration"
    case .pendingStage: "pendingStage"
    case .missingFiles: "missingFiles"
    case .strayFiles: "strayFiles"
    }
  }

  /// What it is.
  public var words: String {
    switch kind {
    case .unfinishedDestination(.strata, _):
      users.isEmpty
        ? "a new store that was being made when a migration was interrupted"
        : "a new store that is being made by \(users.joined(separator: ", "))"
    case .unfinishedDestination(.coreData, _):
      "the destination of a migration by Core Data that did not end: the next one fails with \"table already exists\""
    case .orphanJournal(true):
      "what SQLite had beside a store that is not there, with nothing in it"
    case .orphanJournal(false): "a journal whose store is not there: it may hold the last changes"
    case .secondName(let name):
      "\(name) itself, by the name that it was about to be set aside under"
    case .setAside(let name, let version):
      "\(name) as it was before a migration" + (version.map { ", at \($0)" } ?? "")
    case .missingStore(let name): "\(name) as it was set aside, and there is no \(name)"
    case .hotJournal: "a transaction was interrupted: whoever opens the store next rolls it back"
    case .foreignWAL:
      "the -wal beside it belongs to another store: without it the store is whole, with it damaged"
    case .strangeTables(let tables):
      "tables that its model does not have: "
        + tables.sorted { $0.key < $1.key }.map {
          "\($0.key) (\($0.value) \($0.value == 1 ? "row" : "rows"))"
        }
        .joined(separator: ", ")
    case .missingTables(let tables): "tables are missing: \(tables.joined(separator: ", "))"
    case .otherModel: "its metadata and the model that it keeps are of different versions"
    case .damage(let faults): "damaged: \(faults.joined(separator: "; "))"
    case .deferredMigration: "Core Data has put off the end of a lightweight migration"
    case .pendingStage(let scripts):
      "a staged migration was interrupted: still to be run: \(scripts.joined(separator: ", "))"
    case .missingFiles(let names):
      "\(names.count) \(names.count == 1 ? "file" : "files") of binary data \(names.count == 1 ? "is" : "are") missing"
    case .strayFiles(let names, let bytes):
      "\(names.count) \(names.count == 1 ? "file" : "files") of binary data that no store names, \(bytes) bytes"
    }
  }

  /// How to get out of it.
  public var wayOut: String {
    guard users.isEmpty else { return "wait for \(users.joined(separator: ", ")), or end it" }
    return switch kind {
    case .unfinishedDestination(.coreData, false):
      "its store is not there: look whether this one is whole before anything goes"
    case .unfinishedDestination(_, false): "it goes: nothing stands in its place"
    case .unfinishedDestination: "it goes: the old store is whole"
    case .orphanJournal(true): "it goes"
    case .orphanJournal(false), .foreignWAL:
      "it is renamed .orphan, so that it is played into nothing; find the store that it belongs to"
    case .secondName: "the second name goes"
    case .setAside:
      "keep it until the new store has proved good; --discard-old takes it away while that is whole"
    case .missingStore(let name): "it becomes \(name) again"
    case .hotJournal: "it is rolled back"
    case .strangeTables:
      "a migration in place was interrupted: restore a backup, or copy the rows that are in them; empty ones may be dropped"
    case .missingTables: "a migration in place was interrupted: restore a backup"
    case .otherModel:
      "a migration in place was interrupted: `identify` tells which version its tables are of"
    case .damage: "restore a backup, or save what can be read with sqlite3's .recover"
    case .deferredMigration: "have the app call finishDeferredLightweightMigration"
    case .pendingStage: "`migrate` with the same stages file goes on with it"
    case .missingFiles:
      "copy the hidden folder beside the store along with it; `validate` lists the objects"
    case .strayFiles: "they move to \(ExternalData.asideName) beside their folder"
    }
  }
}
