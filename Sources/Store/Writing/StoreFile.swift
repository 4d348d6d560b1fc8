internal import StrataArchives
package import StrataBase
internal import StrataEssentials
package import StrataSQLite

/// Creates a store file with its external data atomically.
package enum StoreFile {
  /// Calls `body` to create a store under a temporary name, and moves it to its path.
  ///
  /// - Parameters:
  ///   - replacing: Whether an existing store, its journal and its external data are replaced.
  ///   - body: Creates and finishes the store at the given path.
  /// - Returns: Errors after the store was in place.
  /// - Throws: Errors of `body`, ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``; then nothing has
  ///   changed.
  @discardableResult
  package static func create(
    at given: String, replacing: Bool = false, _ body: (_ path: String) throws -> Void
  ) throws -> [Diagnostic] {
    // A link is kept; its target is replaced.
    let path = replacing ? RealPath.resolving(given) : given
    let target = URL(fileURLWithPath: path)
    try checkTarget(path, replacing: replacing, hasCompanions: true)
    let stage = target.deletingLastPathComponent()
      .appendingPathComponent(StoreReplacement.stageName(for: target.lastPathComponent))
    if replacing { try checkReplaceable(path) }
    let folder = try PrivateFolder(path: stage.path)
    return try createAndMove(path, replacing: replacing, from: folder, body)
  }

  /// Checks whether a store can be created at a path, without opening a file that would be replaced.
  ///
  /// - Parameter hasCompanions: Whether SQLite and Core Data keep other files beside it.
  /// - Throws: ``StoreError/alreadyExists``, ``StoreError/strayCompanion(_:)``, ``StoreError/isFolder``,
  ///   ``StoreError/notAStore``, ``StoreError/unwritable(reason:)`` and the like.
  package static func checkTarget(
    _ path: String, replacing: Bool, hasCompanions: Bool
  ) throws(StoreError) {
    // A link that leads nowhere counts too.
    guard replacing || FileStatus(path) == nil else { throw StoreError.alreadyExists }
    let target = URL(fileURLWithPath: path)
    try checkFolder(target.deletingLastPathComponent().path)
    if replacing { _ = try isSQLite(replaceable: path) }
    guard hasCompanions else { return }
    // Journals of another store would be applied to the new one. Empty ones are harmless: SQLite of macOS keeps them.
    // Those of a replaced store are deleted with it, but no folder.
    for end in journalEnds {
      guard let status = FileStatus(path + end) else { continue }
      guard status.kind == .file, replacing || status.size == 0 || end == "-shm" else {
        throw StoreError.strayCompanion(target.lastPathComponent + end)
      }
    }
    try checkExternalData(of: target)
  }

  /// Creates the store in the folder, and moves it to its path.
  private static func createAndMove(
    _ path: String, replacing: Bool, from folder: borrowing PrivateFolder,
    _ body: (_ path: String) throws -> Void
  ) throws -> [Diagnostic] {
    let stage = URL(fileURLWithPath: folder.path)
    let staged = "\(folder.path)/\(StoreReplacement.stagedName)"
    try body(staged)
    try FileOperations.sync(staged)
    let (support, oldSupport) = (supportFolder(of: staged), supportFolder(of: path))
    let aside = oldSupport + ".\(UInt32.random(in: .min ... .max))"
    let hasAside = replacing && rename(oldSupport, aside) == 0
    var hasNewSupport = false
    do {
      if FileManager.default.fileExists(atPath: support) {
        // Before the store, which needs them.
        let external = ExternalData(storePath: staged)
        try external.sync(external.files())
        try moveSupport(support, to: oldSupport)
        hasNewSupport = true
        try FileOperations.sync(stage.deletingLastPathComponent().path)
      }
      if replacing {
        // The check has applied the journal to the old store; it would damage the new one.
        for end in journalEnds {
          try? FileManager.default.removeItem(atPath: path + end)
        }
        try FileOperations.move(staged, to: path)
      } else {
        try FileOperations.moveToFreeName(staged, to: path)
      }
    } catch {
      if hasNewSupport { try? FileManager.default.removeItem(atPath: oldSupport) }
      if hasAside { rename(aside, oldSupport) }
      throw error
    }
    if hasAside { try? FileManager.default.removeItem(atPath: aside) }
    return FileOperations.syncAfterCommit(stage.deletingLastPathComponent().path)
  }

  /// Moves the external data of a new store to its place, where only empty folders may be.
  ///
  /// - Throws: ``StoreError/strayExternalData(_:)``: the folder of a store that no longer exists.
  private static func moveSupport(_ support: String, to target: String) throws(StoreError) {
    rmdir("\(target)/\(ExternalData.folderName)")
    guard FileStatus(target) == nil || rmdir(target) == 0 else {
      throw .strayExternalData(URL(fileURLWithPath: target).lastPathComponent)
    }
    try FileOperations.move(support, to: target)
  }

  /// Checks the folder in which a file is to be created.
  ///
  /// - Throws: ``StoreError/unwritable(reason:)``: does not exist, a file, or not accessible.
  package static func checkFolder(_ folder: String) throws(StoreError) {
    do {
      switch try OpenedPath.kind(folder) {
      case .folder?: return
      case nil where OpenedPath.absence(folder) == .notFound:
        throw StoreError.unwritable(reason: "its folder does not exist")
      default: throw StoreError.unwritable(reason: FileCause.notAFolder.message)
      }
    } catch FileError.unreadable(_, let cause) {
      throw .unwritable(reason: cause.message)
    } catch {
      throw error as? StoreError ?? .unwritable(reason: FileCause(error).message)
    }
  }

  /// `a.sqlite` and `a.db` use the same folder for external data: deleting one store would lose data of the other.
  private static func checkExternalData(of target: URL) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: supportFolder(of: target.path)) else { return }
    if let other = try ExternalData.owners(besides: target.path).first {
      throw .sharedExternalData(with: URL(fileURLWithPath: other).lastPathComponent)
    }
  }

  /// Whether a file, which must be a store, is a SQLite store.
  private static func isSQLite(replaceable path: String) throws(StoreError) -> Bool {
    guard let status = FileStatus(path) else { return false }
    guard status.kind != .folder else { throw .isFolder }
    let head: [UInt8]
    do throws(FileError) {
      head = try FileBytes.head(path, count: 512)
    } catch {
      switch error {
      case .notFound, .isFolder, .notAFile, .unreadable(_, .notAFolder): throw .notAStore
      default: throw .unreadable(reason: error.diagnostic.what)
      }
    }
    if head.starts(with: Array("SQLite format 3".utf8)) { return true }
    guard head.isEmpty || StoreForm(head: head) != nil else { throw .notAStore }
    return false
  }

  /// Only a store is replaced, and only if no other program has it open: that would go on writing into the old file.
  package static func checkReplaceable(_ path: String) throws(StoreError) {
    guard try isSQLite(replaceable: path) else { return }
    try StoreUsers.check(path)
    // Opening it would apply its journals, but it must not change if creating the new store fails.
    try CompanionExamination.check(besideStoreAt: path)
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    do {
      _ = try connection.rows("PRAGMA locking_mode = EXCLUSIVE")
      try connection.execute("BEGIN EXCLUSIVE")
      try connection.execute("ROLLBACK")
    } catch .locked {
      throw .locked
    } catch {
      // A damaged store may be replaced.
    }
  }

  /// Checks that a store's journal is valid, before the store is copied with its files.
  ///
  /// - Throws: ``StoreError/impossibleJournal(reason:)``; no error if the file is not a SQLite store.
  package static func checkJournal(of path: String) throws(StoreError) {
    let files = try? StoreFiles(path: RealPath.resolving(path))
    if let files { _ = try files.hotJournal() }
  }

  /// The suffixes of SQLite's files beside a store.
  package static let journalEnds = ["-wal", "-shm", "-journal"]

  /// The files beside a store that belong to it: journals, the folder of external data.
  package static func companions(of path: String) -> [String] {
    journalEnds.map { path + $0 } + [supportFolder(of: path)]
  }

  /// Further folders of binary data beside a store: those that a replacement has moved away, and the separate
  /// folder of a kept store.
  package static func foldersAside(of path: String) -> [String] {
    let support = URL(fileURLWithPath: supportFolder(of: path))
    let parent = support.deletingLastPathComponent().path
    let moved = ((try? OpenedPath.names(in: parent)) ?? []).filter {
      ExternalData.supportFolder(ofAside: $0) == support.lastPathComponent
    }
    return moved.map { "\(parent)/\($0)" }
      + (ExternalData(storePath: path).keptFolder.map { [ExternalData.supportFolder(of: $0)] } ?? [])
  }

  /// Whether a path is a link that Strata has made beside its own copy of a store, to the binary data of the original.
  package static func isOwnLink(_ path: String) -> Bool { ExternalData.isInheritance(path) }

  /// Deletes a store created by Strata, with its files; targets of links are kept.
  package static func remove(_ path: String) {
    for part in [path] + companions(of: path) { try? FileManager.default.removeItem(atPath: part) }
  }

  /// `.Name_SUPPORT` beside `Name.sqlite`.
  private static func supportFolder(of path: String) -> String {
    ExternalData.supportFolder(of: ExternalData(storePath: path).folder)
  }
}
