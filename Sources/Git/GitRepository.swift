internal import StrataArchives
internal import StrataEssentials

/// A git repository with a working tree, which is read without changing anything or running any other program.
///
/// Of git, only `for-each-ref`, `rev-parse --verify`, `rev-list`, `merge-base`, `ls-files --stage` and
/// `cat-file --batch` are run. The process of the last one ends when this value goes away.
///
/// ```swift
/// let repository = try GitRepository(containing: "/src/App")
/// let tag = try repository.tags { $0.hasPrefix("v") }.last
/// let head = try repository.commit("HEAD")
/// let models = try repository.tree(of: head) { names, _ in
///   names.last?.hasSuffix(".xcdatamodeld") == true ? .include : .search
/// }
/// print(repository.root, tag?.name ?? "no tag", models.entries.count)
/// ```
///
/// Bare repositories have no folder that contains anything of theirs, and are not found.
package final class GitRepository {
  let location: GitLocation
  let program: GitProgram
  let objects: GitObjects
  var treeCache = GitTreeCache()
  package let limits: GitLimits
  private let currentFolder: String

  /// - Parameters:
  ///   - folder: A folder or file in the working tree; the root is searched upward from it.
  ///   - environment: The environment of git, apart from what would change its meaning; `PATH` has the program.
  ///   - currentFolder: The folder that a relative `GIT_INDEX_FILE` starts from.
  /// - Throws: ``GitError``: not a repository, no git, or a git that is too old; `FileError` if a folder may not be read.
  package init(
    containing folder: String, limits: GitLimits = GitLimits(),
    environment: [String: String] = ProcessInfo.processInfo.environment,
    currentFolder: String = FileManager.default.currentDirectoryPath
  ) throws {
    let location = try GitLocation.find(containing: folder)
    program = try GitProgram(for: location, environment: environment, patience: limits.patience)
    objects = GitObjects(program, limits: limits) { location.clone }
    self.location = location
    self.limits = limits
    self.currentFolder = currentFolder
  }

  /// The absolute path of the top folder of the working tree; links resolved.
  package var root: String { location.root }

  /// Whether older commits, and with them tags, are missing.
  package var isShallow: Bool { location.isShallow }

  /// Whether objects are missing until git fetches them, which is never done here.
  package var isPartial: Bool { location.isPartial }

  /// The number of objects that were read so far.
  package var readObjectCount: Int { objects.count }

  /// The commit of a revision: a branch, a tag, `HEAD~2`, an abbreviated id.
  ///
  /// - Throws: ``GitError/unknownRevision(_:clone:)``.
  package func commit(_ revision: String) throws -> GitObjectID {
    let unknown = GitError.unknownRevision(revision, clone: location.clone)
    // A name that begins with a minus would be an option.
    guard !revision.isEmpty, !revision.hasPrefix("-"),
      !revision.unicodeScalars.contains(where: { $0.value < 32 })
    else { throw unknown }
    let process = try GitProcess(
      program, ["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"],
      patience: limits.patience)
    let line = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 10)
    guard try process.finish(isAnswer: { $0 == 0 || $0 == 1 }) == 0 else { throw unknown }
    guard let line, let id = GitObjectID(hex: String(decoding: line, as: UTF8.self)) else {
      throw GitError.unexpectedOutput(command: "rev-parse")
    }
    return id
  }

  /// The newest commit from which two commits descend, or one of them; `nil` if they have none in common.
  ///
  /// - Throws: ``GitError``.
  package func mergeBase(of a: GitObjectID, _ b: GitObjectID) throws -> GitObjectID? {
    let process = try GitProcess(
      program, ["merge-base", a.description, b.description], patience: limits.patience)
    let line = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 10)
    guard try process.finish(isAnswer: { $0 == 0 || $0 == 1 }) == 0 else { return nil }
    guard let line, let id = GitObjectID(hex: String(decoding: line, as: UTF8.self)) else {
      throw GitError.unexpectedOutput(command: "merge-base")
    }
    return id
  }

  /// The bytes of a file in the repository, as committed: without filters and line end conversion.
  ///
  /// - Parameter limit: The most bytes that it may have; ``GitLimits/blobSize`` by default.
  /// - Throws: ``GitError``: missing in a shallow or partial clone, not a blob, or too large.
  package func blob(_ id: GitObjectID, limit: Int? = nil) throws -> [UInt8] {
    try objects.contents(of: id, type: "blob", limit: limit ?? limits.blobSize)
  }

  /// The index file that the caller's environment names, if it is one of this repository.
  var indexFile: String? { program.indexFile(currentFolder: currentFolder) }
}

extension GitLocation {
  var clone: GitClone { GitClone(isShallow: isShallow, isPartial: isPartial) }
}
