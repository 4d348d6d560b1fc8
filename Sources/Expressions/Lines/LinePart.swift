package import StrataBase

/// The unread part of a line, without leading and trailing white space.
///
/// It knows its position: each of its errors has the line and column of the file.
package struct LinePart: Sendable, Hashable {
  private let line: LogicalLine
  package private(set) var slice: Substring

  init(_ line: LogicalLine) {
    self.line = line
    slice = line.text[...]
  }

  /// The part of the same line in a range of its text.
  package subscript(range: Range<String.Index>) -> LinePart {
    var part = self
    part.slice = line.language.trimmed(line.text[range])
    return part
  }

  package var text: String { String(slice) }
  package var isEmpty: Bool { slice.isEmpty }
  /// Whether the line that it belongs to is indented.
  package var isIndented: Bool { line.isIndented }
  /// The number of the first line, in the file, of the line that it belongs to, from 1.
  package var lineNumber: Int { line.number }
  /// The empty part at its end.
  package var ending: LinePart { self[slice.endIndex..<slice.endIndex] }

  // MARK: Errors

  /// An error that marks the whole part.
  package func problem(_ what: String, fix: String? = nil) -> LineError {
    problem(line.language.error(what, fix: fix).diagnostic)
  }

  /// A diagnostic with the position of the whole part.
  package func problem(_ diagnostic: Diagnostic) -> LineError {
    line.error(diagnostic, at: slice.startIndex..<slice.endIndex)
  }

  /// An error that marks the next word, or the end; in a line with a quote that is not closed, the quote.
  package func expected(_ what: String, fix: String? = nil) -> LineError {
    if let quote = line.text[...].unclosedQuote {
      return self[quote..<line.text.endIndex].problem("missing closing quote")
    }
    return self[slice.startIndex..<endOfWord].problem("expected \(what)", fix: fix)
  }

  /// The first occurrence of a name, for an error about it; the whole part if there is none.
  package func occurrence(of name: String) -> LinePart {
    let names = slice.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return names.first { $0 == name }.map { self[$0.startIndex..<$0.endIndex] } ?? self
  }

  // MARK: Words

  package func starts(with mark: String) -> Bool { slice.utf8.starts(with: mark.utf8) }

  /// Whether a space, a tab or the end follows the word.
  package func starts(withWord word: String) -> Bool {
    starts(with: word)
      && [nil, " ", "\t"].contains(slice.unicodeScalars.dropFirst(word.unicodeScalars.count).first)
  }

  /// Reads a mark if it is next.
  package mutating func take(_ mark: String) -> Bool {
    guard starts(with: mark) else { return false }
    advance(to: slice.utf8.index(slice.startIndex, offsetBy: mark.utf8.count))
    return true
  }

  package mutating func take(word: String) -> Bool { starts(withWord: word) && take(word) }

  private mutating func advance(to index: String.Index) { self = self[index..<slice.endIndex] }

  private var endOfWord: String.Index {
    firstIndex { " \t".utf8.contains(slice.utf8[$0]) } ?? slice.endIndex
  }

  /// Reads up to the next white space outside quotes and brackets; quotes around the word are removed.
  package mutating func takeWord() -> String? {
    let word = slice[..<endOfWord]
    advance(to: word.endIndex)
    let isQuoted =
      word.utf8.count > 1 && word.utf8.first == word.utf8.last
      && (word.hasPrefix("'") || word.hasPrefix("\""))
    return isQuoted ? String(word.utf8.dropFirst().dropLast()) : word.isEmpty ? nil : String(word)
  }

  /// Throws if anything is left.
  package func end() throws(LineError) {
    guard isEmpty else { throw expected("the end of the line") }
  }

  /// A name and its position in the line.
  package struct Name: Sendable, Hashable {
    package let text: String
    package let part: LinePart
  }

  /// Reads a text in double quotes, or the text whose rests fulfil a condition.
  ///
  /// - Parameter what: A description for errors.
  package mutating func name(
    _ what: String, while condition: (Substring) -> Bool
  ) throws(LineError) -> Name {
    let start = self
    var text: String?
    if starts(with: "\"") {
      text = try quotedText()
    } else {
      advance(to: slice.unicodeScalars.indices.first { !condition(slice[$0...]) } ?? slice.endIndex)
    }
    let part = self[start.slice.startIndex..<slice.startIndex]
    guard !part.isEmpty else { throw start.expected(what) }
    return Name(text: text ?? part.text, part: part)
  }

  /// The text in the quotes if the part is one text in double or single quotes, otherwise the text itself: a name with
  /// spaces needs no quotes where a mark follows it.
  package var unquotedText: String {
    var rest = self
    if let quoted = try? rest.quotedText(), rest.isEmpty { return quoted }
    let inner = slice.dropFirst().dropLast()
    // `'a'=='b'` is no name.
    return slice.utf8.count > 1 && starts(with: "'") && slice.hasSuffix("'") && !inner.contains("'")
      ? String(inner) : text
  }

  /// Reads a text in double quotes, with `\n`, `\t`, `\"`, `\\` and `\u{…}`.
  package mutating func quotedText() throws(LineError) -> String {
    guard starts(with: "\"") else { throw expected("a text in double quotes") }
    var rest = slice.unicodeScalars.dropFirst()
    var quoted = ""
    while let scalar = rest.popFirst() {
      let escape = rest.startIndex
      switch (scalar, scalar == "\\" ? rest.popFirst() : nil) {
      case ("\"", _):
        advance(to: rest.startIndex)
        return quoted
      case (_, "n"): quoted.append("\n")
      case (_, "t"): quoted.append("\t")
      case (_, "u"):
        guard rest.first == "{", let end = rest.firstIndex(of: "}"),
          rest.distance(from: rest.startIndex, to: end) <= 9,
          let value = UInt32(Substring(rest[..<end]).dropFirst(), radix: 16),
          let scalar = Unicode.Scalar(value)
        else {
          throw self[escape..<slice.endIndex].expected(
            "a code point in braces: u{2014}")
        }
        quoted.unicodeScalars.append(scalar)
        rest = rest[rest.index(after: end)...]
      case (_, let escaped?):
        guard escaped == "\"" || escaped == "\\" else {
          throw self[escape..<slice.endIndex].expected(
            "n, t, u{…}, a quote or a backslash after a backslash")
        }
        quoted.unicodeScalars.append(escaped)
      case (_, nil): quoted.unicodeScalars.append(scalar)
      }
    }
    throw problem("missing closing quote")
  }

  // MARK: Expressions

  /// The whole part as an expression.
  package func expression() throws(LineError) -> Expression {
    try parsed(Expression.init(parsing:))
  }

  /// The whole part as a predicate.
  package func predicate() throws(LineError) -> Predicate {
    try parsed(Predicate.init(parsing:))
  }

  private func parsed<Tree>(
    _ parse: (String) throws(ExpressionError) -> Tree
  ) throws(LineError) -> Tree {
    do {
      return try parse(text)
    } catch {
      let range = error.range ?? 0..<slice.utf8.count
      let start = slice.utf8.index(slice.startIndex, offsetBy: range.lowerBound)
      throw self[start..<slice.utf8.index(start, offsetBy: range.count)].problem(
        error.diagnostic.what, fix: error.diagnostic.fix)
    }
  }

  // MARK: Splitting

  /// The first index outside quotes and brackets that satisfies a condition.
  private func firstIndex(where condition: (String.Index) -> Bool) -> String.Index? {
    var depth = 0
    return slice.firstIndexOutsideQuotes { index in
      switch slice.unicodeScalars[index] {
      case "(", "{", "[": depth += 1
      case ")", "}", "]": depth -= 1
      default: return depth <= 0 && condition(index)
      }
      return false
    }
  }

  /// The parts before and after the first mark outside quotes and brackets; `nil` without the mark.
  package func parts(at mark: String) -> (LinePart, LinePart)? {
    firstIndex { slice.utf8[$0...].starts(with: mark.utf8) }.map { start in
      parts(around: start..<slice.utf8.index(start, offsetBy: mark.utf8.count))
    }
  }

  package func parts(around mark: Range<String.Index>) -> (LinePart, LinePart) {
    (self[slice.startIndex..<mark.lowerBound], self[mark.upperBound..<slice.endIndex])
  }

  /// The parts between marks outside quotes and brackets; none of an empty part.
  package func split(at mark: String) -> [LinePart] {
    var parts: [LinePart] = []
    var rest = self
    while let (part, others) = rest.parts(at: mark) {
      parts.append(part)
      rest = others
    }
    return rest.isEmpty ? parts : parts + [rest]
  }

  /// Reads a statement by its syntax: keywords, and parts in capitals.
  ///
  /// ```swift
  /// let line = try LineLanguage.policy.lines(of: "split name at ' ' into firstName, lastName")[0]
  /// try line.match("split EXPRESSION at TEXT into NAMES")?.map(\.text)
  /// // ["name", "' '", "firstName, lastName"]
  /// ```
  /// - Returns: `nil` if the line does not begin as the form does.
  package func match(_ form: String) throws(LineError) -> [LinePart]? {
    var rest = self
    return rest.take(String(form.prefix { !$0.isUppercase })) ? try rest.parts(of: form) : nil
  }

  /// The parts for the words in capitals of a form. A part is only empty if it is missing together with its
  /// keyword, both in square brackets: `ENTITY [with VALUES]`.
  ///
  /// - Throws: ``LineError`` for a mark or part that is missing.
  package func parts(of form: String) throws(LineError) -> [LinePart] {
    let fix = "write it as: \(form)"
    var (parts, rest): ([LinePart], LinePart) = ([], self)
    let marks = form.drop { !$0.isUppercase }.split { $0.isUppercase || $0 == "]" }
    for mark in marks {
      let word = mark.filter { $0 != " " && $0 != "[" }
      let isWord = word.contains(where: \.isLetter)
      guard let (part, others) = rest.parts(at: isWord ? " \(word) " : word) else {
        guard mark.contains("[") else { throw rest.ending.expected("\"\(word)\"", fix: fix) }
        parts.append(rest)
        rest = rest.ending
        continue
      }
      guard !part.isEmpty else { throw part.expected("something before \"\(word)\"", fix: fix) }
      guard !others.isEmpty else {
        throw others.expected("something after \"\(word)\"", fix: fix)
      }
      parts.append(part)
      rest = others
    }
    return parts + [rest]
  }
}
