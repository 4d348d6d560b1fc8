internal import StrataEssentials
internal import Synchronization

/// The private folders that this process has created: it has written everything in them.
package enum OwnFolders {
  /// The path as created, with the resolved path.
  private static let living = Mutex<[String: String]>([:])

  package static func add(_ path: String) {
    let real = RealPath.of(path) ?? path
    living.withLock { $0[path] = real }
  }

  package static func remove(_ path: String) {
    living.withLock { _ = $0.removeValue(forKey: path) }
  }

  package static var paths: [String] { living.withLock { Array($0.keys) } }

  /// Whether a resolved path is in one of them.
  package static func contain(_ path: String) -> Bool {
    living.withLock { $0.values.contains { path.hasPrefix($0 + "/") } }
  }

  /// The parent folder of a path, as created and resolved.
  static func folder(above path: String) -> (given: String, real: String)? {
    living.withLock { living in
      living.first { RealPath.of(path, isBelow: $0.key) || RealPath.of(path, isBelow: $0.value) }
        .map { ($0.key, $0.value) }
    }
  }
}

/// Paths as the system resolves them, without links and dots. They are split at bytes, not at characters: a combining
/// mark after a slash does not make it another character.
package enum RealPath {
  /// The resolved path, or the given path if it cannot be resolved.
  ///
  /// Foundation's `resolvingSymlinksInPath` removes `/private` on macOS, which git and realpath(3) do not.
  package static func resolving(_ path: String) -> String { of(path) ?? path }

  /// The resolved path; for a file that does not exist, that of its nearest existing folder. `nil` if it is not valid
  /// UTF-8.
  static func of(_ path: String) -> String? {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(validatingCString: real)
    }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), path != "/" else { return path }
    let name = String(Substring(path.utf8[slash...].dropFirst()))
    if name.isEmpty { return of(String(Substring(path.utf8[..<slash]))) }
    return of(parent(of: path)).map { $0 == "/" ? "/\(name)" : "\($0)/\(name)" }
  }

  /// The path up to the last slash; `.` for a name alone.
  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash > path.startIndex ? String(Substring(path.utf8[..<slash])) : "/"
  }

  /// The names on a path, without `.`.
  static func names(on path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      .filter { $0 != "." }
  }

  /// Whether a path is a folder or in it, compared by bytes.
  static func of(_ path: String, isBelow folder: String) -> Bool {
    path.utf8.elementsEqual(folder.utf8)
      || path.utf8.starts(with: (folder.hasSuffix("/") ? folder : folder + "/").utf8)
  }
}
