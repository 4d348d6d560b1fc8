internal import Foundation
internal import StrataDiagnostics

/// Which files a session may touch. A document that is replayed is a file too, and must not reach
/// what its reader did not mean it to reach.
public enum FileAccess: Sendable, Hashable {
  /// What the user themselves may.
  case anywhere
  /// Reading below these folders, links followed; no writing.
  case reading(below: [String])

  func checkReading(_ path: String) throws(Diagnostic) {
    guard case .reading(let folders) = self else { return }
    let real = Self.real(path)
    for folder in folders {
      let root = Self.real(folder)
      if real == root || real.hasPrefix(root == "/" ? "/" : root + "/") { return }
    }
    throw Diagnostic(
      id: "session.readRefused", what: "a replayed document may read only below its own folder",
      location: Location(file: path), mend: "allow it with --allow-read <folder>")
  }

  func checkWriting(_ path: String) throws(Diagnostic) {
    guard case .reading = self else { return }
    throw Diagnostic(
      id: "session.writeRefused", what: "a replayed document may write no files",
      location: Location(file: path), mend: "run it with `strata run` if you trust it")
  }

  /// The path without links and dots; of a file that is not there, that of its nearest folder.
  private static func real(_ path: String) -> String {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    if FileManager.default.fileExists(atPath: url.path) {
      return url.resolvingSymlinksInPath().path
    }
    let parent = url.deletingLastPathComponent()
    guard parent.path != url.path else { return url.path }
    return real(parent.path) + "/" + url.lastPathComponent
  }
}
