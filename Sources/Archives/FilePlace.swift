internal import StrataBase

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A name in its folder, where something is made, renamed or removed. Where only some folders may be read, the folder
/// is open: whoever exchanges one on its path for a link meanwhile leads no writing elsewhere.
///
/// Each call answers as the system does, and leaves its `errno`.
///
/// ```swift
/// let place = try FilePlace("/data/App.sqlite")
/// guard try place.rename(to: FilePlace("/data/App.sqlite.before-1")) else { … }
/// ```
package struct FilePlace: ~Copyable {
  private let folder: Int32
  private let name: String
  private let isOpen: Bool

  /// - Throws: ``FileError`` where the folder is out of reach, or not there.
  package init(_ path: String) throws(FileError) {
    isOpen = ReadableFolders.current != nil
    guard isOpen else {
      (folder, name) = (AT_FDCWD, path)
      return
    }
    folder = try OpenedPath.open(RealPath.parent(of: path), O_RDONLY | O_DIRECTORY)
    name = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? "."
  }

  deinit { if isOpen { close(folder) } }

  /// Opens what stands there; a link in its place is not followed where only some folders may be read.
  ///
  /// - Returns: A descriptor; less than zero where it cannot be opened.
  package borrowing func open(_ flags: Int32, permissions: Int = 0) -> Int32 {
    openat(
      folder, name, flags | O_CLOEXEC | (isOpen ? O_NOFOLLOW : 0), mode_t(permissions))
  }

  /// What is at the target gives way in the same instant.
  package borrowing func rename(to target: borrowing FilePlace) -> Bool {
    renameat(folder, name, target.folder, target.name) == 0
  }

  /// A second name of a file.
  package borrowing func link(to target: borrowing FilePlace) -> Bool {
    linkat(folder, name, target.folder, target.name, 0) == 0
  }

  package borrowing func makeFolder(permissions: Int) -> Bool {
    mkdirat(folder, name, mode_t(permissions)) == 0
  }

  /// Removes a file or a link.
  package borrowing func remove() -> Bool { unlinkat(folder, name, 0) == 0 }
}
