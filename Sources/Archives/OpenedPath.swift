internal import CSystem
internal import StrataBase
internal import StrataEssentials

/// Finds and opens the files and folders that Strata reads, and those that SQLite is to open. All checks of the
/// readable folders are here.
package enum OpenedPath {
  /// The flags for a folder that is opened only to find and create names in it, for which no permission to list
  /// them is required.
  static let folderFlags: Int32 = {
    #if canImport(Glibc)
      strata_open_path | O_DIRECTORY
    #else
      // O_SEARCH of macOS 13; older systems ignore it.
      0x4000_0000 | O_DIRECTORY
    #endif
  }()

  /// - Throws: ``FileError``.
  static func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
    if let folders = ReadableFolders.current { return try folders.open(path, flags) }
    let found = openat(AT_FDCWD, path, flags | O_CLOEXEC)
    guard found >= 0 else { throw failure(path) }
    return found
  }

  /// The target of a path.
  static func status(_ path: String) throws(FileError) -> FileStatus {
    if let folders = ReadableFolders.current { return try folders.status(path) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    return FileStatus(status)
  }

  /// Opens a file for writing, truncated, and creates it if it does not exist.
  ///
  /// - Returns: Its descriptor.
  /// - Throws: ``FileError``.
  static func openEmptied(_ path: String) throws(FileError) -> Int32 {
    let real = try ReadableFolders.current?.real(path).path ?? path
    let found = try FolderEntry(real).open(O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o666)
    guard found >= 0 else { throw failure(path) }
    return found
  }

  /// The path with links resolved; `nil` if it does not exist.
  static func real(_ path: String) throws(FileError) -> String? {
    guard let folders = ReadableFolders.current else {
      return absence(path) == nil ? RealPath.of(path) : nil
    }
    do throws(FileError) {
      let (real, status) = try folders.real(path)
      return status == nil ? nil : real
    } catch .notFound {
      return nil
    }
  }

  static func failure(_ path: String) -> FileError {
    switch FileCause.last {
    case .notFound: .notFound(path)
    case let cause: .unreadable(path, cause)
    }
  }

  /// Whether a path is a regular file and not a link.
  package static func isPlainFile(_ path: String) -> Bool {
    FileStatus(path)?.kind == .file && (try? status(path)) != nil
  }

  /// The status of a path, links followed; `nil` if it, or the target of a link, does not exist. Foundation's
  /// `fileExists` also returns false for a file that the user may not access.
  ///
  /// - Throws: ``FileError``: no permission, a loop of links, a name that is too long, or out of reach.
  package static func kind(_ path: String) throws(FileError) -> FileStatus.Kind? {
    do throws(FileError) {
      return try status(path).kind
    } catch {
      switch error {
      case .notFound, .unreadable(_, .notAFolder): return nil
      default: throw error
      }
    }
  }

  /// The reason why a path does not exist; `nil` if it does.
  package static func absence(_ path: String) -> FileCause? {
    do throws(FileError) {
      _ = try status(path)
      return nil
    } catch {
      if case .unreadable(_, let cause) = error { return cause }
      return .notFound
    }
  }

  /// The names in a folder, including hidden ones, in byte order.
  ///
  /// - Throws: ``FileError``: does not exist, not a folder, no permission, too many open files, or outside of the
  ///   readable folders.
  package static func names(in folder: String) throws(FileError) -> [String] {
    try names(inFolder: try open(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK), folder)
  }

  /// The names in an open folder, which is closed.
  static func names(inFolder descriptor: Int32, _ folder: String) throws(FileError) -> [String] {
    guard let listing = fdopendir(descriptor) else {
      defer { close(descriptor) }
      throw failure(folder)
    }
    defer { closedir(listing) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(listing) else {
        guard errno == 0 else { throw .unreadable(folder, .last) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        field.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// The status of a regular file with its first bytes, read at one moment.
  ///
  /// - Parameter headCount: How many of the first bytes are read; `nil` to not open the file.
  package static func state(
    of path: String, headCount: Int?
  ) throws(FileError) -> (stamp: FileStamp, head: [UInt8]) {
    guard let headCount else {
      let status = try Self.status(path)
      try RegularFile.check(status, path)
      return (status.stamp, [])
    }
    let file = try RegularFile(path)
    return (FileStatus(file.status).stamp, try file.read(headCount))
  }

  /// The resolved path of a readable file for code that opens files by path (SQLite), and its identity if it
  /// exists.
  ///
  /// - Throws: ``FileError/outOfReach(_:real:)``.
  package static func resolvedFile(
    at path: String
  ) throws(FileError) -> (path: String, identity: FileIdentity?)? {
    guard let folders = ReadableFolders.current else { return nil }
    let (real, status) = try folders.real(path)
    return (real, status?.stamp.identity)
  }
}
