extension SessionDocument {
  /// Writes commands and outputs down as a new document: what `save` puts into a file.
  ///
  /// ```swift
  /// let document = try SessionDocument(
  ///   entries: [SessionEntry(command: "loaded", recorded: RecordedOutput())], form: .script)
  /// document.text  // "loaded\n#? 0\n"
  /// ```
  ///
  /// Reading the text gives entries with the same commands and outputs, whatever these hold. A
  /// notebook is a single block, with a fence longer than any in the outputs. No entries give an
  /// empty text.
  ///
  /// - Throws: `lineBreakInCommand`, or a size that ``SessionLimits`` does not allow.
  public init(entries: [SessionEntry], form: SessionForm) throws(NotebookError) {
    var lines: [String] = []
    let notation = SessionNotation(form: form)
    for (index, entry) in entries.enumerated() {
      guard !entry.command.utf8.contains(where: { $0 == .lineFeed || $0 == .carriageReturn }) else {
        throw .lineBreakInCommand(entry: index)
      }
      if index > 0, entries[index - 1].recorded != nil { lines.append("") }
      lines += notation.lines(command: entry.command)
      if let recorded = entry.recorded { lines += notation.lines(output: recorded) }
    }
    if form == .markdown, !entries.isEmpty {
      let fence = String(repeating: "`", count: Fence.length(toHold: lines, of: UInt8(ascii: "`")))
      lines = [fence + "strata"] + lines + [fence]
    }
    try self.init(reading: lines.map { $0 + "\n" }.joined(), form: form)
    assert(self.entries.map(\.recorded) == entries.map(\.recorded))
  }
}
