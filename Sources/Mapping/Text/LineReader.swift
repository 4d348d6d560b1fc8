internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel

/// The words of one line of the text form of a mapping model.
struct LineReader {
  /// Scalars, not characters: a mark behind a quote is no part of the quote.
  private let line: [Unicode.Scalar]
  private var place: Int
  let number: Int
  let isIndented: Bool

  init(_ line: Substring, number: Int) {
    self.line = Array(line.withoutComment.unicodeScalars)
    self.number = number
    place = 0
    isIndented = line.first.map { $0 == " " || $0 == "\t" } ?? false
    skipSpace()
  }

  /// The text between two places.
  private func text(_ range: Range<Int>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: line[range])
    return text
  }

  private mutating func skipSpace() {
    while place < line.count, line[place] == " " || line[place] == "\t" { place += 1 }
  }

  var isAtEnd: Bool { place >= line.count }
  var isComment: Bool { place < line.count && line[place] == "#" }

  func expected(_ what: String) -> MappingError {
    .expected(what, line: number, column: place + 1)
  }

  func problem(_ what: String, mend: String) -> MappingError {
    .badText(what, mend: mend, line: number, column: place + 1)
  }

  func end() throws(MappingError) {
    guard isAtEnd else { throw expected("the end of the line") }
  }

  func takes(_ sign: String) -> Bool {
    line[place...].starts(with: sign.unicodeScalars)
  }

  mutating func take(_ sign: String) -> Bool {
    guard takes(sign) else { return false }
    place += sign.unicodeScalars.count
    skipSpace()
    return true
  }

  func takes(word: String) -> Bool {
    var copy = self
    guard copy.takes(word) else { return false }
    copy.place += word.unicodeScalars.count
    return copy.isAtEnd || copy.line[copy.place] == " " || copy.line[copy.place] == "\t"
  }

  mutating func take(word: String) -> Bool {
    guard takes(word: word) else { return false }
    return take(word)
  }

  /// A plain or a quoted name.
  mutating func name() throws(MappingError) -> String {
    if takes("\"") { return try literal() }
    let start = place
    while place < line.count, MappingName.isPlain(line[place]), !takes("->") {
      place += 1
    }
    guard place > start else { throw expected("a name") }
    let name = text(start..<place)
    skipSpace()
    return name
  }

  /// What a model is called: anything without a space, or a text in quotes.
  mutating func reference() throws(MappingError) -> String {
    if takes("\"") { return try literal() }
    let start = place
    while place < line.count, line[place] != " ", line[place] != "\t" { place += 1 }
    guard place > start else { throw expected("a model") }
    let reference = text(start..<place)
    skipSpace()
    return reference
  }

  /// A text in quotes.
  mutating func literal() throws(MappingError) -> String {
    guard takes("\"") else { throw expected("a text in quotes") }
    let start = self
    place += 1
    var text = ""
    while place < line.count {
      let letter = line[place]
      place += 1
      switch letter {
      case "\"":
        skipSpace()
        return text
      case "\\":
        guard place < line.count else { throw start.expected("the closing quote") }
        let escape = line[place]
        place += 1
        switch escape {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "\"", "\\": text.unicodeScalars.append(escape)
        case "u": text.unicodeScalars.append(try scalar())
        default: throw expected("n, t, u{…}, a quote or a backslash behind a backslash")
        }
      default: text.unicodeScalars.append(letter)
      }
    }
    throw start.expected("the closing quote")
  }

  private mutating func scalar() throws(MappingError) -> Unicode.Scalar {
    guard place < line.count, line[place] == "{",
      let end = line[place...].firstIndex(of: "}"), end - place <= 9,
      let value = UInt32(text((place + 1)..<end), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw expected("the number of a character in braces") }
    place = end + 1
    return scalar
  }

  /// The rest of the line as it is, or one text in quotes.
  mutating func restOrLiteral() throws(MappingError) -> String {
    if takes("\"") {
      var copy = self
      if let text = try? copy.literal(), copy.isAtEnd {
        self = copy
        return text
      }
    }
    return rest()
  }

  private mutating func rest() -> String {
    var end = line.count
    while end > place, line[end - 1] == " " || line[end - 1] == "\t" { end -= 1 }
    let text = text(place..<end)
    place = line.count
    return text
  }

  mutating func hash() throws(MappingError) -> VersionHash? {
    let start = self
    let text = try name()
    if text == "none" { return nil }
    guard let hash = VersionHash(hex: text) else {
      throw start.expected("a version hash of 64 hexadecimal digits, or none")
    }
    return hash
  }

  /// The rest of the line as an expression; `nil` where it is one of the words for none.
  mutating func value() throws(MappingError) -> Expression? {
    let start = self
    let text = rest()
    if MappingName.wordsForNone.contains(text) { return nil }
    return try Self.expression(text, at: start)
  }

  /// The rest of the line as the value of a relationship.
  mutating func relationshipValue() throws(MappingError) -> Expression? {
    let start = self
    let text = rest()
    if MappingName.wordsForNone.contains(text) { return nil }
    let problem: MappingError
    do {
      return try Self.expression(text, at: start)
    } catch {
      problem = error
    }
    // The last "through" is the word: the name behind it can hold none unless it is quoted.
    // No name holds it more than a few times.
    var places = text.ranges(of: " through ").suffix(20)
    while let range = places.popLast() {
      var name = LineReader(text[range.upperBound...], number: number)
      guard let sources = try? Expression(parsing: String(text[..<range.lowerBound])) else {
        continue
      }
      let isRelationship = name.take(word: "relationship")
      guard let target = try? name.name(), name.isAtEnd else { continue }
      return isRelationship
        ? .destinations(ofRelationship: target, of: sources)
        : .destinations(through: target, of: sources)
    }
    throw problem
  }

  private static func expression(
    _ text: String, at start: LineReader
  ) throws(MappingError) -> Expression {
    do throws(ExpressionError) {
      return try Expression(parsing: text)
    } catch {
      let column = start.place + 1 + (error.range?.lowerBound ?? 0)
      throw .badText(
        error.diagnostic.what, mend: error.diagnostic.mend, line: start.number, column: column)
    }
  }
}
