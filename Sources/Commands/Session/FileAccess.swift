internal import StrataArchives
internal import StrataBase

/// The files that a session may read and write. A replayed document may come from another person and must not
/// reach other files.
enum FileAccess: Sendable {
  /// All files that the user can access.
  case anywhere
  /// Only files in these folders; links are followed if they stay in them.
  case below(ReadableFolders)

  var isAnywhere: Bool { folders == nil }

  private var folders: ReadableFolders? {
    switch self {
    case .anywhere: nil
    case .below(let folders): folders
    }
  }

  /// The folders that a document may read if it runs with the permissions of this session.
  var readableFolders: ReadableFolders { folders ?? ReadableFolders(["/"]) }

  /// Runs a closure in which only permitted files can be opened, by any function.
  func whileReading<Answer>(_ work: () throws -> Answer) rethrows -> Answer {
    try ReadableFolders.$current.withValue(folders, operation: work)
  }

  /// Throws early, with the typed path, if the file may not be opened.
  func check(_ path: String) throws(Diagnostic) {
    do {
      try folders?.check(path)
    } catch {
      throw error.diagnostic
    }
  }

  /// The entries of a folder that may not be read: links to files elsewhere.
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

  /// A folder and its entries, each of which may be a link.
  func checkFolder(_ path: String) throws(Diagnostic) {
    guard case .below = self else { return }
    try check(path)
    for name in (try? OpenedPath.names(in: path)) ?? [] {
      try check("\(path)/\(name)")
    }
  }
}
