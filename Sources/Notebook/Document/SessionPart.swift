/// A part of a session document.
package enum SessionPart: Sendable, Hashable {
  /// Prose: lines of a notebook, or comments of a script without `# `.
  case prose([String])
  case command(SessionEntry)
}

extension SessionDocument {
  /// The contents of the document, in order: prose without surrounding blank lines, and commands.
  ///
  /// ```swift
  /// try SessionDocument(reading: "# Look:\n\nloaded\n", form: .script).parts
  /// // [.prose(["Look:"]), .command(SessionEntry(command: "loaded"))]
  /// ```
  package var parts: [SessionPart] {
    (0...entries.count).flatMap { index in
      (Self.trimmed(prose[index] ?? []).map { [SessionPart.prose($0)] } ?? [])
        + (index < entries.count ? [.command(entries[index])] : [])
    }
  }

  /// The document converted to the other form.
  ///
  /// - Throws: `severalSessions` if a script would contain several sessions, or an error for a size beyond
  ///   ``SessionLimits``.
  package func converted(to form: SessionForm) throws(NotebookError) -> SessionDocument {
    form == self.form ? self : try SessionDocument(parts: parts, form: form)
  }

  /// Lines without leading and trailing blank lines; `nil` if none remain.
  static func trimmed(_ lines: [String]) -> [String]? {
    guard let first = lines.firstIndex(where: { !$0.isBlank }),
      let last = lines.lastIndex(where: { !$0.isBlank })
    else { return nil }
    return Array(lines[first...last])
  }
}
