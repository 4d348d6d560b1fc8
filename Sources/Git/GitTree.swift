/// The chosen entries of a revision.
package struct GitTree: Sendable, Hashable {
  package let commit: GitObjectID
  /// The id of the top folder: equal for commits with the same files.
  package let id: GitObjectID
  /// In byte order of their paths.
  package let entries: [GitEntry]
}

/// Reads the files of many revisions: each distinct tree object is read once, and each folder that is unchanged at its
/// path is searched once.
///
/// ```swift
/// let repository = try GitRepository(containing: ".")
/// let trees = GitTrees(of: repository) { names, kind in
///   names.last == "Pods" ? .exclude : names.last == "contents" ? .include : .search
/// }
/// for tag in try repository.tags(where: { _ in true }) {
///   print(tag.name, try trees.tree(of: tag.commit).entries.map(\.path))
/// }
/// ```
package final class GitTrees {
  private let repository: GitRepository
  private let filter: GitFilter
  /// What was found in each folder: a filter depends on the path, so a folder is searched again if it was moved.
  private var found: [Folder: [GitEntry]] = [:]
  /// The entries of the current revision that were looked at.
  private var visitedCount = 0

  private struct Folder: Hashable {
    var id: GitObjectID
    /// Bytes: composed and decomposed letters are different paths.
    var path: [UInt8]
  }

  package init(of repository: GitRepository, where filter: @escaping GitFilter) {
    (self.repository, self.filter) = (repository, filter)
  }

  /// The chosen entries of a commit.
  ///
  /// - Throws: ``GitError``: an object is missing, damaged or too large; an entry has a hostile name; a chosen entry has
  ///   a name that is not valid UTF-8.
  package func tree(of commit: GitObjectID) throws -> GitTree {
    visitedCount = 0
    let id = try repository.treeID(of: commit)
    let position = Position(names: [], isIncluded: false, isExact: true)
    return GitTree(commit: commit, id: id, entries: try entries(below: id, at: position))
  }

  private struct Position {
    var names: [String]
    /// Whether a folder above was chosen.
    var isIncluded: Bool
    /// Whether all names are valid UTF-8.
    var isExact: Bool

    func entered(_ entry: GitTreeObject.Entry) -> Position {
      Position(
        names: names + [entry.name], isIncluded: isIncluded, isExact: isExact && entry.isExact)
    }
  }

  /// The largest number of folders that are remembered.
  private static let rememberedCount = 500_000

  private func entries(below id: GitObjectID, at position: Position) throws -> [GitEntry] {
    let folder = Folder(id: id, path: Array(position.names.joined(separator: "/").utf8))
    if let known = found[folder] { return known }
    let limits = repository.limits
    guard position.names.count <= limits.depth else {
      throw GitError.tooLarge(what: "the nesting depth of folders", limit: limits.depth)
    }
    let object = try treeObject(id, at: position)
    visitedCount += object.entries.count
    guard visitedCount <= limits.entryCount else {
      throw GitError.tooLarge(what: "the number of files of a revision", limit: limits.entryCount)
    }
    var entries: [GitEntry] = []
    for entry in object.entries {
      entries += try chosen(entry, at: position.entered(entry))
    }
    if found.count >= Self.rememberedCount { found.removeAll() }
    found[folder] = entries
    return entries
  }

  /// - Throws: Errors with the whole path of a hostile name: a tree object does not know where it is.
  private func treeObject(_ id: GitObjectID, at position: Position) throws -> GitTreeObject {
    do {
      return try repository.treeObject(id)
    } catch GitError.hostilePath(let name) {
      throw GitError.hostilePath((position.names + [name]).joined(separator: "/"))
    }
  }

  private func chosen(_ entry: GitTreeObject.Entry, at position: Position) throws -> [GitEntry] {
    let choice = position.isIncluded ? .include : filter(position.names, entry.kind)
    if entry.kind == .folder {
      if choice == .exclude { return [] }
      var position = position
      position.isIncluded = choice == .include
      return try entries(below: entry.id, at: position)
    }
    guard choice == .include else { return [] }
    guard position.isExact else {
      throw GitError.unreadablePath(position.names.joined(separator: "/"))
    }
    return [GitEntry(names: position.names, kind: entry.kind, id: entry.id)]
  }
}

extension GitRepository {
  /// The chosen entries of one commit; for more than one, ``GitTrees`` reads less.
  package func tree(of commit: GitObjectID, where filter: GitFilter) throws -> GitTree {
    try withoutActuallyEscaping(filter) { try GitTrees(of: self, where: $0).tree(of: commit) }
  }

  /// The id of the top folder of a commit.
  ///
  /// Source: a commit object begins with the line `tree <id>`.
  fileprivate func treeID(of commit: GitObjectID) throws -> GitObjectID {
    if let known = treeCache.treeIDs[commit] { return known }
    let bytes = try objects.contents(of: commit, type: "commit", limit: limits.treeSize)
    let id = try GitHeader(bytes, of: commit).id("tree")
    treeCache.treeIDs[commit] = id
    return id
  }

  fileprivate func treeObject(_ id: GitObjectID) throws -> GitTreeObject {
    if let known = treeCache.trees[id] { return known }
    let bytes = try objects.contents(of: id, type: "tree", limit: limits.treeSize)
    let tree = try GitTreeObject(reading: bytes, id: id)
    treeCache.add(tree, id: id, size: bytes.count, limit: limits.cacheSize)
    return tree
  }
}

/// The tree objects that were read.
struct GitTreeCache {
  var treeIDs: [GitObjectID: GitObjectID] = [:]
  private(set) var trees: [GitObjectID: GitTreeObject] = [:]
  private var size = 0

  /// - Parameter size: The bytes of the object.
  mutating func add(_ tree: GitTreeObject, id: GitObjectID, size: Int, limit: Int) {
    if self.size + size > limit {
      trees.removeAll()
      self.size = 0
    }
    trees[id] = tree
    self.size += size
  }
}

/// The lines before the message of a commit or a tag.
///
/// Shape: `<word> SP <value> LF`, up to an empty line.
struct GitHeader {
  private let lines: [Substring]
  private let object: GitObjectID

  init(_ bytes: [UInt8], of object: GitObjectID) {
    let text = String(decoding: bytes.prefix(Self.size), as: UTF8.self)
    lines = Array(
      text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty })
    self.object = object
  }

  /// The bytes in which the lines that are read here are found.
  private static let size = 64 << 10

  /// The value of the first line that begins with a word.
  ///
  /// - Throws: ``GitError/malformedObject(_:reason:)``.
  func value(_ word: String) throws -> Substring {
    guard let line = lines.first(where: { $0.hasPrefix("\(word) ") }) else {
      throw GitError.malformedObject(object, reason: "it has no line \(word)")
    }
    return line.dropFirst(word.count + 1)
  }

  func id(_ word: String) throws -> GitObjectID {
    guard let id = GitObjectID(hex: try value(word)) else {
      throw GitError.malformedObject(object, reason: "its \(word) is not an id")
    }
    return id
  }

  /// The time of a line `committer <name> <<address>> <seconds> <zone>`, in seconds since 1970.
  func seconds(_ word: String) throws -> Int64 {
    let words = try value(word).split(separator: " ")
    return words.dropLast().last.flatMap { Int64($0) } ?? 0
  }
}
