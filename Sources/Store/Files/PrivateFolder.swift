internal import Foundation
internal import StrataArchives
public import StrataSQLite
internal import Synchronization

/// A folder that only this process's user can enter, removed with all it holds when it goes out of
/// scope.
public struct PrivateFolder: ~Copyable, Sendable {
  public let path: String

  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  public init() throws(StoreError) {
    do {
      try self.init(
        path: FileManager.default.temporaryDirectory
          .appendingPathComponent("strata-\(UUID().uuidString)").path)
    } catch .unwritable(let reason) {
      throw .noTemporaryFolder(reason: reason)
    }
  }

  /// A folder at a place of its own, such as beside a file that is being made.
  ///
  /// - Throws: ``StoreError/unwritable(reason:)``.
  init(path: String) throws(StoreError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .unwritable(reason: "a folder cannot be made beside it: \(error.localizedDescription)")
    }
    try? "\(ProcessInfo.processInfo.processIdentifier)\n".write(
      toFile: "\(path)/\(Self.ownerFile)", atomically: false, encoding: .utf8)
    self.path = path
    OwnFolders.add(path)
    // The program is about to end: nobody would take it away any more.
    if Self.isClosing.load(ordering: .sequentiallyConsistent) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// In a folder beside a store, the file that names the process whose folder it is.
  static let ownerFile = "strata-process"

  deinit {
    Self.remove(path)
    OwnFolders.remove(path)
  }

  /// Whether no new folder is to stay.
  private static let isClosing = Atomic(false)

  /// Removes every private folder of this process, and lets no new one stay: for a program that a signal is about to end.
  public static func removeAll() {
    isClosing.store(true, ordering: .sequentiallyConsistent)
    for path in OwnFolders.paths { remove(path) }
  }

  /// What says whose folder it is goes last.
  private static func remove(_ path: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name != ownerFile {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
    try? FileManager.default.removeItem(atPath: path)
  }
}
