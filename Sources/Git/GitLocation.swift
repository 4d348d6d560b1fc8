internal import StrataArchives
internal import StrataEssentials

/// The folders of a repository, found without running git.
///
/// A linked worktree and a submodule have a file `.git` with the path of their git folder. Objects and refs of a
/// linked worktree are in the common folder; for other repositories that is the git folder itself.
struct GitLocation: Hashable, Sendable {
  /// The top folder of the working tree; links resolved.
  var root: String
  var gitFolder: String
  var commonFolder: String

  /// Searches upward for `.git`.
  ///
  /// As in git, a folder `.git` without a `HEAD` does not count.
  ///
  /// - Parameter folder: A folder or file in the working tree.
  /// - Throws: ``GitError/notARepository(folder:)``, ``GitError/brokenGitFile(path:)``; `FileError` if a folder on the
  ///   way may not be read.
  static func find(containing folder: String) throws -> GitLocation {
    guard let start = realPath(folder) else {
      throw GitError.notARepository(folder: folder)
    }
    var root = start
    while true {
      let path = joined(root, ".git")
      switch try OpenedPath.kind(path) {
      case .folder? where hasHead(path):
        return GitLocation(root: root, gitFolder: path, commonFolder: try commonFolder(of: path))
      case .file?:
        let gitFolder = try target(of: path, in: root)
        return GitLocation(
          root: root, gitFolder: gitFolder, commonFolder: try commonFolder(of: gitFolder))
      default: break
      }
      guard root != "/" else { throw GitError.notARepository(folder: folder) }
      root = parent(of: root)
    }
  }

  /// Whether the file `shallow` names a commit without its parents.
  var isShallow: Bool {
    (FileStatus(Self.joined(commonFolder, "shallow"))?.size ?? 0) > 0
  }

  /// Whether a pack is from a remote that promised to send missing objects later.
  var isPartial: Bool {
    let names = try? OpenedPath.names(in: Self.joined(commonFolder, "objects/pack"))
    return names?.contains { $0.hasSuffix(".promisor") } ?? false
  }

  // MARK: Files of git

  /// The longest file `.git` or `commondir` that is read, in bytes.
  private static let pathFileSize = 16 << 10

  private static func hasHead(_ gitFolder: String) -> Bool {
    // A link is valid: older versions of git link HEAD to the file of the branch.
    FileStatus(joined(gitFolder, "HEAD")) != nil
  }

  /// The git folder that a file `.git` names: `gitdir: <path>`.
  private static func target(of file: String, in folder: String) throws -> String {
    let text = String(decoding: try FileBytes.read(file, limit: pathFileSize), as: UTF8.self)
    let label = "gitdir:"
    guard text.hasPrefix(label),
      let gitFolder = realPath(resolved(line(text.dropFirst(label.count)), in: folder)),
      try OpenedPath.kind(gitFolder) == .folder, hasHead(gitFolder)
    else { throw GitError.brokenGitFile(path: file) }
    return gitFolder
  }

  private static func commonFolder(of gitFolder: String) throws -> String {
    let file = joined(gitFolder, "commondir")
    guard try OpenedPath.kind(file) == .file else { return gitFolder }
    let text = String(decoding: try FileBytes.read(file, limit: pathFileSize), as: UTF8.self)
    guard let folder = realPath(resolved(line(text[...]), in: gitFolder)),
      try OpenedPath.kind(folder) == .folder
    else { throw GitError.brokenGitFile(path: file) }
    return folder
  }

  /// The text without spaces at its beginning and line ends at its end.
  private static func line(_ text: Substring) -> String {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last?.isNewline == true { text.removeLast() }
    return String(text)
  }

  // MARK: Paths

  static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  static func resolved(_ path: String, in folder: String) -> String {
    path.utf8.first == UInt8(ascii: "/") ? path : joined(folder, path)
  }

  static func joined(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  /// The folder above an absolute path.
  static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }
}
