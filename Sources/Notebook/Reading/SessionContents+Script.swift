extension SessionContents {
  /// Reads a script; the rules are at ``SessionForm``.
  init(script bytes: [UInt8]) throws(NotebookError) {
    var scanner = LineScanner(bytes)
    while let line = try scanner.next() {
      let content = scanner.content(of: line)
      if ScriptLine.isRecord(content) { throw .strayOutput(line: line.number, form: .script) }
      if content.starts(with: AnswerMarks.scriptMark),
        marks.read(content.dropFirst(AnswerMarks.scriptMark.count))
      {
        markRanges.append(line.content.lowerBound..<line.end)
        continue
      }
      guard let first = content.first(where: { !$0.isBlank }), first != ScriptLine.comment else {
        if !content.starts(with: Self.interpreterMark) { add(prose: Self.comment(content)) }
        continue
      }
      let command = try Self.command(from: line, &scanner)
      let start = scanner.offset
      entries.append(
        SessionEntry(command: command, line: line.number, recorded: try Self.record(&scanner)))
      outputLocations.append(OutputLocation(range: start..<scanner.offset))
    }
    applyMarks()
  }

  private static let interpreterMark = Array("#!".utf8)

  /// A comment without its `#` and one space.
  private static func comment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let comment = line.drop(while: \.isBlank).dropFirst()
    return comment.first?.isBlank == true ? comment.dropFirst() : comment
  }

  private static func command(
    from first: LineScanner.Line, _ scanner: inout LineScanner
  ) throws(NotebookError) -> String {
    var command = Array(scanner.content(of: first))
    var last = first
    while scanner.content(of: last).last == .backslash {
      command.removeLast()
      guard let next = try scanner.next(), !ScriptLine.isRecord(scanner.content(of: next)) else {
        throw .unfinishedCommand(line: last.number)
      }
      command += scanner.content(of: next)
      last = next
    }
    return String(decoding: command, as: UTF8.self)
  }

  /// The recorded lines directly below a command.
  private static func record(
    _ scanner: inout LineScanner
  ) throws(NotebookError) -> RecordedOutput? {
    var lines: [String] = []
    while let line = try scanner.peek(),
      let output = ScriptLine.output(scanner.content(of: line))
    {
      lines.append(String(decoding: output, as: UTF8.self))
      _ = try scanner.next()
    }
    if let line = try scanner.peek(), let digits = ScriptLine.status(scanner.content(of: line)) {
      guard let status = RecordedOutput.status(digits) else {
        let found = String(decoding: digits, as: UTF8.self)
        throw .badStatus(line: line.number, found: String(found.prefix(40)))
      }
      _ = try scanner.next()
      return RecordedOutput(lines: lines, status: status)
    }
    return lines.isEmpty ? nil : RecordedOutput(lines: lines)
  }
}
