extension GitRepository {
  /// The commits from a revision back that have changed a file, newest first; none if the clone lacks some of them.
  ///
  /// Source: git-rev-list(1), `--max-count`; gitglossary(7), pathspec.
  ///
  /// - Parameters:
  ///   - names: The path from the root.
  ///   - limit: The largest number of commits.
  /// - Throws: ``GitError``.
  package func commits(
    changing names: [String], from revision: String = "HEAD", limit: Int
  ) throws -> [GitObjectID] {
    let start = try commit(revision).description
    let path = ":(top,literal)" + names.joined(separator: "/")
    let process = try GitProcess(
      program, ["rev-list", "--max-count=\(limit)", start, "--", path], patience: limits.patience)
    var found: [GitObjectID] = []
    do {
      while let line = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 10) {
        guard let id = GitObjectID(hex: String(decoding: line, as: UTF8.self)) else {
          throw GitError.unexpectedOutput(command: "rev-list")
        }
        found.append(id)
      }
      try process.finish()
    } catch GitError.commandFailed {
      return []
    }
    return found
  }
}
