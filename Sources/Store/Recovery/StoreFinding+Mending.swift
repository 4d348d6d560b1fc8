internal import Foundation

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
    case .setAside, .strangeTables, .missingTables, .otherModel, .damage, .deferredMigration,
      .pendingStage,
      .missingFiles:
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
      let external = ExternalData(storePath: path)
      for name in names { external.remove(name) }
    default: return
    }
    try? FileOperations.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Removes a store that was set aside, with the binary data that only it has.
  ///
  /// - Throws: ``StoreError`` where another store of the folder cannot be read, and what ``mend()`` throws.
  public func discard() throws(StoreError) {
    guard case .setAside = kind else { return }
    let files = try ExternalData.filesOnly(of: path)
    try FileOperations.remove(path)
    let external = ExternalData(storePath: path)
    for name in files { external.remove(name) }
    for end in StoreFile.journalEnds { try FileOperations.remove(path + end) }
  }

  /// The name of what could be needed and must not be in the way.
  public static func nameAside(_ path: String) -> String { path + ".orphan" }

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
