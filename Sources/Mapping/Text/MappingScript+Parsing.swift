internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataObjectModel

extension MappingScript {
  /// Bytes of a text; far more than any needs.
  static let sizeLimit = 4 << 20

  /// - Throws: ``MappingError`` with line and column.
  public init(parsing text: String) throws(MappingError) {
    guard text.utf8.count <= Self.sizeLimit else {
      throw .tooMany("bytes", limit: Self.sizeLimit)
    }
    var reader = MappingTextReader()
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (place, line) in lines.enumerated() {
      try reader.read(line, number: place + 1)
    }
    try reader.finish()
    models = reader.models
    mapping = MappingModel(entityMappings: reader.mappings)
    omitted = reader.omitted
  }

  /// Whether a text may be one: its first line that says something is a heading of the form.
  public static func mayBegin(with head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || [9, 10, 13].contains($0.value) })
    else { return false }
    for line in text.split(whereSeparator: \.isNewline) {
      var words = LineReader(line, number: 1)
      if words.isAtEnd || words.isComment { continue }
      guard let first = try? words.name() else { return false }
      return first == "mapping" || (words.take(":"))
    }
    return false
  }
}

/// Reads the text form line by line.
private struct MappingTextReader {
  var models: MappingScript.Models?
  var mappings: [EntityMapping] = []
  var omitted: [[MappingScript.Omission]] = []
  private var isBegun = false
  private var propertyCount = 0
  /// User info of a property, told before or after it.
  private var pending: [(mapping: Int, property: String, entry: UserInfoEntry, line: Int)] = []

  mutating func read(_ line: Substring, number: Int) throws(MappingError) {
    var words = LineReader(line, number: number)
    if words.isAtEnd || words.isComment { return }
    if words.isIndented {
      guard !mappings.isEmpty else {
        throw words.expected("an entity mapping first: Name: Source -> Destination")
      }
      return try readPart(&words)
    }
    if !isBegun, words.take(word: "mapping") {
      isBegun = true
      guard words.take(word: "from") else { throw words.expected("from, and the source model") }
      let source = try words.reference()
      guard words.take(word: "to") else { throw words.expected("to, and the destination model") }
      models = MappingScript.Models(source: source, destination: try words.reference())
      return try words.end()
    }
    isBegun = true
    try readHeading(&words)
  }

  private mutating func readHeading(_ words: inout LineReader) throws(MappingError) {
    let name = try words.name()
    guard words.take(":") else { throw words.expected(": behind the name of an entity mapping") }
    let source = words.takes("->") ? nil : try words.name()
    guard words.take("->") else { throw words.expected("-> and the destination entity") }
    let destination = words.isAtEnd || words.takes(word: "as") ? nil : try words.name()
    guard source != nil || destination != nil else { throw words.expected("an entity") }
    guard !mappings.contains(where: { $0.name == name }) else { throw .duplicateName(name) }
    guard mappings.count < MappingDocument.entityMappingLimit else {
      throw .tooMany("entity mappings", limit: MappingDocument.entityMappingLimit)
    }
    var mapping = EntityMapping(
      name: name, kind: .undefined, sourceName: source, destinationName: destination)
    if words.take(word: "as") {
      let start = words
      let kindName = try words.name()
      guard let kind = EntityMapping.Kind.allCases.first(where: { $0.name == kindName }) else {
        throw start.expected(
          EntityMapping.Kind.allCases.map(\.name).joined(separator: ", "))
      }
      mapping.kind = kind
      explicitKinds.insert(mappings.count)
    }
    try words.end()
    mappings.append(mapping)
    omitted.append([])
  }

  /// Entity mappings whose kind the text tells; the others' follows from what they have.
  private var explicitKinds: Set<Int> = []

  mutating func finish() throws(MappingError) {
    for place in mappings.indices where !explicitKinds.contains(place) {
      mappings[place].kind = EntityMapping.standardKind(
        source: mappings[place].sourceName, destination: mappings[place].destinationName,
        policy: mappings[place].policyName)
    }
    for (mapping, property, entry, line) in pending {
      if let place = mappings[mapping].attributeMappings.firstIndex(where: { $0.name == property })
      {
        mappings[mapping].attributeMappings[place].userInfo.append(entry)
      } else if let place = mappings[mapping].relationshipMappings.firstIndex(where: {
        $0.name == property
      }) {
        mappings[mapping].relationshipMappings[place].userInfo.append(entry)
      } else {
        throw .expected("a mapping of \(property), which has user info", line: line, column: 1)
      }
    }
  }

  private mutating func readPart(_ words: inout LineReader) throws(MappingError) {
    let start = words
    let name = try words.name()
    if words.take("=") {
      guard !words.isAtEnd else { throw words.expected("an expression, or default") }
      return try add(name, try words.value(), isRelationship: false, at: start)
    }
    if words.take("<-") {
      guard !words.isAtEnd else { throw words.expected("an expression, or nothing") }
      return try add(name, try words.relationshipValue(), isRelationship: true, at: start)
    }
    let last = mappings.count - 1
    switch name {
    case "where":
      let filter = try words.restOrLiteral()
      guard !filter.isEmpty else { throw words.expected("a predicate") }
      mappings[last].filter = filter
    case "objects": mappings[last].customSource = try words.value()
    case "policy":
      mappings[last].policyName = try words.name()
      try words.end()
    case "hashes":
      mappings[last].sourceHash = try words.hash()
      guard words.take("->") else { throw words.expected("-> and the destination's hash") }
      mappings[last].destinationHash = try words.hash()
      try words.end()
    case "omit":
      omitted[last].append(MappingScript.Omission(property: try words.name(), line: words.number))
      try words.end()
    case "info":
      let property = words.take(word: "of") ? try words.name() : nil
      let key = try words.literal()
      guard words.take("=") else { throw words.expected("= and a text in quotes") }
      let entry = UserInfoEntry(key: key, value: try words.literal())
      try words.end()
      if let property {
        pending.append((last, property, entry, words.number))
      } else {
        mappings[last].userInfo.append(entry)
      }
    default:
      throw start.expected(
        "property = expression, property <- expression, where, policy, omit, info or objects")
    }
  }

  private mutating func add(
    _ name: String, _ expression: Expression?, isRelationship: Bool, at start: LineReader
  ) throws(MappingError) {
    let last = mappings.count - 1
    let property = PropertyMapping(name: name, expression: expression)
    propertyCount += 1
    guard propertyCount <= MappingDocument.propertyMappingLimit else {
      throw .tooMany("property mappings", limit: MappingDocument.propertyMappingLimit)
    }
    let known = mappings[last].attributeMappings + mappings[last].relationshipMappings
    guard known.last?.name != name, !known.contains(where: { $0.name == name }) else {
      throw start.problem("\(name) is mapped twice", mend: "take one of the lines out")
    }
    if isRelationship {
      mappings[last].relationshipMappings.append(property)
    } else {
      mappings[last].attributeMappings.append(property)
    }
  }
}

/// The words of one line.
private struct LineReader {
  /// Scalars, not characters: a mark behind a quote is no part of the quote.
  private let line: [Unicode.Scalar]
  private var place: Int
  let number: Int
  let isIndented: Bool

  init(_ line: Substring, number: Int) {
    self.line = Array(Self.withoutComment(line.unicodeScalars))
    self.number = number
    place = 0
    isIndented = line.first.map { $0 == " " || $0 == "\t" } ?? false
    skipSpace()
  }

  /// A line without the comment at its end: `#` with white space on either side of it, outside quotes.
  private static func withoutComment(
    _ line: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView {
    var quote: Unicode.Scalar?
    var isAfterSpace = true
    var isEscaped = false
    for place in line.indices {
      let letter = line[place]
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if letter == "\\" {
          isEscaped = true
        } else if letter == open {
          quote = nil
        }
      } else if letter == "\"" || letter == "'" {
        quote = letter
      } else if letter == "#", isAfterSpace {
        let next = line.index(after: place)
        if next == line.endIndex || line[next] == " " || line[next] == "\t" {
          return line[..<place]
        }
      }
      isAfterSpace = letter == " " || letter == "\t"
    }
    return line
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
    var places = text.ranges(of: " through ")
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
