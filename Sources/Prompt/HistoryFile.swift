internal import Foundation
internal import StrataCommands

/// The typed lines as a file that only its owner may read.
///
/// Each line is appended when it is typed, so that two prompts at a time lose nothing to one another.
/// Where the file cannot be written, the session remembers for itself.
struct HistoryFile {
  let path: String

  /// The history as it is; a file that has grown far beyond what is kept is written anew.
  func read() -> CommandHistory {
    guard let data = FileManager.default.contents(atPath: path) else { return CommandHistory() }
    let history = CommandHistory(reading: String(decoding: data, as: UTF8.self))
    let kept = history.lines.map(CommandHistory.text(of:)).joined()
    if data.count > 2 * kept.utf8.count + 4096 { replace(with: kept) }
    return history
  }

  func append(_ line: String) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    defer { try? file.close() }
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data(CommandHistory.text(of: line).utf8))
  }

  private func replace(with text: String) {
    let fresh = path + ".\(ProcessInfo.processInfo.processIdentifier)"
    guard
      FileManager.default.createFile(
        atPath: fresh, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    else { return }
    if rename(fresh, path) != 0 { try? FileManager.default.removeItem(atPath: fresh) }
  }
}
