import StrataNotebook

extension SessionDocument {
  /// A document of commands and their answers, without prose.
  init(entries: [SessionEntry], form: SessionForm) throws(NotebookError) {
    try self.init(parts: entries.map(SessionPart.command), form: form)
  }
}
