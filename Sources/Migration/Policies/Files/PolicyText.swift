/// Cuts the lines of a policy file where no quote or bracket holds them together.
enum PolicyText {
  /// The places of a text that stand outside of quotes and brackets.
  private static func openPlaces(_ text: String) -> [String.Index] {
    var places: [String.Index] = []
    var quote: Character?
    var depth = 0
    var isEscaped = false
    for place in text.indices {
      let letter = text[place]
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if letter == "\\" {
          isEscaped = true
        } else if letter == open {
          quote = nil
        }
        continue
      }
      switch letter {
      case "'", "\"": quote = letter
      case "(", "{", "[": depth += 1
      case ")", "}", "]": depth -= 1
      default: if depth <= 0 { places.append(place) }
      }
    }
    return places
  }

  static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// What stands before and behind the first mark.
  static func firstParts(_ text: String, at mark: String) -> (String, String)? {
    for place in openPlaces(text) where text[place...].hasPrefix(mark) {
      return (
        trimmed(String(text[..<place])), trimmed(String(text[place...].dropFirst(mark.count)))
      )
    }
    return nil
  }

  /// The pieces between marks; none of an empty text.
  static func split(_ text: String, at mark: String) -> [String] {
    var pieces: [String] = []
    var rest = text
    while let parts = firstParts(rest, at: mark) {
      pieces.append(parts.0)
      rest = parts.1
    }
    return rest.isEmpty ? pieces : pieces + [trimmed(rest)]
  }

  /// A line without the comment at its end: `#` with white space, or nothing, on either side.
  static func withoutComment(_ line: String) -> String {
    for place in openPlaces(line) where line[place] == "#" {
      let isAfterSpace = place == line.startIndex || line[line.index(before: place)].isWhitespace
      let next = line.index(after: place)
      if isAfterSpace, next == line.endIndex || line[next].isWhitespace {
        return String(line[..<place])
      }
    }
    return line
  }
}
