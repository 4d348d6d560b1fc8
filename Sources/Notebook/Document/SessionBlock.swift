/// Adjacent parts of a document that are written as one block: prose, or commands of one session.
enum SessionBlock {
  case prose([String])
  case commands([SessionEntry], startsFresh: Bool)

  /// Groups parts; prose that consists of blank lines is omitted.
  ///
  /// - Throws: `lineBreakInCommand`, or `severalSessions` if a script would contain several sessions.
  static func blocks(
    of parts: [SessionPart], form: SessionForm
  ) throws(NotebookError) -> [SessionBlock] {
    var blocks: [SessionBlock] = []
    var count = 0
    for part in parts {
      switch part {
      case .prose(let lines):
        if let lines = SessionDocument.trimmed(lines) { blocks.append(.prose(lines)) }
      case .command(let entry):
        guard !entry.command.utf8.contains(where: { $0 == .lineFeed || $0 == .carriageReturn })
        else { throw .lineBreakInCommand(entry: count) }
        let startsFresh = entry.startsFresh && form == .markdown
        if entry.startsFresh, form == .script, count > 0 { throw .severalSessions(entry: count) }
        if !startsFresh, case .commands(let entries, let isFresh)? = blocks.last {
          blocks[blocks.count - 1] = .commands(entries + [entry], startsFresh: isFresh)
        } else {
          blocks.append(.commands([entry], startsFresh: startsFresh))
        }
        count += 1
      }
    }
    return blocks
  }

  /// The lines of blocks, separated by empty lines.
  static func lines(of blocks: [SessionBlock], form: SessionForm) -> [String] {
    Array(blocks.map { $0.lines(form: form) }.joined(separator: [""]))
  }

  private func lines(form: SessionForm) -> [String] {
    switch (self, form) {
    case (.prose(let lines), .script): return lines.map { $0.isBlank ? "#" : "# " + $0 }
    case (.prose(let lines), .markdown): return Self.escapedProse(lines)
    case (.commands(let entries, _), .script):
      return Self.lines(of: entries, SessionNotation(form: form))
    case (.commands(let entries, let startsFresh), .markdown):
      let lines = Self.lines(of: entries, SessionNotation(form: form))
      let fence = String(repeating: "`", count: Fence.length(toHold: lines, of: UInt8(ascii: "`")))
      return [fence + "strata" + (startsFresh ? " fresh" : "")] + lines + [fence]
    }
  }

  /// Commands with their outputs and an empty line after each output.
  static func lines(of entries: [SessionEntry], _ notation: SessionNotation) -> [String] {
    var lines: [String] = []
    for (index, entry) in entries.enumerated() {
      if index > 0, entries[index - 1].recorded != nil { lines.append("") }
      lines += notation.lines(command: entry.command)
      if let recorded = entry.recorded { lines += notation.lines(output: recorded) }
    }
    return lines
  }

  /// Prose as lines of a notebook. A fence that would open an unclosed block or a block of commands is
  /// escaped with a backslash.
  private static func escapedProse(_ lines: [String]) -> [String] {
    var result: [String] = []
    var rest = lines[...]
    while let line = rest.popFirst() {
      let content = Array(line.utf8)[...]
      guard let fence = Fence(opening: content, line: 0) else {
        result.append(content.starts(with: AnswerMarks.opening) ? "\\" + line : line)
        continue
      }
      let end = rest.firstIndex { fence.closing(in: Array($0.utf8)[...]) != nil }
      guard !fence.isSession, let end else {
        result.append(String(repeating: " ", count: fence.indent) + "\\" + line.drop { $0 == " " })
        continue
      }
      result += [line] + rest[...end]
      rest = rest[(end + 1)...]
    }
    return result
  }
}
