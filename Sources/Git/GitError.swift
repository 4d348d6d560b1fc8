/// An error of reading a git repository: facts only; the messages are in `GitError+Diagnostic.swift`.
package enum GitError: Error, Hashable, Sendable {
  /// Neither the folder nor one above it is the root of a repository.
  case notARepository(folder: String)
  /// A `.git` file that does not lead to a repository.
  case brokenGitFile(path: String)
  /// No folder of `PATH` contains a program `git`.
  case gitNotFound
  case gitTooOld(version: String, minimum: String)
  /// The system does not start the program.
  case gitNotStarted(reason: String)
  /// A git command that failed.
  ///
  /// - Parameter message: The first line of its standard error.
  case commandFailed(command: String, message: String)
  /// A git command that wrote nothing for too long.
  case notResponding(command: String, seconds: Int)
  /// Output of a git command that is not in its documented format.
  case unexpectedOutput(command: String)
  /// The repository belongs to another user, and git refuses to read it.
  case foreignOwner(root: String)
  case unknownRevision(String, clone: GitClone)
  /// An object that the clone does not contain.
  case missingObject(GitObjectID, clone: GitClone)
  /// An object of another type, such as a tree instead of a blob.
  case wrongType(GitObjectID, wanted: String, found: String)
  case malformedObject(GitObjectID, reason: String)
  /// A blob, the nesting depth, the number of entries or the bytes in total are above a limit.
  case tooLarge(what: String, limit: Int)
  /// A path that could lead out of a folder or into a repository's own files.
  case hostilePath(String)
  /// A path that is not valid UTF-8, shown with replacement characters.
  case unreadablePath(String)
  /// A path with an unresolved merge conflict in the index.
  case unmerged(path: String)
  /// The folder for the files of a tree contains something, or others can access it.
  case folderNotPrivate(path: String)

  /// Whether an object is missing or damaged: others can be read.
  package var isOfObject: Bool {
    switch self {
    case .missingObject, .malformedObject, .wrongType: true
    default: false
    }
  }
}

/// What a clone lacks of the repository that it was cloned from.
package struct GitClone: Hashable, Sendable {
  /// Whether commits older than some are missing: `git clone --depth`.
  package var isShallow: Bool
  /// Whether objects are missing until git fetches them: `git clone --filter`.
  package var isPartial: Bool

  package init(isShallow: Bool, isPartial: Bool) {
    (self.isShallow, self.isPartial) = (isShallow, isPartial)
  }
}
