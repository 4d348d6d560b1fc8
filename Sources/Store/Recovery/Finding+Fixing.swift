internal import StrataArchives
package import StrataBase
internal import StrataEssentials
package import StrataSQLite

extension Finding {
  /// Whether ``applyFix()`` can fix it, without losing data.
  package var canBeFixed: Bool {
    guard let storeRule, evidence.programs.isEmpty else { return false }
    switch storeRule {
    // Nothing is deleted before the new store is in place.
    case .unfinishedDestination(let maker, let storeIsThere, _):
      return maker == .strata || storeIsThere
    case .unfinishedFile(_, let isThere): return isThere
    case .orphanJournal, .secondName, .missingStore, .hotJournal, .foreignJournal, .foreignWAL,
      .damagedWAL,
      .leftoverWAL, .abandonedFolder, .dataAside:
      return true
    case .strayFiles(_, _, let unread): return unread.isEmpty
    case .unclearJournal, .unclearWAL, .setAside, .halfMigrated, .unknownTables, .unknownEntities,
      .keysOutOfRange, .keyTable,
      .unknownHash, .otherModel, .noModel, .unreadableModel, .unreadable, .damage,
      .deferredMigration, .pendingStage, .missingFiles, .missingWAL:
      return false
    }
  }

  /// Applies the fix without losing data: an unneeded file is deleted, any other is renamed.
  ///
  /// - Returns: What was done: `renamed it to t.sqlite-wal.orphan`; `nil` if there was nothing to do.
  /// - Throws: ``StoreError/unwritable(reason:)``, ``StoreError/locked``.
  package func applyFix() throws(StoreError) -> String? {
    guard canBeFixed, let storeRule, let path = location.file else { return nil }
    let done = try apply(storeRule, path)
    try? FileOperations.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    return done
  }

  private func apply(_ rule: StoreRule, _ path: String) throws(StoreError) -> String? {
    switch rule {
    case .unfinishedDestination(let maker, _, _):
      try Self.removeAll(path)
      for end in maker == .coreData ? StoreFile.journalEnds : [] {
        try FileOperations.remove(path + end)
      }
      return Self.deleted
    case .orphanJournal(isEmpty: true):
      try FileOperations.remove(path)
      return Self.deleted
    case .orphanJournal: return try Self.setAside(path)
    case .secondName:
      try FileOperations.remove(path)
      return "deleted the second name"
    case .missingStore(let name):
      let store = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + name
      // A journal beside it belongs to it.
      for end in StoreFile.journalEnds where FileManager.default.fileExists(atPath: path + end) {
        try FileOperations.move(path + end, to: store + end)
      }
      try ExternalData.giveBackKeptFiles(ofStoreAt: path)
      try FileOperations.moveToFreeName(path, to: store)
      return "renamed it to \(name)"
    case .hotJournal:
      let connection = try SQLiteConnection(changingStoreAt: path, hasBudget: false)
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute("COMMIT")
      return "rolled it back"
    case .leftoverWAL:
      try Self.checkpoint(path)
      return "wrote the changes to the store"
    case .abandonedFolder: return AbandonedFolders.remove(path) ? Self.deleted : nil
    case .unfinishedFile:
      try Self.removeAll(path)
      return Self.deleted
    case .dataAside(let folder):
      return try ExternalData.giveBack(path, to: folder) ? "moved the files back" : nil
    case .foreignJournal:
      let lock = try StoreLock(path)
      let done = try Self.setAside(path + "-journal")
      _ = consume lock
      return done
    case .foreignWAL:
      let lock = try StoreLock(path)
      let done = try Self.setAside(path + "-wal")
      try FileOperations.remove(path + "-shm")
      _ = consume lock
      return done
    case .damagedWAL: return try Self.keepDamagedWAL(of: path)
    case .strayFiles(let names, _, _):
      try ExternalData(storePath: path).setAside(names)
      return "moved them to \(ExternalData.asideName) beside their folder"
    default: return nil
    }
  }

  private static let deleted = "deleted it"

  /// Why a store that was set aside must not be deleted; `nil` if it may, or for any other finding: a migration has kept it,
  /// the new store is intact, of the same origin and at another version, and no program has the old one open or has
  /// written to it since.
  package var obstacleToDiscarding: String? {
    guard case .setAside(let name, _) = storeRule, let path = location.file else { return nil }
    guard StoreUsers.others(of: path).isEmpty else { return "a program has it open" }
    // The old recipe's name has no mark.
    guard path.hasSuffix("/~\(name)") || KeptMark.isSet(on: path) else {
      return "it is not as a migration has kept it, it may be your own copy"
    }
    let store = URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + name
    guard let old = StoreMetadata.ofStore(at: path),
      StoreForm(of: path)?.isAtomic == true
        || (try? StoreFiles(path: path))?.hasWALFrames == false
    else { return Self.unreadable }
    guard let new = StoreMetadata.ofStore(at: store),
      StoreExamination(of: store).findings.allSatisfy(\.isOfWholeStore)
    else { return "\(name) is not intact" }
    guard new.uuid == old.uuid else { return "\(name) is another store" }
    return new.versionHashes == old.versionHashes ? "\(name) is at the same version" : nil
  }

  private static let unreadable = "it, or another store beside it, cannot be read"

  /// What became of a store that was set aside.
  package enum Discarding {
    /// With what was done.
    case deleted(String)
    case kept(because: String)
  }

  /// Whether a store with this finding is still intact.
  private var isOfWholeStore: Bool {
    switch storeRule {
    case .deferredMigration, .unknownTables, .noModel, .leftoverWAL: true
    default: false
    }
  }

  /// Deletes a store that was set aside, with the binary data that only it uses.
  ///
  /// - Returns: `nil` for any other finding.
  /// - Throws: Errors of ``applyFix()``.
  package func discard() throws(StoreError) -> Discarding? {
    guard case .setAside = storeRule, let path = location.file else { return nil }
    if let obstacle = obstacleToDiscarding { return .kept(because: obstacle) }
    guard StoreForm(of: path) == .sqlite else {
      try FileOperations.remove(path)
      return .deleted(Self.deleted)
    }
    guard let files = try? ExternalData.filesOnly(of: path) else {
      return .kept(because: Self.unreadable)
    }
    try FileOperations.remove(path)
    let external = ExternalData(storePath: path)
    for name in files { external.remove(name) }
    ExternalData.removeKeptFiles(ofStoreAt: path)
    for end in StoreFile.journalEnds { try FileOperations.remove(path + end) }
    return .deleted(Self.deleted)
  }

  private static func setAside(_ path: String) throws(StoreError) -> String {
    let target = freeNameAside(path)
    try FileOperations.move(path, to: target)
    return "renamed it to \(URL(fileURLWithPath: target).lastPathComponent)"
  }

  /// An unused name for a file that may be needed but must not be used.
  private static func freeNameAside(_ path: String) -> String {
    var target = path + ".orphan"
    while FileManager.default.fileExists(atPath: target) { target += ".orphan" }
    return target
  }

  /// Keeps a copy of a WAL that SQLite cannot read to its end, and checkpoints it.
  private static func keepDamagedWAL(of path: String) throws(StoreError) -> String {
    let wal = path + "-wal"
    let used = try StoreFiles(path: path).usedWALSize()
    let lock = try StoreLock(path)
    let target = freeNameAside(wal)
    let hasCommits = used > WriteAheadLog.headerSize
    if hasCommits {
      try FileOperations.copy(wal, to: target)
      try FileOperations.truncate(wal, to: used)
    } else {
      try FileOperations.move(wal, to: target)
    }
    try FileOperations.remove(path + "-shm")
    _ = consume lock
    let name = URL(fileURLWithPath: target).lastPathComponent
    guard hasCommits else { return "renamed it to \(name)" }
    try checkpoint(path)
    return "kept a copy as \(name), and wrote the changes before the damage to the store"
  }

  /// Checkpoints the WAL of a store.
  private static func checkpoint(_ path: String) throws(StoreError) {
    let connection = try SQLiteConnection(changingStoreAt: path, hasBudget: false)
    // The first number of the result is 1 if another connection blocked it.
    guard try connection.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else { throw .locked }
  }

  private static func removeAll(_ path: String) throws(StoreError) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw .unwritable(reason: FileCause(error).message)
    }
  }
}
