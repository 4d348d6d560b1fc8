internal import Foundation
public import StrataSQLite

extension StoreFinding {
  /// Whether there is a way out that loses nothing.
  public var canBeMended: Bool {
    guard users.isEmpty else { return false }
    switch kind {
    // Strata takes nothing away before the new store stands.
    case .unfinishedDestination(let maker, let storeIsThere):
      return maker == .strata || storeIsThere
    case .orphanJournal, .secondName, .missingStore, .hotJournal, .foreignWAL,
      .strayFiles:
      return true
    case .setAside, .halfMigrated, .unknownTables, .unknownEntities, .keysOutOfRange, .keyTable,
      .unknownHash, .otherModel, .noModel, .unreadableModel, .unreadable, .damage,
      .deferredMigration, .pendingStage, .missingFiles, .missingWAL:
      return false
    }
  }

  /// Takes the way out that loses nothing: what nobody needs goes, what could be needed goes by another name.
  ///
  /// - Throws: ``StoreError/unwritable(reason:)``, ``StoreError/locked``.
  public func mend() throws(StoreError) {
    guard canBeMended else { return }
    switch kind {
    case .unfinishedDestination(let maker, _):
      try Self.removeAll(path)
      for end in maker == .coreData ? StoreFile.journalEnds : [] {
        try FileOperations.remove(path + end)
      }
    case .orphanJournal(let isEmpty):
      if isEmpty { try FileOperations.remove(path) } else { try Self.setAside(path) }
    case .secondName: try FileOperations.remove(path)
    case .missingStore(let name):
      let store = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + name
      // A journal that stands beside it is its own.
      for end in StoreFile.journalEnds where FileManager.default.fileExists(atPath: path + end) {
        try FileOperations.move(path + end, to: store + end)
      }
      if try FileOperations.link(path, to: store) {
        try FileOperations.remove(path)
      } else {
        try FileOperations.move(path, to: store)
      }
    case .hotJournal:
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute("COMMIT")
    case .foreignWAL:
      let lock = try StoreLock(path)
      try Self.setAside(path + "-wal")
      try FileOperations.remove(path + "-shm")
      _ = consume lock
    case .strayFiles(let names, _):
      try ExternalData(storePath: path).setAside(names)
    default: return
    }
    try? FileOperations.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Whether a store that was set aside may go: the one in its place is whole, of the same origin and at
  /// another version, and nobody has it open or has written to it since.
  public var canBeDiscarded: Bool {
    guard case .setAside(let name, _) = kind, users.isEmpty else { return false }
    let store = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + name
    guard let new = try? SQLiteStore(reading: store), let old = try? SQLiteStore(reading: path),
      (try? StoreFiles(path: path))?.hasWALFrames == false
    else { return false }
    return new.metadata.uuid == old.metadata.uuid
      && new.metadata.versionHashes != old.metadata.versionHashes
      && StoreExamination(of: store).findings.allSatisfy(\.isOfWholeStore)
  }

  /// Whether a store of which this is said may still be trusted to be whole.
  private var isOfWholeStore: Bool {
    switch kind {
    case .deferredMigration, .unknownTables, .noModel: true
    default: false
    }
  }

  /// Removes a store that was set aside, with the binary data that only it has.
  ///
  /// - Throws: ``StoreError`` where another store of the folder cannot be read, and what ``mend()`` throws.
  public func discard() throws(StoreError) {
    guard canBeDiscarded else { return }
    let files = try ExternalData.filesOnly(of: path)
    try FileOperations.remove(path)
    let external = ExternalData(storePath: path)
    for name in files { external.remove(name) }
    for end in StoreFile.journalEnds { try FileOperations.remove(path + end) }
  }

  /// The name of what could be needed and must not be in the way.
  private static func nameAside(_ path: String) -> String { path + ".orphan" }

  private static func setAside(_ path: String) throws(StoreError) {
    var target = nameAside(path)
    while FileManager.default.fileExists(atPath: target) { target = nameAside(target) }
    try FileOperations.move(path, to: target)
  }

  private static func removeAll(_ path: String) throws(StoreError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .unwritable(reason: error.localizedDescription)
    }
  }
}
