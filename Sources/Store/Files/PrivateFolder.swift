internal import Foundation
internal import StrataArchives
package import StrataSQLite
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder that only this process's user can enter, removed with all it holds when it goes out of
/// scope.
///
/// A process that is killed removes nothing: the next one that makes such a folder removes those of dead processes.
package struct PrivateFolder: ~Copyable, Sendable {
  package let path: String
  /// Holds the lock of the mark; `nil` where the folder has none.
  private let lock: Int32?

  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  package init() throws(StoreError) {
    Self.sweep
    do {
      try self.init(path: "\(Self.temporaryFolder)/\(PrivateFolderName.random())")
    } catch .unwritable(let reason) {
      throw .noTemporaryFolder(reason: reason)
    }
  }

  /// A folder at a place of its own, such as beside a file that is being made.
  ///
  /// - Throws: ``StoreError/unwritable(reason:)``.
  init(path: String) throws(StoreError) {
    // With fewer, a store in it could neither be made nor be removed again.
    if let cause = OpenFileLimit.refusal(ofOpening: 6) { throw .unwritable(reason: cause.words) }
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .unwritable(reason: "a folder cannot be created beside it: \(FileCause(error).words)")
    }
    lock = ProcessMark.leave(in: path)
    self.path = path
    OwnFolders.add(path)
    // The program is about to end: nobody would take it away any more.
    if Self.isClosing.load(ordering: .sequentiallyConsistent) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Where private folders lie that have no place of their own.
  package static var temporaryFolder: String { PrivateFolderName.parent }

  /// Removes, once in a process, what killed processes have left.
  private static let sweep: Void = AbandonedFolders.sweep(temporaryFolder)

  deinit {
    Self.remove(path)
    if let lock { close(lock) }
    OwnFolders.remove(path)
  }

  /// Whether no new folder is to stay.
  private static let isClosing = Atomic(false)

  /// Removes every private folder of this process, and lets no new one stay: for a program that a signal is about to end.
  package static func removeAll() {
    isClosing.store(true, ordering: .sequentiallyConsistent)
    for path in OwnFolders.paths { remove(path) }
  }

  /// What says whose folder it is goes last.
  static func remove(_ path: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name != ProcessMark.name {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
    try? FileManager.default.removeItem(atPath: path)
  }
}
