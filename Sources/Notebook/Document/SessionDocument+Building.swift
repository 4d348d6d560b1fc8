extension SessionDocument {
  /// Creates a document from the parts of a session, for `save`.
  ///
  /// ```swift
  /// try SessionDocument(
  ///   parts: [.prose(["Look:"]), .command(SessionEntry(command: "loaded"))], form: .markdown).text
  /// // "Look:\n\n```strata\n> loaded\n```\n"
  /// ```
  ///
  /// In a notebook, commands without prose between them form one block, with a fence longer than any in the
  /// outputs. The fingerprints of entries, if any, are at the end. The text is empty if there are no parts. Reading it
  /// gives entries with the same commands and outputs, for any contents.
  ///
  /// - Throws: `lineBreakInCommand`, `severalSessions`, or an error for a size beyond ``SessionLimits``.
  package init(parts: [SessionPart], form: SessionForm) throws(NotebookError) {
    let lines = SessionBlock.lines(of: try SessionBlock.blocks(of: parts, form: form), form: form)
    let document = try SessionDocument(reading: lines.map { $0 + "\n" }.joined(), form: form)
    let entries = parts.compactMap { if case .command(let entry) = $0 { entry } else { nil } }
    self = try document.marked(entries.map(\.digest))
  }
}
