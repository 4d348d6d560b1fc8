#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What stands at a path and in a folder, with the cause where the system does not tell.
///
/// Foundation's `fileExists` answers no for a file that the user may not see.
public enum FileTree {
  public enum Kind: Hashable, Sendable {
    case file, folder
    /// A pipe, a device, a socket.
    case other
  }

  /// What stands at a path, links followed; `nil` where nothing does, at the end of a link too.
  ///
  /// - Throws: ``FileError/unreadable(_:_:)``: no permission, a loop of links, a name that is too long.
  public static func kind(_ path: String) throws(FileError) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      switch FileCause.last {
      case .notFound, .notAFolder: return nil
      case let cause: throw .unreadable(path, cause)
      }
    }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// Why nothing stands at a path: `nil` where something does.
  public static func absence(_ path: String) -> FileCause? {
    var status = stat()
    return stat(path, &status) == 0 ? nil : .last
  }

  /// The names in a folder, hidden ones too, in the order of their bytes.
  ///
  /// - Throws: ``FileError``: not there, no folder, no permission, too many open files.
  public static func names(in folder: String) throws(FileError) -> [String] {
    guard let handle = opendir(folder) else {
      switch FileCause.last {
      case .notFound: throw .notFound(folder)
      case let cause: throw .unreadable(folder, cause)
      }
    }
    defer { closedir(handle) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(handle) else {
        guard errno == 0 else { throw .unreadable(folder, .last) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }
}
