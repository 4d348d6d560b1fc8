internal import StrataExpressions

/// Cuts the lines of a policy file where no quote or bracket holds them together.
enum PolicyText {
  /// The first place of a mark outside of quotes and brackets.
  private static func firstPlace(of mark: String, in text: Substring) -> String.Index? {
    var quotes = QuoteTracker()
    var depth = 0
    for place in text.unicodeScalars.indices {
      let scalar = text.unicodeScalars[place]
      guard quotes.goesOutside(scalar) else { continue }
      switch scalar {
      case "(", "{", "[": depth += 1
      case ")", "}", "]": depth -= 1
      default: if depth <= 0, text[place...].hasPrefix(mark) { return place }
      }
    }
    return nil
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

  static func trimmed(_ text: String) -> String { String(trimmed(text[...])) }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  /// What stands before and behind the first mark.
  static func firstParts(_ text: String, at mark: String) -> (String, String)? {
    parts(text[...], at: mark).map { (String($0), String($1)) }
  }

  private static func parts(_ text: Substring, at mark: String) -> (Substring, Substring)? {
    firstPlace(of: mark, in: text).map { place in
      (trimmed(text[..<place]), trimmed(text[place...].dropFirst(mark.count)))
    }
  }

  /// The pieces between marks; none of an empty text.
  static func split(_ text: String, at mark: String) -> [String] {
    var pieces: [String] = []
    var rest = text[...]
    while let (piece, others) = parts(rest, at: mark) {
      pieces.append(String(piece))
      rest = others
    }
    return rest.isEmpty ? pieces : pieces + [String(trimmed(rest))]
  }
}
