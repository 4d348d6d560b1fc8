extension StyledText {
  /// This text as lines of at most `width` columns, wrapped at spaces if possible. A command in backticks stays on
  /// one line, so that it can be copied; if it is longer, the line is longer.
  ///
  /// - Parameters:
  ///     - indent: The indentation of all lines except the first.
  ///     - limit: The maximum number of lines; omitted text is shown as an ellipsis.
  ///     - breaksCommands: Whether commands are wrapped too: in a cell of a table.
  package func wrapped(
    to width: Int, indent: Int = 0, limit: Int = .max, breaksCommands: Bool = false
  ) -> [StyledText] {
    guard self.width > width, width > 0 else { return [self] }
    let indent = min(indent, width / 2)
    var letters = letters
    if !breaksCommands { Self.join(commandsIn: &letters) }
    var lines: [StyledText] = []
    var start = 0
    while start < letters.count {
      guard lines.count < limit else {
        lines[limit - 1] = lines[limit - 1].shortened(to: width - 1) + StyledText("…", .faint)
        break
      }
      var room = lines.isEmpty ? width : width - indent
      var end = start
      while end < letters.count, letters[end].columns <= room || end == start {
        room -= letters[end].columns
        end += 1
      }
      var next = end
      if end < letters.count, let space = Self.space(in: letters, from: start, through: end) {
        (end, next) = (space, space + 1)
      } else if end < letters.count, letters[end].isUnbreakable, letters[end - 1].isUnbreakable {
        end = letters[end...].firstIndex(where: \.isSpace) ?? letters.count
        next = end
      }
      let margin = StyledText(lines.isEmpty ? "" : String(repeating: " ", count: indent))
      lines.append(margin + StyledText(letters: letters[start..<end]))
      start = next
      while start < letters.count, letters[start].isSpace { start += 1 }
    }
    return lines
  }

  /// The last space at which the line can be wrapped: one with text before it.
  private static func space(in letters: [Letter], from start: Int, through end: Int) -> Int? {
    let first = letters[start...end].firstIndex { !$0.isSpace } ?? end
    var space = letters[first...end].lastIndex(where: \.isSpace)
    while let found = space, found > first, letters[found - 1].isSpace { space = found - 1 }
    return space
  }

  private struct Letter {
    var character: Character
    var role: Role
    var columns: Int
    var isUnbreakable: Bool
    /// Whether the line can be wrapped at it.
    var isSpace: Bool { character == " " && !isUnbreakable }
  }

  /// A backtick without a second one is a character like others.
  private static func join(commandsIn letters: inout [Letter]) {
    var opening: Int?
    for index in letters.indices where letters[index].character == "`" {
      guard let start = opening else {
        opening = index
        continue
      }
      for index in start...index { letters[index].isUnbreakable = true }
      opening = nil
    }
  }

  private var letters: [Letter] {
    spans.flatMap { span in
      span.text.escapingControlCharacters.map {
        Letter(
          character: $0, role: span.role, columns: String($0).displayWidth,
          isUnbreakable: span.isUnbreakable)
      }
    }
  }

  private init(letters: ArraySlice<Letter>) {
    self.init("")
    var rest = letters
    while let first = rest.first {
      let run = rest.prefix {
        ($0.role, $0.isUnbreakable) == (first.role, first.isUnbreakable)
      }
      let text = String(run.map(\.character))
      self +=
        first.isUnbreakable ? StyledText(command: text, first.role) : StyledText(text, first.role)
      rest = rest[run.endIndex...]
    }
  }
}

extension [StyledText] {
  /// The paragraphs, each as one line. A list item, a heading and an indented line begin their own.
  var paragraphs: [StyledText] {
    reduce(into: []) { paragraphs, line in
      guard let last = paragraphs.last, !last.isEmpty, !line.isEmpty,
        !last.text.hasPrefix("#"), !last.text.hasPrefix(" "), line.textIndent == 0,
        !line.text.hasPrefix("#")
      else {
        paragraphs.append(line)
        return
      }
      paragraphs[paragraphs.count - 1] = last + " " + line
    }
  }
}

extension StyledText {
  /// The column at which the text of a line begins: after spaces and the mark of a list item.
  var textIndent: Int {
    let rest = text.drop { $0 == " " }
    return text.count - rest.count + (rest.hasPrefix("- ") || rest.hasPrefix("* ") ? 2 : 0)
  }
}
