internal import StrataBase

/// A script or notebook: commands, their recorded outputs, and prose.
///
/// ```swift
/// let document = try SessionDocument(reading: "count phone Topic\n#| 12\n", form: .script)
/// document.entries[0].command            // "count phone Topic"
/// document.entries[0].recorded?.lines    // ["12"]
/// let report = SessionReplay.run(document) { _ in Answer(RecordedOutput(text: "13")) }
/// try document.recording(report.outputs).text  // "count phone Topic\n#| 13\n"
/// ```
///
/// The two forms and their rules are described at ``SessionForm``. A document does not interpret commands:
/// ``SessionReplay`` takes a closure that evaluates them. ``text`` returns a document byte for byte as it was
/// read; every document, read or created, can be read again.
///
/// Reading takes time and memory linear in the size of the text, which is limited by ``SessionLimits``.
package struct SessionDocument: Sendable {
  package let form: SessionForm
  /// The whole document, byte for byte as it was read.
  package let text: String
  /// The commands in the order of the document.
  package let entries: [SessionEntry]
  /// The locations of the outputs, one for each entry, for ``recording(_:)``.
  let outputLocations: [OutputLocation]
  let fences: [Fence]
  /// The lines of prose, by the number of entries before them.
  let prose: [Int: [String]]
  /// The ranges of the fingerprints of the answers: whole lines.
  let markRanges: [Range<Int>]

  /// Reads a script or notebook.
  ///
  /// - Throws: ``NotebookError`` with its line, if the text is too large, a fence is not closed, a recorded
  ///   line belongs to no command, or a command ends in a backslash without a continuation.
  package init(reading text: String, form: SessionForm) throws(NotebookError) {
    let size = text.utf8.count
    guard size <= SessionLimits.documentBytes else {
      throw .documentTooLarge(bytes: size, limit: SessionLimits.documentBytes)
    }
    self.form = form
    self.text = text
    let contents =
      switch form {
      case .script: try SessionContents(script: Array(text.utf8))
      case .markdown: try SessionContents(markdown: Array(text.utf8))
      }
    entries = contents.entries
    outputLocations = contents.outputLocations
    fences = contents.fences
    prose = contents.prose
    markRanges = contents.markRanges
  }
}

/// Two documents are equal when their bytes and their forms are.
extension SessionDocument: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    a.form == b.form && a.text.hasSameBytes(as: b.text)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(form)
    hasher.combine(text)
  }
}
