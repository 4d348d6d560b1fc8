internal import StrataBase
internal import StrataEssentials

/// A name in a folder, where a file is created, renamed or deleted. If only some folders may be read, the folder is
/// held open: replacing a folder on its path with a link cannot redirect the write.
///
/// Each call returns what the system call returns, and leaves its `errno`.
///
/// ```swift
/// let entry = try FolderEntry("/data/App.sqlite")
/// guard try entry.rename(to: FolderEntry("/data/App.sqlite.before-1")) else { return }
/// ```
package struct FolderEntry: ~Copyable {
  private let folder: Int32
  private let name: String
  private let isOpen: Bool

  /// - Throws: ``FileError`` if the folder is not accessible or does not exist.
  package init(_ path: String) throws(FileError) {
    isOpen = ReadableFolders.current != nil
    guard isOpen else {
      (folder, name) = (AT_FDCWD, path)
      return
    }
    folder = try OpenedPath.open(RealPath.parent(of: path), OpenedPath.folderFlags)
    name = RealPath.names(on: path).last ?? "."
  }

  deinit { if isOpen { close(folder) } }

  /// Opens the file; a link is not followed if only some folders may be read.
  ///
  /// - Returns: A descriptor; negative if it cannot be opened.
  package borrowing func open(_ flags: Int32, permissions: Int = 0) -> Int32 {
    openat(
      folder, name, flags | O_CLOEXEC | (isOpen ? O_NOFOLLOW : 0), mode_t(permissions))
  }

  /// Replaces the target atomically.
  package borrowing func rename(to target: borrowing FolderEntry) -> Bool {
    renameat(folder, name, target.folder, target.name) == 0
  }

  /// Creates a hard link.
  package borrowing func link(to target: borrowing FolderEntry) -> Bool {
    linkat(folder, name, target.folder, target.name, 0) == 0
  }

  package borrowing func makeFolder(permissions: Int) -> Bool {
    mkdirat(folder, name, mode_t(permissions)) == 0
  }

  /// Deletes a file or a link.
  package borrowing func remove() -> Bool { unlinkat(folder, name, 0) == 0 }
}
