/// A piece of a session that is written down.
package enum SessionPart: Sendable, Hashable {
  /// Prose: lines as they stand in a notebook, and in a script behind `# `.
  case words([String])
  case command(SessionEntry)
}

extension SessionDocument {
  /// What the document holds, in order: prose without the blank lines around it, and commands.
  ///
  /// ```swift
  /// try SessionDocument(reading: "# Look:\n\nloaded\n", form: .script).parts
  /// // [.words(["Look:"]), .command(SessionEntry(command: "loaded"))]
  /// ```
  package var parts: [SessionPart] {
    (0...entries.count).flatMap { place in
      (Self.trimmed(words[place] ?? []).map { [SessionPart.words($0)] } ?? [])
        + (place < entries.count ? [.command(entries[place])] : [])
    }
  }

  /// The same prose and commands in the other form.
  ///
  /// - Throws: `severalSessions` where a script would have to begin a new session, or a size that
  ///   ``SessionLimits`` does not allow.
  package func converted(to form: SessionForm) throws(NotebookError) -> SessionDocument {
    form == self.form ? self : try SessionDocument(parts: parts, form: form)
  }

  /// Lines without the blank ones at both ends; `nil` where nothing is left.
  static func trimmed(_ lines: [String]) -> [String]? {
    guard let first = lines.firstIndex(where: { !$0.isBlank }),
      let last = lines.lastIndex(where: { !$0.isBlank })
    else { return nil }
    return Array(lines[first...last])
  }
}
