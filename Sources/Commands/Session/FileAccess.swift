internal import StrataArchives
internal import StrataBase

/// Which files a session may touch. A document that is replayed is a file too, and must not reach
/// what its reader did not mean it to reach.
enum FileAccess: Sendable {
  /// What the user themselves may.
  case anywhere
  /// Below these folders, links followed that stay there.
  case below(ReadableFolders)

  var isAnywhere: Bool { folders == nil }

  private var folders: ReadableFolders? {
    switch self {
    case .anywhere: nil
    case .below(let folders): folders
    }
  }

  /// The folders that a document may read which runs with the rights of this session.
  var readableFolders: ReadableFolders { folders ?? ReadableFolders(["/"]) }

  /// Reads nothing meanwhile but what this lets a session read: every road that opens a file keeps to it.
  func whileReading<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
    try ReadableFolders.$current.withValue(folders, operation: work)
  }

  /// Says early, and in the words of the path that was typed, what no road would open.
  func check(_ path: String) throws(Diagnostic) {
    do {
      try folders?.check(path)
    } catch {
      throw error.diagnostic
    }
  }

  /// What a folder holds that this may not read: links that lead elsewhere.
  func refusals(in folder: String) -> [Diagnostic] {
    guard case .below = self else { return [] }
    return ((try? OpenedPath.names(in: folder)) ?? []).compactMap { name in
      do throws(Diagnostic) {
        try check("\(folder)/\(name)")
        return nil
      } catch {
        return error
      }
    }
  }

  /// A folder and what stands in it, each of which may be a link.
  func checkFolder(_ path: String) throws(Diagnostic) {
    guard case .below = self else { return }
    try check(path)
    for name in (try? OpenedPath.names(in: path)) ?? [] {
      try check("\(path)/\(name)")
    }
  }
}
