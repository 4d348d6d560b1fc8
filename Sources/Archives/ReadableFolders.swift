internal import CSystem
internal import StrataBase
internal import StrataEssentials

/// The only folders in which files may be read, for documents from other people.
///
/// They are opened once. While they are ``current``, every path that Strata reads is resolved from there, name by
/// name: a link is followed only if it stays below one of them, even if the folders change in the meantime.
///
/// ```swift
/// let folders = ReadableFolders(["/docs"])
/// try folders.only { try FileBytes.read("/docs/link-to-etc/hosts") }  // throws FileError.outOfReach
/// ```
package struct ReadableFolders: Sendable {
  /// The folders for the running task; `nil` if everything that the user may read is readable.
  @TaskLocal package static var current: ReadableFolders?

  /// An open folder.
  final class Root: Sendable {
    /// The resolved path.
    let path: String
    let descriptor: Int32
    /// The names of the resolved path.
    let names: [String]
    /// The names of each path to it: resolved, and as given.
    let spellings: [[String]]
    private let ignoresCase: Bool

    private static let flags = OpenedPath.folderFlags | O_NOFOLLOW | O_CLOEXEC

    /// - Parameters:
    ///   - path: The resolved path.
    ///   - name: The name to open in an open folder, without following a link.
    ///   - ignoringCase: `nil` to do as the folder's volume does.
    /// - Returns: `nil` if there is no such folder.
    init?(
      _ given: String, path: String, opening name: String, in folder: Int32 = AT_FDCWD,
      ignoringCase: Bool? = nil
    ) {
      let descriptor = openat(folder, name, Self.flags)
      guard descriptor >= 0 else { return nil }
      self.path = path
      self.descriptor = descriptor
      names = RealPath.names(on: path)
      var spellings = [names, RealPath.names(on: given)]
      #if canImport(Darwin)
        // Foundation's standardized paths lack this prefix.
        if names.first == "private" { spellings.append(Array(names.dropFirst())) }
        ignoresCase = ignoringCase ?? (fpathconf(descriptor, _PC_CASE_SENSITIVE) == 0)
      #else
        ignoresCase = ignoringCase ?? false
      #endif
      self.spellings = spellings
    }

    /// Whether names begin with those of a path to this folder. A name that only resembles one is harmless: what
    /// follows is opened in this folder.
    ///
    /// Bytes are compared, as file systems do: `==` treats composed and decomposed letters as equal. A volume that
    /// ignores case also ignores that.
    func isPrefix(_ start: [String], of names: [String]) -> Bool {
      names.count >= start.count
        && zip(names, start).allSatisfy { name, wanted in
          name.utf8.elementsEqual(wanted.utf8)
            || ignoresCase && name.lowercased() == wanted.lowercased()
        }
    }

    deinit { close(descriptor) }
  }

  private var roots: [Root] = []
  /// Whether the system resolves paths below a folder, if it can.
  private let queriesSystem: Bool
  private let ignoringCase: Bool?

  /// - Parameter folders: Absolute paths; those that do not exist are skipped.
  package init(_ folders: [String]) { self.init(folders, queryingSystem: true) }

  /// - Parameters:
  ///   - queriesSystem: If false, every name is resolved here, as on systems that cannot.
  ///   - ignoringCase: `nil` to do as the volume of each folder does.
  init(_ folders: [String], queryingSystem queriesSystem: Bool, ignoringCase: Bool? = nil) {
    self.queriesSystem = queriesSystem
    self.ignoringCase = ignoringCase
    for folder in folders { add(folder) }
  }

  /// Adds a folder. If only some folders are readable already, it must be one of them or below one.
  package mutating func add(_ folder: String) {
    if let root = root(folder) { roots.append(root) }
  }

  private func root(_ folder: String) -> Root? {
    guard let outer = Self.current else {
      return RealPath.of(folder).flatMap {
        Root(folder, path: $0, opening: $0, ignoringCase: ignoringCase)
      }
    }
    let root = try? outer.find(folder, in: outer.reach(folder)) {
      (entry: ResolvedEntry) throws(FileError) in
      Root(folder, path: entry.path, opening: entry.name, in: entry.folder)
    }
    return root ?? nil
  }

  /// Runs a closure in which only these folders are readable.
  package func only<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
    try Self.$current.withValue(self, operation: work)
  }

  /// Checks the target of a path, which need not exist.
  ///
  /// - Throws: ``FileError/outOfReach(_:real:)`` if its target is outside of the folders, even if it does not
  ///   exist; and errors of resolving it.
  package func check(_ path: String) throws(FileError) {
    do {
      try find(path, in: roots) { (_: ResolvedEntry) throws(FileError) in }
    } catch {
      switch error {
      case .notFound, .unreadable(_, .notAFolder): return
      default: throw error
      }
    }
  }

  // MARK: Opening

  /// Opens a path; links are followed if their targets are allowed.
  func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
    #if canImport(Glibc)
      if queriesSystem, let (root, names) = root(above: path, in: reach(path)), !names.isEmpty {
        let found = strata_open_beneath(
          root.descriptor, names.joined(separator: "/"), flags | O_CLOEXEC)
        if found >= 0 { return found }
        // Links to another of the folders, and absolute links, leave this folder: each name is resolved.
      }
    #endif
    return try find(path, in: reach(path)) { entry throws(FileError) in
      guard entry.status != nil else { throw FileError.notFound(path) }
      let found = openat(entry.folder, entry.name, flags | O_NOFOLLOW | O_CLOEXEC)
      guard found >= 0 else { throw OpenedPath.failure(path) }
      return found
    }
  }

  /// The status of a path.
  func status(_ path: String) throws(FileError) -> FileStatus {
    try find(path, in: reach(path)) { entry throws(FileError) in
      guard let status = entry.status else { throw FileError.notFound(path) }
      return status
    }
  }

  /// The target of a path: the resolved path, and its status if it exists.
  func real(_ path: String) throws(FileError) -> (path: String, status: FileStatus?) {
    try find(path, in: reach(path)) { entry throws(FileError) in (entry.path, entry.status) }
  }

  // MARK: Resolving

  /// A name in an open folder that is not a link.
  private struct ResolvedEntry {
    var folder: Int32
    var name: String
    var path: String
    /// `nil` if it does not exist.
    var status: FileStatus?
  }

  /// The number of links in a path that Linux follows; macOS follows fewer.
  private static let linkLimit = 40

  /// The folders in which a path may be; the private folders of this process contain data that was read already.
  private func reach(_ path: String) -> [Root] {
    guard let own = OwnFolders.folder(above: path) else { return roots }
    return roots + [Root(own.given, path: own.real, opening: own.real)].compactMap(\.self)
  }

  /// Walks from an open folder along a path, and calls `use` at the target.
  private func find<Answer>(
    _ given: String, in roots: [Root], _ use: (ResolvedEntry) throws(FileError) -> Answer
  ) throws(FileError) -> Answer {
    var path = given
    var linkCount = 0
    restart: while true {
      guard let (root, names) = root(above: path, in: roots) else {
        throw .outOfReach(given, real: path)
      }
      var walk = Walk(root)
      var ahead = Array(names.reversed())
      while let name = ahead.popLast() {
        guard name != ".." else {
          if walk.leave() { continue }
          path = Self.joined(RealPath.parent(of: root.path), ahead)
          continue restart
        }
        var status = stat()
        guard fstatat(walk.folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
          guard errno == ENOENT, ahead.isEmpty else { throw OpenedPath.failure(given) }
          return try use(
            ResolvedEntry(folder: walk.folder, name: name, path: walk.path(name), status: nil))
        }
        let found = FileStatus(status)
        if found.kind == .link {
          linkCount += 1
          guard linkCount <= Self.linkLimit, let target = Self.target(name, in: walk.folder) else {
            throw .unreadable(given, .linkLoop)
          }
          if target.utf8.first == UInt8(ascii: "/") {
            path = Self.joined(target, ahead)
            continue restart
          }
          ahead += RealPath.names(on: target).reversed()
        } else if ahead.isEmpty {
          return try use(
            ResolvedEntry(folder: walk.folder, name: name, path: walk.path(name), status: found))
        } else {
          guard walk.enter(name) else { throw OpenedPath.failure(given) }
        }
      }
      var status = stat()
      guard fstat(walk.folder, &status) == 0 else { throw OpenedPath.failure(given) }
      return try use(
        ResolvedEntry(
          folder: walk.folder, name: ".", path: walk.path(nil), status: FileStatus(status)))
    }
  }

  /// The folders entered so far, all open.
  private struct Walk: ~Copyable {
    private let root: Root
    private var entered: [(name: String, descriptor: Int32)] = []

    init(_ root: Root) { self.root = root }

    deinit { for folder in entered { close(folder.descriptor) } }

    var folder: Int32 { entered.last?.descriptor ?? root.descriptor }

    func path(_ name: String?) -> String {
      let names = entered.map(\.name) + (name.map { [$0] } ?? [])
      return ReadableFolders.joined(root.path, names.reversed())
    }

    /// Opens a subfolder of the current folder, unless it is a link.
    mutating func enter(_ name: String) -> Bool {
      let descriptor = openat(folder, name, OpenedPath.folderFlags | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      entered.append((name, descriptor))
      return true
    }

    /// Returns to the parent folder, unless it is the first.
    mutating func leave() -> Bool {
      guard let last = entered.popLast() else { return false }
      close(last.descriptor)
      return true
    }
  }

  /// The folder that contains a path, and the remaining names.
  ///
  /// Only names are compared: a path elsewhere is not accessed, even if it is a link to such a folder.
  private func root(above path: String, in roots: [Root]) -> (root: Root, names: [String])? {
    let names = RealPath.names(on: path)
    for root in roots {
      for spelling in root.spellings where root.isPrefix(spelling, of: names) {
        return (root, Array(names.dropFirst(spelling.count)))
      }
    }
    // `..` is only resolved by name on the way to one of the folders, where there are no links.
    var prefix: [String] = []
    for (index, name) in names.enumerated() {
      guard name != ".." else {
        _ = prefix.popLast()
        continue
      }
      prefix.append(name)
      let below = roots.filter { $0.isPrefix(prefix, of: $0.names) }
      if let root = below.first(where: { $0.names.count == prefix.count }) {
        return (root, Array(names[(index + 1)...]))
      }
      if below.isEmpty { return nil }
    }
    return nil
  }

  /// - Parameter ahead: Names, the last one first.
  private static func joined(_ path: String, _ ahead: [String]) -> String {
    if ahead.isEmpty { return path }
    return ([path == "/" ? "" : path] + ahead.reversed()).joined(separator: "/")
  }

  /// The target of a link; `nil` if it cannot be read, or is not valid UTF-8, which a string would change.
  private static func target(_ link: String, in folder: Int32) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
      let count = buffer.withMemoryRebound(to: CChar.self) { bytes in
        bytes.baseAddress.map { readlinkat(folder, link, $0, bytes.count) } ?? -1
      }
      filled = max(0, count)
    }
    guard !bytes.isEmpty, bytes.count < Int(PATH_MAX) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
