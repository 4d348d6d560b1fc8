internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

/// The user's editor: `VISUAL`, `EDITOR` or `vi`.
package enum TextEditor {
  /// What the user has made of a text.
  package enum Result: Hashable, Sendable {
    case saved(String)
    /// The file is as it was written, also its time.
    case notSaved
    /// The editor fails, or what it leaves is no text.
    case failed
  }

  /// The size of a text from which on it is no command.
  private static let limit = 1 << 20

  /// Lets the user edit a text in a file.
  ///
  /// - Parameter path: A file of the user's own, which is written and removed.
  package static func edited(_ text: String, in path: String) -> Result {
    defer { unlink(path) }
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { return .failed }
    let before = FileStatus(path)?.stamp
    let environment = ProcessInfo.processInfo.environment
    let names = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self)
    let command = names.first { !$0.isEmpty } ?? "vi"
    let editor = try? ChildProcess.shell(command + " \"$1\"", [path], environment: environment)
    guard editor?.wait() == 0, let after = FileStatus(path),
      after.kind == .file, after.size <= limit,
      let data = FileManager.default.contents(atPath: path),
      let edited = String(validating: data, as: UTF8.self)
    else { return .failed }
    guard after.stamp != before else { return .notSaved }
    // Some editors begin a file with a byte order mark.
    return .saved(String(edited.drop { $0 == "\u{FEFF}" }))
  }
}
