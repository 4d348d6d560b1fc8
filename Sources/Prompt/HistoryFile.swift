internal import StrataArchives
internal import StrataCommands
internal import StrataEssentials

/// The file of typed lines, readable only by its owner.
///
/// Each line is appended when it is typed, so that two concurrent prompts lose no lines. If the file cannot
/// be written, the history is kept only in the session.
struct HistoryFile {
  let path: String

  /// Whether a line was ever typed.
  var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// Reads the history; a file that is much larger than the kept lines is rewritten.
  func read() -> CommandHistory {
    guard let (history, kept) = contents() else { return CommandHistory() }
    if kept != nil { shorten() }
    return history
  }

  /// The contents of the file, and its new contents if the kept lines are much fewer.
  private func contents() -> (history: CommandHistory, kept: String?)? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let history = CommandHistory(reading: String(decoding: data, as: UTF8.self))
    let kept = history.lines.map(CommandHistory.text(of:)).joined()
    return (history, data.count > 2 * kept.utf8.count + 4096 ? kept : nil)
  }

  func append(_ line: String) {
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    FolderLock.whileAlone(in: folder) {
      try? FileBytes.append(Array(CommandHistory.text(of: line).utf8), to: path, permissions: 0o600)
    }
  }

  private var folder: String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  private func shorten() {
    FolderLock.whileAlone(in: folder) {
      // Another prompt may have added lines or rewritten the file meanwhile.
      guard let kept = contents()?.kept else { return }
      let fresh = path + ".\(ProcessInfo.processInfo.processIdentifier)"
      guard
        FileManager.default.createFile(
          atPath: fresh, contents: Data(kept.utf8), attributes: [.posixPermissions: 0o600])
      else { return }
      if rename(fresh, path) != 0 { try? FileManager.default.removeItem(atPath: fresh) }
    }
  }
}
