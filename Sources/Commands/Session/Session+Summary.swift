internal import Foundation
internal import StrataArchives
internal import StrataBase

extension Session {
  /// Appends Markdown to the summary of the workflow step that runs Strata, if there is one.
  ///
  /// Other commands of the step append to the same file, so it is not replaced. A replayed document and a session
  /// whose files are private never write to it.
  ///
  /// - Throws: ``FileError/unwritable(_:reason:)``.
  func addToSummary(_ text: [UInt8]) throws {
    guard let path = summaryFile, isUsersOwn, overlay == nil else { return }
    let kind = FileStatus(path)?.kind
    guard path.hasPrefix("/"), kind == nil || kind == .file else {
      throw FileError.unwritable(path, reason: "the summary of a step is a regular file")
    }
    do {
      let url = URL(fileURLWithPath: path)
      if kind == nil { try Data().write(to: url, options: .withoutOverwriting) }
      let file = try FileHandle(forWritingTo: url)
      defer { try? file.close() }
      let size = try file.seekToEnd()
      // The last line of another command may have no end.
      try file.write(contentsOf: Data((size == 0 ? [] : Array("\n\n".utf8)) + text))
    } catch {
      throw FileError.unwritable(path, reason: "it cannot be opened")
    }
  }
}
