internal import COpenBeneath
internal import StrataBase

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The folders below which files are read, and no others: those of a document that somebody else wrote.
///
/// They are opened once. While they are ``current``, whatever Strata reads is found from there, name by name:
/// a link is followed only to where it stays below one of them, whoever changes the folders meanwhile.
///
/// ```swift
/// let folders = ReadableFolders(["/docs"])
/// folders.only { try FileBytes.read("/docs/link-to-etc/hosts") }  // FileError.outOfReach
/// ```
public struct ReadableFolders: Sendable {
  /// What holds for what runs now; `nil` where all that the user may read is read.
  @TaskLocal public static var current: ReadableFolders?

  /// A folder that is open.
  final class Root: Sendable {
    /// The paths that lead to it: as it was named, and without links.
    let given: String
    let path: String
    let descriptor: Int32

    /// - Parameter real: The path without links, where it is known: then it is one still.
    /// - Returns: `nil` where there is no such folder.
    init?(_ given: String, real: String? = nil) {
      let path = real ?? RealPath.of(given)
      let descriptor = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      self.given = given
      self.path = path
      self.descriptor = descriptor
    }

    deinit { close(descriptor) }
  }

  private var roots: [Root] = []
  /// Whether the system is asked to find files below a folder, where it can.
  private let asksSystem: Bool

  /// - Parameter folders: Absolute paths; those that are not there are left out.
  public init(_ folders: [String]) { self.init(folders, askingSystem: true) }

  /// - Parameter asksSystem: Without it every name is looked at here, as on systems that cannot.
  init(_ folders: [String], askingSystem asksSystem: Bool) {
    self.asksSystem = asksSystem
    for folder in folders { add(folder) }
  }

  /// Opens one more.
  public mutating func add(_ folder: String) {
    if let root = Root(folder) { roots.append(root) }
  }

  /// Reads nothing from elsewhere meanwhile.
  public func only<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
    try Self.$current.withValue(self, operation: work)
  }

  /// - Throws: ``FileError/outOfReach(_:real:)`` where a path leads to what lies elsewhere, be it there or not.
  public func check(_ path: String) throws(FileError) {
    do {
      try find(path, in: roots) { (_: Place) throws(FileError) in }
    } catch {
      if case .outOfReach = error { throw error }
    }
  }

  // MARK: Opening

  /// Opens what stands at a path; a link in its place or on the way is followed to where it may lead.
  func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
    #if canImport(Glibc)
      if asksSystem, let (root, names) = root(above: path, in: reach(path)), !names.isEmpty {
        let found = strata_open_beneath(
          root.descriptor, names.joined(separator: "/"), flags | O_CLOEXEC)
        if found >= 0 { return found }
        // Links to another of the folders, and whole paths, lead out of this one: each name is looked at.
      }
    #endif
    return try find(path, in: reach(path)) { place throws(FileError) in
      guard place.status != nil else { throw FileError.notFound(path) }
      let found = openat(place.folder, place.name, flags | O_NOFOLLOW | O_CLOEXEC)
      guard found >= 0 else { throw OpenedPath.failure(path) }
      return found
    }
  }

  /// What stands at a path.
  func status(_ path: String) throws(FileError) -> FileStatus {
    try find(path, in: reach(path)) { place throws(FileError) in
      guard let status = place.status else { throw FileError.notFound(path) }
      return status
    }
  }

  /// Where a path leads to: the path without links, and what stands there, if anything does.
  func real(_ path: String) throws(FileError) -> (path: String, status: FileStatus?) {
    try find(path, in: reach(path)) { place throws(FileError) in (place.path, place.status) }
  }

  // MARK: Finding

  /// A name in an open folder, which is no link.
  private struct Place {
    var folder: Int32
    var name: String
    var path: String
    /// `nil` where nothing stands there.
    var status: FileStatus?
  }

  /// As many as Linux follows.
  private static let linkLimit = 40

  /// The folders below which a path may lie: in those of this process's own is what was read already.
  private func reach(_ path: String) -> [Root] {
    guard let own = OwnFolders.folder(above: path) else { return roots }
    return roots + [Root(own.given, real: own.real)].compactMap(\.self)
  }

  /// Walks from a folder that is open to where a path leads, and lets `use` do something there.
  private func find<Answer>(
    _ given: String, in roots: [Root], _ use: (Place) throws(FileError) -> Answer
  ) throws(FileError) -> Answer {
    var path = given
    var steps = 0
    restart: while steps <= Self.linkLimit {
      steps += 1
      guard
        let (root, names) = root(above: path, in: roots)
          ?? root(above: RealPath.of(path), in: roots)
      else { throw .outOfReach(given, real: RealPath.of(given)) }
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
          return try use(Place(folder: walk.folder, name: name, path: walk.path(name), status: nil))
        }
        let found = FileStatus(status)
        if found.kind == .link {
          steps += 1
          guard steps <= Self.linkLimit, let target = Self.target(name, in: walk.folder) else {
            throw .unreadable(given, .linkLoop)
          }
          if target.hasPrefix("/") {
            path = Self.joined(target, ahead)
            continue restart
          }
          ahead += Self.names(target[...]).reversed()
        } else if ahead.isEmpty {
          return try use(
            Place(folder: walk.folder, name: name, path: walk.path(name), status: found))
        } else {
          guard walk.enter(name) else { throw OpenedPath.failure(given) }
        }
      }
      var status = stat()
      guard fstat(walk.folder, &status) == 0 else { throw OpenedPath.failure(given) }
      return try use(
        Place(folder: walk.folder, name: ".", path: walk.path(nil), status: FileStatus(status)))
    }
    throw .unreadable(given, .linkLoop)
  }

  /// The folders that were entered on the way, each open.
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

    /// Opens a folder in the one where the walk is, if it is no link.
    mutating func enter(_ name: String) -> Bool {
      #if canImport(Glibc)
        let look = strata_open_path
      #else
        let look = O_RDONLY
      #endif
      let descriptor = openat(folder, name, look | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      entered.append((name, descriptor))
      return true
    }

    /// Goes back by one folder, where it is not the first.
    mutating func leave() -> Bool {
      guard let last = entered.popLast() else { return false }
      close(last.descriptor)
      return true
    }
  }

  /// The folder that a path lies below, and the names from there on.
  private func root(above path: String, in roots: [Root]) -> (root: Root, names: [String])? {
    for root in roots {
      for start in [root.given, root.path] where RealPath.of(path, isBelow: start) {
        return (root, Self.names(path.dropFirst(start.count)))
      }
    }
    return nil
  }

  private static func names(_ path: Substring) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }

  /// - Parameter ahead: Names, the last one first.
  private static func joined(_ path: String, _ ahead: [String]) -> String {
    if ahead.isEmpty { return path }
    return ([path == "/" ? "" : path] + ahead.reversed()).joined(separator: "/")
  }

  private static func target(_ link: String, in folder: Int32) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, filled in
      let count = buffer.withMemoryRebound(to: CChar.self) { bytes in
        bytes.baseAddress.map { readlinkat(folder, link, $0, bytes.count) } ?? -1
      }
      filled = max(0, count)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
