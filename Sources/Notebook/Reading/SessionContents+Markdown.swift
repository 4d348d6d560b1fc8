internal import StrataBase

extension SessionContents {
  /// Reads a notebook; the rules are at ``SessionForm``.
  init(markdown bytes: [UInt8]) throws(NotebookError) {
    var scanner = LineScanner(bytes)
    while let line = try scanner.next() {
      let content = scanner.content(of: line)
      if content.elementsEqual(AnswerMarks.opening) {
        try readMarks(from: line, &scanner)
        continue
      }
      guard let fence = Fence(opening: content, line: line.number) else {
        add(prose: content)
        continue
      }
      if fence.isSession {
        try readSession(fence, &scanner)
      } else {
        add(prose: content)
        try skip(fence, &scanner)
      }
    }
    applyMarks()
  }

  /// Reads the fingerprints of the answers; a comment with other contents is prose.
  private mutating func readMarks(
    from first: LineScanner.Line, _ scanner: inout LineScanner
  ) throws(NotebookError) {
    var ahead = scanner
    var found = marks
    while let line = try ahead.next() {
      let content = ahead.content(of: line)
      if AnswerMarks.isClosing(content) {
        markRanges.append(first.content.lowerBound..<line.end)
        (scanner, marks) = (ahead, found)
        return
      }
      guard found.read(content) else { break }
    }
    add(prose: scanner.content(of: first))
  }

  private mutating func skip(
    _ fence: Fence, _ scanner: inout LineScanner
  ) throws(NotebookError) {
    while let line = try scanner.next() {
      let content = scanner.content(of: line)
      add(prose: content)
      if fence.closing(in: content) != nil { return }
    }
    throw .unclosedFence(line: fence.line)
  }

  /// Reads a block of commands, including its closing line.
  private mutating func readSession(
    _ opened: Fence, _ scanner: inout LineScanner
  ) throws(NotebookError) {
    var fence = opened
    while let line = try scanner.next() {
      let content = scanner.content(of: line)
      if let closing = fence.closing(in: content) {
        fence.closing = closing
        fences.append(fence)
        return
      }
      let body = fence.body(content)
      if let first = MarkdownLine.command(body) {
        let command = try Self.command(first, at: line.number, in: fence, &scanner)
        let (recorded, range) = try Self.record(in: fence, &scanner)
        var entry = SessionEntry(command: command, line: line.number, recorded: recorded)
        entry.startsFresh = fence.startsFresh && outputLocations.last?.fence != fences.count
        entries.append(entry)
        outputLocations.append(OutputLocation(range: range, fence: fences.count))
      } else if !body.allSatisfy(\.isBlank) {
        throw .strayOutput(line: line.number, form: .markdown)
      }
    }
    throw .unclosedFence(line: fence.line)
  }

  private static func command(
    _ first: ArraySlice<UInt8>, at line: Int, in fence: Fence, _ scanner: inout LineScanner
  ) throws(NotebookError) -> String {
    var command = Array(first)
    var last = first
    var number = line
    while last.last == .backslash {
      command.removeLast()
      guard let next = try scanner.peek() else { throw .unclosedFence(line: fence.line) }
      let content = scanner.content(of: next)
      guard fence.closing(in: content) == nil,
        let more = MarkdownLine.continuation(fence.body(content))
      else { throw .unfinishedCommand(line: number) }
      command += more
      last = more
      number = next.number
      _ = try scanner.next()
    }
    return String(decoding: command, as: UTF8.self)
  }

  /// The lines after a command up to the next command or the end of the block, and the range of those without
  /// trailing blank lines.
  private static func record(
    in fence: Fence, _ scanner: inout LineScanner
  ) throws(NotebookError) -> (RecordedOutput?, Range<Int>) {
    let start = scanner.offset
    var end = start
    var lines: [String] = []
    var status: ExitStatus?
    while let line = try scanner.peek() {
      let content = scanner.content(of: line)
      let body = fence.body(content)
      if fence.closing(in: content) != nil || MarkdownLine.command(body) != nil { break }
      let isBlank = body.allSatisfy(\.isBlank)
      if status != nil {
        guard isBlank else { throw .strayOutput(line: line.number, form: .markdown) }
      } else if let found = MarkdownLine.status(body) {
        status = found
      } else {
        lines.append(String(decoding: MarkdownLine.output(body), as: UTF8.self))
      }
      if !isBlank { end = line.end }
      _ = try scanner.next()
    }
    let recorded = end == start ? nil : RecordedOutput(lines: lines, status: status ?? 0)
    return (recorded, start..<end)
  }
}
