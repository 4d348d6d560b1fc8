internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The user's editor: `VISUAL`, `EDITOR` or `vi`.
package enum TextEditor {
  /// Lets the user edit a text in a file.
  ///
  /// - Parameter path: A file of the user's own, which is written and removed.
  /// - Returns: The new text; `nil` if the editor fails or the file cannot be written or read.
  package static func edited(_ text: String, in path: String) -> String? {
    defer { unlink(path) }
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { return nil }
    let environment = ProcessInfo.processInfo.environment
    let names = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self)
    let command = names.first { !$0.isEmpty } ?? "vi"
    let editor = ShellCommand(
      command + " \"$1\"", [path], environment: environment, input: STDIN_FILENO)
    guard editor?.wait() == 0, let data = FileManager.default.contents(atPath: path) else {
      return nil
    }
    return String(validating: data, as: UTF8.self)
  }
}
