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
package struct ReadableFolders: Sendable {
  /// What holds for what runs now; `nil` where all that the user may read is read.
  @TaskLocal package static var current: ReadableFolders?

  /// A folder that is open.
  final class Root: Sendable {
    /// The path without links.
    let path: String
    let descriptor: Int32
    /// The names on the path without links.
    let names: [String]
    /// The names on each path that leads to it: without links, and as it was given.
    let ways: [[String]]

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// - Parameters:
    ///   - path: The path without links.
    ///   - name: What to open in an open folder, without following a link.
    /// - Returns: `nil` where there is no such folder.
    init?(_ given: String, path: String, opening name: String, in folder: Int32 = AT_FDCWD) {
      let descriptor = openat(folder, name, Self.flags)
      guard descriptor >= 0 else { return nil }
      self.path = path
      self.descriptor = descriptor
      names = ReadableFolders.names(path)
      var ways = [names, ReadableFolders.names(given)]
      #if canImport(Darwin)
        // Foundation resolves links to paths without this name.
        if names.first == "private" { ways.append(Array(names.dropFirst())) }
      #endif
      self.ways = ways
    }

    deinit { close(descriptor) }
  }

  private var roots: [Root] = []
  /// Whether the system is asked to find files below a folder, where it can.
  private let asksSystem: Bool

  /// - Parameter folders: Absolute paths; those that are not there are left out.
  package init(_ folders: [String]) { self.init(folders, askingSystem: true) }

  /// - Parameter asksSystem: Without it every name is looked at here, as on systems that cannot.
  init(_ folders: [String], askingSystem asksSystem: Bool) {
    self.asksSystem = asksSystem
    for folder in folders { add(folder) }
  }

  /// Opens one more: where only some folders may be read already, only if it is one of them or lies below one.
  package mutating func add(_ folder: String) {
    if let root = Self.root(folder) { roots.append(root) }
  }

  private static func root(_ folder: String) -> Root? {
    guard let outer = current else {
      return RealPath.of(folder).flatMap { Root(folder, path: $0, opening: $0) }
    }
    let root = try? outer.find(folder, in: outer.reach(folder)) {
      (place: Place) throws(FileError) in
      Root(folder, path: place.path, opening: place.name, in: place.folder)
    }
    return root ?? nil
  }

  /// Reads nothing from elsewhere meanwhile.
  package func only<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
    try Self.$current.withValue(self, operation: work)
  }

  /// Checks where a path leads. Nothing need be there.
  ///
  /// - Throws: ``FileError/outOfReach(_:real:)`` where it leads to what lies elsewhere, be it there or not; and
  ///   whatever keeps anybody from knowing where it leads.
  package func check(_ path: String) throws(FileError) {
    do {
      try find(path, in: roots) { (_: Place) throws(FileError) in }
    } catch {
      switch error {
      case .notFound, .unreadable(_, .notAFolder): return
      default: throw error
      }
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

  /// How many links in a path Linux follows; macOS follows fewer.
  private static let linkLimit = 40

  /// The folders below which a path may lie: in those of this process's own is what was read already.
  private func reach(_ path: String) -> [Root] {
    guard let own = OwnFolders.folder(above: path) else { return roots }
    return roots + [Root(own.given, path: own.real, opening: own.real)].compactMap(\.self)
  }

  /// Walks from a folder that is open to where a path leads, and lets `use` do something there.
  private func find<Answer>(
    _ given: String, in roots: [Root], _ use: (Place) throws(FileError) -> Answer
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
          return try use(Place(folder: walk.folder, name: name, path: walk.path(name), status: nil))
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
          ahead += Self.names(target).reversed()
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
  ///
  /// Only names are compared: what lies elsewhere, be it a link to such a folder, is not looked at.
  private func root(above path: String, in roots: [Root]) -> (root: Root, names: [String])? {
    let names = Self.names(path)
    for root in roots {
      for way in root.ways where Self.isPrefix(way, of: names) {
        return (root, Array(names.dropFirst(way.count)))
      }
    }
    // `..` is known to lead back only on the way to one of the folders, where there are no links.
    var way: [String] = []
    for (index, name) in names.enumerated() {
      guard name != ".." else {
        _ = way.popLast()
        continue
      }
      way.append(name)
      let below = roots.filter { Self.isPrefix(way, of: $0.names) }
      if let root = below.first(where: { $0.names.count == way.count }) {
        return (root, Array(names[(index + 1)...]))
      }
      if below.isEmpty { return nil }
    }
    return nil
  }

  /// Compares bytes, as file systems do: `==` takes composed and decomposed letters for equal.
  private static func isPrefix(_ start: [String], of names: [String]) -> Bool {
    names.count >= start.count
      && zip(names, start).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  /// The names on a path, separated as the system does it: a combining mark behind a slash makes it no other
  /// character.
  private static func names(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      .filter { $0 != "." }
  }

  /// - Parameter ahead: Names, the last one first.
  private static func joined(_ path: String, _ ahead: [String]) -> String {
    if ahead.isEmpty { return path }
    return ([path == "/" ? "" : path] + ahead.reversed()).joined(separator: "/")
  }

  /// Where a link leads; `nil` where it cannot be read, or is no text: as text it would lead elsewhere.
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
