internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

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
    // The last line of another command may have no end.
    let isEmpty = (FileStatus(path)?.size ?? 0) == 0
    try FileBytes.append((isEmpty ? [] : Array("\n\n".utf8)) + text, to: path)
  }
}
