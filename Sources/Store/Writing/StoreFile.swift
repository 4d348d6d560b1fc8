internal import Foundation
internal import StrataArchives
package import StrataBase
package import StrataSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A store file that appears whole, with the folder of its external data, or not at all.
package enum StoreFile {
  /// Has `body` make a store under another name, and gives it its place.
  ///
  /// - Parameters:
  ///   - replacing: Whether a store of this name, its journal and its external data give way.
  ///   - body: Makes and finishes the store at the path that it is given.
  /// - Returns: What failed once the store was in its place.
  /// - Throws: What `body` throws, and ``StoreError/alreadyExists``, ``StoreError/unwritable(reason:)``;
  ///   then everything is as it was.
  @discardableResult
  package static func create(
    at given: String, replacing: Bool = false, _ body: (_ path: String) throws -> Void
  ) throws -> [Diagnostic] {
    // A link stays, and what it points to is replaced.
    let path = replacing ? URL(fileURLWithPath: given).resolvingSymlinksInPath().path : given
    let target = URL(fileURLWithPath: path)
    let parent = target.deletingLastPathComponent()
    let name = target.lastPathComponent
    guard replacing || !FileManager.default.fileExists(atPath: path) else {
      throw StoreError.alreadyExists
    }
    // What another store has left behind would be played into the new one.
    for end in ["-wal", "-journal"]
    where !replacing && FileManager.default.fileExists(atPath: path + end) {
      throw StoreError.strayCompanion(name + end)
    }
    try checkFolder(parent.path)
    try checkExternalData(of: target)
    let stage = parent.appendingPathComponent(StoreReplacement.stageName(for: name))
    if replacing { try checkReplaceable(path) }
    let folder = try PrivateFolder(path: stage.path)
    return try place(path, replacing: replacing, from: folder, body)
  }

  /// Has the store made in the folder, and moves it to its place.
  private static func place(
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
        // Before the store that counts on them.
        let external = ExternalData(storePath: staged)
        try external.sync(external.files())
        try FileOperations.move(support, to: oldSupport)
        hasNewSupport = true
        try FileOperations.sync(stage.deletingLastPathComponent().path)
      }
      if replacing {
        // The check has played the journal of the old store into it; to the new one it would be poison.
        for end in journalEnds {
          try? FileManager.default.removeItem(atPath: path + end)
        }
        try FileOperations.move(staged, to: path)
      } else if try !FileOperations.link(staged, to: path) {
        // A link refuses what is there meanwhile, a rename would replace it.
        throw StoreError.unwritable(reason: "the file system does not support hard links")
      }
    } catch {
      if hasNewSupport { try? FileManager.default.removeItem(atPath: oldSupport) }
      if hasAside { rename(aside, oldSupport) }
      throw error
    }
    if hasAside { try? FileManager.default.removeItem(atPath: aside) }
    return FileOperations.syncAfterCommit(stage.deletingLastPathComponent().path)
  }

  /// Checks the folder in which a file is to be created.
  ///
  /// - Throws: ``StoreError/unwritable(reason:)``: it is not there, a file, or may not be looked at.
  package static func checkFolder(_ folder: String) throws(StoreError) {
    do {
      switch try OpenedPath.kind(folder) {
      case .folder?: return
      case nil where OpenedPath.absence(folder) == .notFound:
        throw StoreError.unwritable(reason: "its folder does not exist")
      default: throw StoreError.unwritable(reason: FileCause.notAFolder.words)
      }
    } catch FileError.unreadable(_, let cause) {
      throw .unwritable(reason: cause.words)
    } catch {
      throw error as? StoreError ?? .unwritable(reason: FileCause(error).words)
    }
  }

  /// `a.sqlite` and `a.db` have one folder for their external data: of one store it would be the other's loss.
  private static func checkExternalData(of target: URL) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: supportFolder(of: target.path)) else { return }
    if let other = try ExternalData.owners(besides: target.path).first {
      throw .sharedExternalData(with: URL(fileURLWithPath: other).lastPathComponent)
    }
  }

  /// Only a store gives way, and none that another program is using, as far as that can be known: SQLite's
  /// own locks tell.
  package static func checkReplaceable(_ path: String) throws(StoreError) {
    guard let status = FileStatus(path) else { return }
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
    guard !head.starts(with: Array("SQLite format 3".utf8)) else {
      // Opening it plays its journals, and everything is to stay as it is where the new store fails.
      try CompanionExamination.check(besideStoreAt: path)
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      do {
        _ = try connection.rows("PRAGMA locking_mode = EXCLUSIVE")
        try connection.execute("BEGIN EXCLUSIVE")
        try connection.execute("ROLLBACK")
      } catch .locked {
        throw .locked
      } catch {
        // What is damaged may be replaced.
      }
      return
    }
    guard head.isEmpty || StoreForm(head: head) != nil else { throw .notAStore }
  }

  /// Checks, before a store is copied with what lies beside it, that its journal is one.
  ///
  /// - Throws: ``StoreError/impossibleJournal(reason:)``; nothing if the file is no SQLite store.
  package static func checkJournal(of path: String) throws(StoreError) {
    let files = try? StoreFiles(path: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    if let files { _ = try files.hotJournal() }
  }

  /// What SQLite may have beside a store.
  static let journalEnds = ["-wal", "-shm", "-journal"]

  /// What may lie beside a store and belongs to it: journals, the folder of external data.
  package static func companions(of path: String) -> [String] {
    journalEnds.map { path + $0 } + [supportFolder(of: path)]
  }

  /// Folders of binary data beside a store that are not where it looks first: those that a replacement has moved away,
  /// and the one that a kept store has for itself.
  package static func foldersAside(of path: String) -> [String] {
    let support = URL(fileURLWithPath: supportFolder(of: path))
    let parent = support.deletingLastPathComponent().path
    let moved = ((try? OpenedPath.names(in: parent)) ?? []).filter {
      ExternalData.supportFolder(ofAside: $0) == support.lastPathComponent
    }
    return moved.map { "\(parent)/\($0)" }
      + (ExternalData(storePath: path).keptFolder.map { [ExternalData.supportFolder(of: $0)] } ?? [])
  }

  /// Removes a store of Strata's own, with all that belongs to it; what links point to stays.
  package static func remove(_ path: String) {
    for part in [path] + companions(of: path) { try? FileManager.default.removeItem(atPath: part) }
  }

  /// `.Name_SUPPORT` beside `Name.sqlite`.
  private static func supportFolder(of path: String) -> String {
    URL(fileURLWithPath: ExternalData(storePath: path).folder).deletingLastPathComponent().path
  }
}
