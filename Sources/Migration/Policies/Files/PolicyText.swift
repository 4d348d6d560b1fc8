internal import StrataExpressions

/// Cuts the lines of a policy file where no quote or bracket holds them together.
enum PolicyText {
  /// The places of a text that stand outside of quotes and brackets.
  private static func openPlaces(_ text: String) -> [String.Index] {
    var places: [String.Index] = []
    var quotes = QuoteTracker()
    var depth = 0
    for place in text.unicodeScalars.indices {
      let scalar = text.unicodeScalars[place]
      guard quotes.goesOutside(scalar) else { continue }
      switch scalar {
      case "(", "{", "[": depth += 1
      case ")", "}", "]": depth -= 1
      default: if depth <= 0 { places.append(place) }
      }
    }
    return places
  }

  /// The words of a line; one in quotes may hold spaces.
  static func words(_ text: String) -> [String] {
    split(text.replacing("\t", with: " "), at: " ").filter { !$0.isEmpty }.map { word in
      guard let quote = word.first, quote == "'" || quote == "\"", word.count > 1,
        word.last == quote
      else { return word }
      return String(word.dropFirst().dropLast())
    }
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
}
