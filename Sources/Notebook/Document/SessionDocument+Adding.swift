extension SessionDocument {
  /// The document with parts added after one of its entries or at its end; nothing else changes.
  ///
  /// ```swift
  /// let document = try SessionDocument(reading: "loaded\n", form: .script)
  /// try document.adding([.command(SessionEntry(command: "samples"))]).text
  /// // "loaded\nsamples\n"
  /// ```
  ///
  /// In a notebook, commands are added to the preceding block if nothing is between.
  ///
  /// - Parameter entry: The index of the preceding entry; `nil` for the end of the document.
  /// - Throws: as ``init(parts:form:)``.
  package func adding(
    _ parts: [SessionPart], after entry: Int? = nil
  ) throws(NotebookError) -> SessionDocument {
    let blocks = try SessionBlock.blocks(of: parts, form: form)
    guard !blocks.isEmpty else { return self }
    let bare = try marked([AnswerDigest?](repeating: nil, count: entries.count))
    let added = parts.compactMap { if case .command(let entry) = $0 { entry } else { nil } }
    let index = entry.map { $0 + 1 } ?? entries.count
    let grown =
      switch form {
      case .script: try bare.addingLines(of: blocks, after: entry)
      case .markdown: try bare.addingBlocks(blocks, after: entry)
      }
    let digests = entries.map(\.digest)
    guard !markRanges.isEmpty || added.contains(where: { $0.digest != nil }) else { return grown }
    return try grown.marked(Array(digests[..<index]) + added.map(\.digest) + digests[index...])
  }

  private func addingLines(
    of blocks: [SessionBlock], after entry: Int?
  ) throws(NotebookError) -> SessionDocument {
    let end = entry.map { outputLocations[$0].range.upperBound } ?? text.utf8.count
    let above = entry ?? entries.indices.last
    // A command after one without an answer needs no empty line before it.
    let isDirectlyBelow =
      above.map { outputLocations[$0].range.upperBound == end && entries[$0].recorded == nil }
      ?? text.isEmpty
    var isCommands = false
    if case .commands? = blocks.first { isCommands = true }
    let lines = SessionBlock.lines(of: blocks, form: form)
    return try inserting(
      (isDirectlyBelow && isCommands || text.isEmpty ? [] : [""]) + lines, at: end)
  }

  private func addingBlocks(
    _ blocks: [SessionBlock], after entry: Int?
  ) throws(NotebookError) -> SessionDocument {
    guard let above = entry ?? entries.indices.last, let number = outputLocations[above].fence
    else {
      return try appending(blocks)
    }
    let fence = fences[number]
    let bytes = Array(text.utf8)
    let closingLine =
      bytes[..<fence.closing.lowerBound].lastIndex(of: .lineFeed).map { $0 + 1 } ?? 0
    let afterFence =
      bytes[fence.closing.upperBound...].firstIndex(of: .lineFeed).map { $0 + 1 } ?? bytes.count
    let isLastOfFence = above + 1 == entries.count || outputLocations[above + 1].fence != number
    // At the end of the document, commands are added to the block only if they directly follow it.
    if entry == nil, !bytes[afterFence...].allSatisfy({ $0.isBlank || $0.isLineBreak }) {
      return try appending(blocks)
    }
    var rest = blocks[...]
    var edits: [(range: Range<Int>, text: String)] = []
    let lineBreak = Self.lineBreak(of: bytes)
    func insert(_ lines: [String], at offset: Int) {
      edits.append((offset..<offset, lines.map { $0 + lineBreak }.joined()))
    }
    let start = outputLocations[above].range.upperBound
    var inside: [String] = []
    var length = fence.length
    if case .commands(let entries, startsFresh: false)? = rest.first {
      rest.removeFirst()
      inside = SessionBlock.lines(
        of: entries, SessionNotation(form: form, indent: fence.indent))
      if self.entries[above].recorded != nil { inside.insert("", at: 0) }
      length = max(length, Fence.length(toHold: inside, of: fence.character))
      edits += fence.edits(growingTo: length)
    }
    let below = SessionBlock.lines(of: Array(rest), form: form)
    if isLastOfFence {
      insert(inside, at: min(start, closingLine))
      if !below.isEmpty {
        let isOpen = afterFence == bytes.count && bytes.last != .lineFeed
        edits.append(
          (
            afterFence..<afterFence,
            (isOpen ? lineBreak : "") + ([""] + below).map { $0 + lineBreak }.joined()
          ))
      }
    } else if below.isEmpty {
      insert(inside, at: start)
    } else {
      // The block is split: the following commands get their own block.
      insert(
        inside + [fence.mark(of: length), ""] + below + [
          "", fence.mark(of: fence.length) + "strata",
        ],
        at: start)
      edits.removeAll { $0.range.lowerBound == fence.closing.upperBound }
    }
    return try SessionDocument(
      reading: Self.apply(edits.filter { !$0.text.isEmpty }, to: bytes), form: form)
  }

  private func appending(_ blocks: [SessionBlock]) throws(NotebookError) -> SessionDocument {
    try inserting(
      (text.isEmpty ? [] : [""]) + SessionBlock.lines(of: blocks, form: form), at: text.utf8.count)
  }

  /// Inserts lines at the beginning of a line or at the end of the text.
  private func inserting(
    _ lines: [String], at offset: Int
  ) throws(NotebookError) -> SessionDocument {
    let bytes = Array(text.utf8)
    let lineBreak = Self.lineBreak(of: bytes)
    let isInsideLine = offset > 0 && bytes[offset - 1] != .lineFeed
    var lines = lines
    if bytes[..<offset].endsInEmptyLine, lines.first == "" { lines.removeFirst() }
    let text = (isInsideLine ? lineBreak : "") + lines.map { $0 + lineBreak }.joined()
    return try SessionDocument(
      reading: Self.apply([(offset..<offset, text)], to: bytes), form: form)
  }
}
