internal import StrataBase

extension Lesson {
  /// Reads the questions, tasks and hints of a notebook.
  ///
  /// - Throws: ``LessonError`` with its line, or ``NotebookError`` for a size beyond ``SessionLimits``.
  package init(reading document: SessionDocument) throws {
    var reader = LessonReader(document)
    try reader.read()
    self.init(
      title: try reader.title(), summary: reader.summary, parts: reader.parts, document: document)
  }

  /// The lesson with the hidden checks of a file: lines `2: CONDITION` or `2 keep: CONDITION`, each with the number of its
  /// task among the questions and tasks. Lines that begin with `#` are comments.
  ///
  /// - Throws: ``LessonError`` with its line in that file.
  package func adding(hiddenChecks text: String) throws(LessonError) -> Lesson {
    var lesson = self
    let stops = stops
    for (offset, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let content = line.trimmingBlanks
      guard !content.isEmpty, content.first != "#" else { continue }
      let fields = content.split(separator: ":", maxSplits: 1)
      let words = fields[0].split(separator: " ")
      guard fields.count == 2, let number = words.first.flatMap({ Int($0) }),
        words.count == 1 || words.dropFirst() == ["keep"]
      else { throw LessonError(.badCheck, line: offset + 1) }
      guard (1...max(1, stops.count)).contains(number),
        case .task(var task) = lesson.parts[stops[number - 1]]
      else {
        throw LessonError(.noSuchTask(number, tasks: tasks.map(\.number)), line: offset + 1)
      }
      task.checks.append(
        LessonCheck(
          reading: fields[1], isHidden: true, isKept: words.count == 2, line: offset + 1))
      lesson.parts[stops[number - 1]] = .task(task)
    }
    return lesson
  }
}

extension LessonCheck {
  /// A condition, with the message after two spaces, if any.
  fileprivate init(reading text: some StringProtocol, isHidden: Bool, isKept: Bool, line: Int) {
    let (condition, message) = text.trimmingBlanks.dividedAtTwoSpaces
    self.init(
      condition: condition, message: message, isHidden: isHidden, isKept: isKept, line: line)
  }
}

/// Reads a lesson line by line.
private struct LessonReader {
  private(set) var parts: [Lesson.Part] = []
  private var scanner: LineScanner
  private var entries: ArraySlice<SessionEntry>

  init(_ document: SessionDocument) {
    scanner = LineScanner(Array(document.text.utf8))
    entries = document.entries[...]
  }

  mutating func read() throws {
    while let line = try scanner.next() {
      let content = scanner.content(of: line)
      if let fence = Fence(opening: content, line: line.number) {
        try readBlock(fence)
      } else if content.elementsEqual(AnswerMarks.opening) {
        try skipAnswerMarks(from: line)
      } else if let comment = try comment(from: line) {
        try add(comment)
      } else {
        add(prose: String(decoding: content, as: UTF8.self))
      }
    }
    parts = parts.compactMap { part in
      guard case .prose(let lines) = part else { return part }
      return SessionDocument.trimmed(lines).map { .prose($0) }
    }
    for case .task(let task) in parts where task.solution.isEmpty {
      throw LessonError(.noSolution, line: task.line)
    }
    guard parts.contains(where: \.isStop) else { throw LessonError(.nothingToDo, line: 1) }
  }

  private mutating func skipAnswerMarks(from line: LineScanner.Line) throws {
    while let mark = try scanner.next() {
      if AnswerMarks.isClosing(scanner.content(of: mark)) { return }
    }
    throw LessonError(.unclosedComment, line: line.number)
  }

  func title() throws -> String {
    for case .prose(let lines) in parts {
      guard lines[0].hasPrefix("# ") else { break }
      return String(lines[0].dropFirst(2).trimmingBlanks)
    }
    throw LessonError(.noTitle, line: 1)
  }

  /// The first paragraph below the title.
  var summary: String {
    guard case .prose(let lines)? = parts.first else { return "" }
    return lines.dropFirst().drop(while: \.isBlank).prefix { !$0.isBlank }.joined(separator: " ")
  }

  private mutating func readBlock(_ fence: Fence) throws {
    var end = fence.line
    var lines: [String] = []
    while let line = try scanner.next() {
      end = line.number
      lines.append(String(decoding: scanner.content(of: line), as: UTF8.self))
      if fence.closing(in: scanner.content(of: line)) != nil { break }
    }
    guard fence.isSession else {
      add(prose: fence.mark(of: fence.length))
      for line in lines { add(prose: line) }
      return
    }
    guard !fence.startsFresh else { throw LessonError(.severalSessions, line: fence.line) }
    while let entry = entries.first, entry.line < end {
      entries.removeFirst()
      if case .task(var task)? = parts.last {
        parts.removeLast()
        task.solution.append(entry)
        parts.append(.task(task))
      } else {
        parts.append(.command(entry))
      }
    }
  }

  private mutating func add(prose line: String) {
    // Without another reference to the lines, they are not copied.
    if case .prose(var lines)? = parts.last {
      parts.removeLast()
      lines.append(line)
      parts.append(.prose(lines))
    } else if case .task? = parts.last, line.isBlank {
      return  // Blocks with only empty lines between them are one solution.
    } else {
      parts.append(.prose([line]))
    }
  }

  // MARK: Comments

  private struct Comment {
    /// The words before the first colon: `ask one`, `task`, `hint`.
    var keywords: [Substring]
    /// The text after the colon.
    var first: Substring
    /// The further lines, each with its number; empty ones are omitted.
    var lines: [(text: Substring, number: Int)]
    var line: Int
  }

  private static let keywords: Set<Substring> = ["ask", "task", "hint"]
  private static let opening = "<!-- "
  private static let closing = "-->"

  /// The comment that a line opens, if it belongs to a lesson.
  private mutating func comment(from line: LineScanner.Line) throws -> Comment? {
    let content = String(decoding: scanner.content(of: line), as: UTF8.self)
    let start = content.trimmingBlanks
    guard start.hasPrefix(Self.opening), let colon = start.firstIndex(of: ":") else { return nil }
    let keywords = start[..<colon].dropFirst(Self.opening.count).split(separator: " ")
    guard let keyword = keywords.first else { return nil }
    guard Self.keywords.contains(keyword) else {
      guard keywords.count <= 2,
        let meant = NearestName.of(String(keyword), in: Self.keywords.map(String.init))
      else { return nil }
      throw LessonError(.unknownWord(String(keyword), meant: meant), line: line.number)
    }
    var lines = [(text: start[start.index(after: colon)...], number: line.number)]
    while !lines[lines.count - 1].text.hasSuffix(Self.closing) {
      guard !lines[lines.count - 1].text.contains(Self.closing) else {
        throw LessonError(.textAfterComment, line: lines[lines.count - 1].number)
      }
      guard let next = try scanner.next() else {
        throw LessonError(.unclosedComment, line: line.number)
      }
      guard Fence(opening: scanner.content(of: next), line: next.number) == nil else {
        throw LessonError(.blockInComment, line: next.number)
      }
      let text = String(decoding: scanner.content(of: next), as: UTF8.self).trimmingBlanks
      lines.append((text, next.number))
    }
    lines[lines.count - 1].text = lines[lines.count - 1].text.dropLast(Self.closing.count)
    return Comment(
      keywords: keywords, first: lines[0].text.trimmingBlanks,
      lines: lines.dropFirst().map { ($0.text.trimmingBlanks, $0.number) }
        .filter { !$0.text.isEmpty }, line: line.number)
  }

  private mutating func add(_ comment: Comment) throws(LessonError) {
    switch comment.keywords[0] {
    case "ask": parts.append(.question(try Self.question(comment)))
    case "task": parts.append(.task(try Self.task(comment)))
    default:
      guard case .task(var task)? = parts.last, task.solution.isEmpty else {
        throw LessonError(.hintWithoutTask, line: comment.line)
      }
      task.hints.append(try Self.items(comment).text)
      parts[parts.count - 1] = .task(task)
    }
  }

  /// The text of a comment and its items, each with the mark that begins it removed and its continued lines joined.
  private static func items(
    _ comment: Comment, _ marks: [String] = []
  ) throws(LessonError) -> (text: String, items: [(text: String, mark: String, line: Int)]) {
    var text = String(comment.first)
    var items: [(text: String, mark: String, line: Int)] = []
    for (line, number) in comment.lines {
      if let mark = marks.first(where: { line.hasPrefix($0) }) {
        items.append((String(line.dropFirst(mark.count)), mark, number))
      } else if let (word, meant) = misspelledMark(line, marks) {
        throw LessonError(.unknownWord(word, meant: meant), line: number)
      } else if let last = items.indices.last {
        // A choice is one line; a reason can begin on the next one.
        items[last].text += (items[last].text.dividedAtTwoSpaces.second == nil ? "  " : " ") + line
      } else {
        text += (text.isEmpty ? "" : " ") + line
      }
    }
    guard !text.isEmpty else { throw LessonError(.emptyText, line: comment.line) }
    return (text, items)
  }

  /// A word before a colon at the beginning of a line that is nearly one of the marks.
  private static func misspelledMark(
    _ line: Substring, _ marks: [String]
  ) -> (word: String, meant: String)? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let word = line[..<colon].drop { $0 == "-" || $0 == " " }
    let known = marks.filter { $0.hasSuffix(":") && $0.first != "-" }.map { String($0.dropLast()) }
    guard word.allSatisfy(\.isLetter), let meant = NearestName.of(String(word), in: known) else {
      return nil
    }
    return (String(word), meant)
  }

  private static func question(_ comment: Comment) throws(LessonError) -> Question {
    let word = comment.keywords.dropFirst().joined(separator: " ")
    guard let kind = Question.Kind(rawValue: word) else {
      throw LessonError(.unknownKind(word), line: comment.line)
    }
    let (text, items) = try items(comment, ["- "])
    var choices: [Question.Choice] = []
    var texts: Set<String> = []
    for item in items {
      let (choice, reason) = item.text.trimmingBlanks.dividedAtTwoSpaces
      guard let reason, reason != "*" else {
        throw LessonError(.noReason(choice: choice), line: item.line)
      }
      guard texts.insert(choice).inserted else {
        throw LessonError(.sameChoice(choice), line: item.line)
      }
      let isRight = reason.hasPrefix("* ")
      choices.append(
        Question.Choice(
          text: choice, isRight: isRight,
          reason: String(reason.dropFirst(isRight ? 2 : 0).trimmingBlanks)))
    }
    let right = choices.count(where: \.isRight)
    guard kind == .one ? right == 1 : right > 0 else {
      throw LessonError(.rightChoices(right, kind), line: comment.line)
    }
    guard kind == .text || choices.count > 1 else {
      throw LessonError(.onlyOneChoice, line: comment.line)
    }
    return Question(kind: kind, text: text, choices: choices, line: comment.line)
  }

  private static func task(_ comment: Comment) throws(LessonError) -> LessonTask {
    let (goal, items) = try items(comment, ["check:", "keep:", "- check:", "- keep:"])
    return LessonTask(
      goal: goal,
      checks: items.map {
        LessonCheck(
          reading: $0.text, isHidden: false, isKept: $0.mark.hasSuffix("keep:"), line: $0.line)
      },
      hints: [], solution: [], line: comment.line)
  }
}

extension Lesson.Part {
  fileprivate var isStop: Bool {
    switch self {
    case .question, .task: true
    case .prose, .command: false
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmingBlanks: SubSequence.SubSequence {
    let isBlank = { (character: Character) in
      character == " " || character == "\t" || character == "\r"
    }
    let start = drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else {
      return start[start.endIndex...]
    }
    return start[...last]
  }

  /// The text before the first two spaces, and the text after them, if any.
  fileprivate var dividedAtTwoSpaces: (first: String, second: String?) {
    guard let gap = String(self).firstRange(of: "  ") else { return (String(self), nil) }
    let text = String(self)
    return (
      String(text[..<gap.lowerBound]), String(text[gap.upperBound...].drop { $0 == " " })
    )
  }
}
