internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

extension GitRepository {
  /// Writes files of a revision to a folder, so that other readers can read them.
  ///
  /// Folders have the mode 0700 and files 0600, whatever git has recorded. Links and submodules are not written.
  ///
  /// ```swift
  /// let repository = try GitRepository(containing: ".")
  /// let base = try repository.tree(of: repository.commit("main")) { _, _ in .include }
  /// let skipped = try repository.materialize(base.entries, into: "/private/base")
  /// print(skipped.map(\.path))
  /// ```
  ///
  /// - Parameter path: A folder that does not exist, or is empty and accessible only to the user.
  /// - Returns: The links and submodules.
  /// - Throws: ``GitError/folderNotPrivate(path:)`` and the errors of ``blob(_:limit:)``; `FileError` if a file cannot be
  ///   written. What was written before remains in the folder.
  @discardableResult
  package func materialize(_ entries: [GitEntry], into path: String) throws -> [GitEntry] {
    for entry in entries where entry.names.isEmpty || entry.names.contains(where: GitName.isHostile)
    {
      throw GitError.hostilePath(entry.path)
    }
    let folder = try EmptyFolder(path)
    var size = 0
    for entry in entries where entry.isFile {
      try Interruption.check()
      let bytes = try blob(entry.id)
      size += bytes.count
      guard size <= limits.totalSize else {
        throw GitError.tooLarge(what: "the size of all files", limit: limits.totalSize)
      }
      try folder.write(bytes, to: entry.names)
    }
    return entries.filter { !$0.isFile }
  }
}

/// A new or empty folder that only the user can access, held open.
private struct EmptyFolder: ~Copyable {
  private let descriptor: Int32
  private let path: String

  private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  init(_ path: String) throws {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw FileError.unwritable(path, reason: FileCause.last.message)
    }
    guard FileStatus(path)?.kind == .folder, FileStatus(path)?.isPrivate == true,
      try OpenedPath.names(in: path).isEmpty
    else { throw GitError.folderNotPrivate(path: path) }
    let opened = open(path, Self.flags)
    guard opened >= 0 else { throw FileError.unwritable(path, reason: FileCause.last.message) }
    descriptor = opened
    self.path = path
  }

  deinit { close(descriptor) }

  /// Creates a file and the folders on its path. Nothing is overwritten, and no link is followed.
  borrowing func write(_ bytes: [UInt8], to names: [String]) throws {
    var folder = dup(descriptor)
    defer { close(folder) }
    for name in names.dropLast() {
      guard mkdirat(folder, name, 0o700) == 0 || errno == EEXIST else { throw unwritable(names) }
      let inner = openat(folder, name, Self.flags)
      guard inner >= 0 else { throw unwritable(names) }
      close(folder)
      folder = inner
    }
    let file = openat(
      folder, names.last ?? "", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw unwritable(names) }
    defer { close(file) }
    guard bytes.withUnsafeBytes({ writeAll($0, to: file) }) else { throw unwritable(names) }
  }

  private func unwritable(_ names: [String]) -> FileError {
    .unwritable("\(path)/\(names.joined(separator: "/"))", reason: FileCause.last.message)
  }
}
