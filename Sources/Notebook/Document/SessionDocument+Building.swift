extension SessionDocument {
  /// Writes commands and outputs down as a new document.
  ///
  /// ```swift
  /// let document = try SessionDocument(
  ///   entries: [SessionEntry(command: "loaded", recorded: RecordedOutput())], form: .script)
  /// document.text  // "loaded\n#? 0\n"
  /// ```
  ///
  /// Reading the text gives entries with the same commands and outputs, whatever these hold.
  ///
  /// - Throws: as ``init(parts:form:)``.
  package init(entries: [SessionEntry], form: SessionForm) throws(NotebookError) {
    try self.init(parts: entries.map { .command($0) }, form: form)
    assert(self.entries.map(\.recorded) == entries.map(\.recorded))
  }

  /// Writes a session down as a new document: what `save` puts into a file.
  ///
  /// ```swift
  /// try SessionDocument(
  ///   parts: [.words(["Look:"]), .command(SessionEntry(command: "loaded"))], form: .markdown).text
  /// // "Look:\n\n```strata\n> loaded\n```\n"
  /// ```
  ///
  /// In a notebook, commands with no prose between them are one block, with a fence longer than any in
  /// the outputs. Fingerprints, where entries have some, stand at the end. No parts give an empty
  /// text.
  ///
  /// - Throws: `lineBreakInCommand`, `severalSessions`, or a size that ``SessionLimits`` does not
  ///   allow.
  package init(parts: [SessionPart], form: SessionForm) throws(NotebookError) {
    let lines = SessionBlock.lines(of: try SessionBlock.blocks(of: parts, form: form), form: form)
    let document = try SessionDocument(reading: lines.map { $0 + "\n" }.joined(), form: form)
    let entries = parts.compactMap { if case .command(let entry) = $0 { entry } else { nil } }
    self = try document.marked(entries.map(\.digest))
  }
}
