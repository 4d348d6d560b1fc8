internal import StrataArchives
internal import StrataEssentials
package import StrataSQLite
internal import Synchronization

/// A folder that only the current user can access, deleted with its contents when it goes out of scope.
///
/// A killed process deletes nothing: the next process that creates such a folder deletes those of dead processes.
package struct PrivateFolder: ~Copyable, Sendable {
  package let path: String
  /// Holds the lock of the mark; `nil` if the folder has none.
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

  /// Creates a folder at a path, such as beside a file that is being created.
  ///
  /// - Throws: ``StoreError/unwritable(reason:)``.
  init(path: String) throws(StoreError) {
    // Otherwise a store in it could be neither created nor deleted.
    if let cause = OpenFileLimit.refusal(ofOpening: 6) { throw .unwritable(reason: cause.message) }
    do {
      lock = try ProcessMark.createFolder(path)
    } catch {
      throw .unwritable(reason: "a folder cannot be created beside it: \(error.message)")
    }
    self.path = path
    OwnFolders.add(path)
    // The program is about to end and would not delete it.
    if Self.isClosing.load(ordering: .sequentiallyConsistent) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// The parent of private folders without a given path.
  package static var temporaryFolder: String { PrivateFolderName.parent }

  /// Deletes the folders of killed processes, once per process.
  private static let sweep: Void = AbandonedFolders.sweep(temporaryFolder)

  deinit {
    Self.remove(path)
    if let lock { close(lock) }
    OwnFolders.remove(path)
  }

  /// Whether new folders are refused.
  private static let isClosing = Atomic(false)

  /// Deletes every private folder of this process and refuses new ones, before a signal ends the program.
  package static func removeAll() {
    isClosing.store(true, ordering: .sequentiallyConsistent)
    for path in OwnFolders.paths { remove(path) }
  }

  /// The mark of the owner is deleted last.
  static func remove(_ path: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where name != ProcessMark.name {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
    try? FileManager.default.removeItem(atPath: path)
  }
}
