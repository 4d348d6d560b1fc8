internal import Foundation
internal import StrataDiagnostics

/// Which files a session may touch. A document that is replayed is a file too, and must not reach
/// what its reader did not mean it to reach.
enum FileAccess: Sendable, Hashable {
  /// What the user themselves may.
  case anywhere
  /// Below these folders, links followed.
  case below([String])

  func check(_ path: String) throws(Diagnostic) {
    guard case .below(let folders) = self else { return }
    let real = Self.real(path)
    for folder in folders {
      let root = Self.real(folder)
      if real == root || real.hasPrefix(root == "/" ? "/" : root + "/") { return }
    }
    let isLink = real != URL(fileURLWithPath: path).standardizedFileURL.path
    throw Diagnostic(
      id: "session.pathRefused", what: "a replayed document reaches only below its own folder",
      location: Location(file: path),
      mend:
        "allow it with --allow-read <folder>\(isLink ? ", naming the folder that the link leads to" : "")",
      notes: isLink ? ["it is a link to \(real)"] : [])
  }

  /// A folder and what stands in it, each of which may be a link.
  func checkFolder(_ path: String) throws(Diagnostic) {
    guard case .below = self else { return }
    try check(path)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      try check("\(path)/\(name)")
    }
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
