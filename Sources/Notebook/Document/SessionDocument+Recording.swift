internal import StrataBase

extension SessionDocument {
  /// The document with new outputs for some entries, for `replay --update`.
  ///
  /// ```swift
  /// let document = try SessionDocument(reading: "show Topic\n#| Topic\n#| ...\n", form: .script)
  /// try document.recording([0: RecordedOutput(text: "Topic\n5 attributes")]).text == document.text  // true
  /// ```
  ///
  /// An output that matches the old expectation changes no byte. Otherwise, lines that still match are kept,
  /// with their `[..]`; `...` is kept by the rule of ``RecordedOutput/rewritten(for:)``; the rest is the new
  /// output. Commands, comments and prose are unchanged; a Markdown fence is lengthened if an output requires
  /// it.
  ///
  /// Existing fingerprints are updated; a document without fingerprints gets none.
  ///
  /// - Parameters:
  ///   - outputs: The new outputs by index of ``entries``; an index out of range is a programming error and
  ///     traps.
  ///   - digests: The fingerprints of the current answers, by the same index.
  /// - Throws: a ``NotebookError`` for a size that ``SessionLimits`` does not allow.
  package func recording(
    _ outputs: [Int: RecordedOutput], digests: [Int: AnswerDigest] = [:]
  ) throws(NotebookError) -> SessionDocument {
    let document = try rewriting(outputs)
    guard !markRanges.isEmpty else { return document }
    return try document.marked(
      entries.indices.map { index in
        // The old fingerprint does not belong to a new output.
        let isKept = outputs[index].map { entries[index].recorded?.compare(to: $0) == nil } ?? true
        return digests[index] ?? (isKept ? entries[index].digest : nil)
      })
  }

  /// The document with fingerprints for its entries at its end.
  ///
  /// - Parameter digests: One for each entry.
  /// - Throws: a ``NotebookError`` for a size that ``SessionLimits`` does not allow.
  package func marked(_ digests: [AnswerDigest?]) throws(NotebookError) -> SessionDocument {
    let marked = zip(entries, digests).map { entry, digest in
      var entry = entry
      entry.digest = digest
      return entry
    }
    let lines = AnswerMarks.lines(of: marked, form: form)
    let bytes = Array(text.utf8)
    let lineBreak = Self.lineBreak(of: bytes)
    var text = Self.apply(markRanges.map { ($0, "") }, to: bytes)
    if !lines.isEmpty {
      if !text.isEmpty, text.utf8.last != .lineFeed { text += lineBreak }
      if !text.isEmpty, !Array(text.utf8).endsInEmptyLine { text += lineBreak }
      text += lines.map { $0 + lineBreak }.joined()
    }
    return try SessionDocument(reading: text, form: form)
  }

  /// The document with some answers replaced by `...`, which matches any answer; fingerprints are kept.
  ///
  /// - Parameter digests: The fingerprints of hidden answers that have none yet, by the same index.
  /// - Throws: a ``NotebookError`` for a size that ``SessionLimits`` does not allow.
  package func hiding(
    _ answers: Set<Int>, digests: [Int: AnswerDigest] = [:]
  ) throws(NotebookError) -> SessionDocument {
    var outputs: [Int: RecordedOutput] = [:]
    for index in answers {
      outputs[index] = RecordedOutput(
        lines: ["..."], status: entries[index].recorded?.status ?? .done)
    }
    guard !outputs.isEmpty else { return self }
    let document = try rewriting(outputs, asExpectations: true)
    return try document.marked(
      entries.indices.map { entries[$0].digest ?? (answers.contains($0) ? digests[$0] : nil) })
  }

  /// - Parameter asExpectations: Whether the outputs are expectations instead of answers.
  private func rewriting(
    _ outputs: [Int: RecordedOutput], asExpectations: Bool = false
  ) throws(NotebookError) -> SessionDocument {
    precondition(outputs.keys.allSatisfy(entries.indices.contains), "no such entry")
    let bytes = Array(text.utf8)
    let lineBreak = Self.lineBreak(of: bytes)
    var edits: [(range: Range<Int>, text: String)] = []
    var fenceLengths = fences.map(\.length)
    for (index, output) in outputs {
      let old = entries[index].recorded
      if let old, asExpectations ? old == output : old.compare(to: output) == nil { continue }
      let location = outputLocations[index]
      let fence = location.fence.map { fences[$0] }
      let notation = SessionNotation(form: form, indent: fence?.indent ?? 0)
      let expectation =
        asExpectations ? output : old?.rewritten(for: output) ?? output.expectation
      let lines = notation.lines(output: expectation)
      if let number = location.fence, let fence {
        fenceLengths[number] = max(
          fenceLengths[number], Fence.length(toHold: lines, of: fence.character))
      }
      let start = location.range.lowerBound
      let isInsideLine = start > 0 && bytes[start - 1] != .lineFeed
      edits.append(
        (location.range, (isInsideLine ? lineBreak : "") + lines.map { $0 + lineBreak }.joined()))
    }
    for (fence, length) in zip(fences, fenceLengths) where length > fence.length {
      edits += fence.edits(growingTo: length)
    }
    return try SessionDocument(reading: Self.apply(edits, to: bytes), form: form)
  }

  /// The first line break of the document; a line feed if it has none.
  static func lineBreak(of bytes: [UInt8]) -> String {
    guard let end = bytes.firstIndex(of: .lineFeed) else { return "\n" }
    return end > 0 && bytes[end - 1] == .carriageReturn ? "\r\n" : "\n"
  }

  static func apply(
    _ edits: [(range: Range<Int>, text: String)], to bytes: [UInt8]
  ) -> String {
    var result: [UInt8] = []
    var done = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[done..<edit.range.lowerBound]
      result += edit.text.utf8
      done = edit.range.upperBound
    }
    result += bytes[done...]
    return String(decoding: result, as: UTF8.self)
  }
}
