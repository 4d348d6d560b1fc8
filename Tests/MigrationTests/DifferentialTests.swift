import Foundation
@testable import StrataBase
import StrataExpressions
@testable import StrataMapping
@testable import StrataMigration
@testable import StrataObjectModel
import TestSupport
import Testing

struct OldMapping: Equatable {
  var models: MappingScript.Models?
  var mapping: MappingModel
  var omitted: [[String]]
  var hashed: Set<String>
  init(parsing text: String) throws(OldMappingError) {
    var reader = OldMappingTextReader()
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (place, line) in lines.enumerated() { try reader.read(line, number: place + 1) }
    try reader.finish()
    models = reader.models
    mapping = MappingModel(entityMappings: reader.mappings)
    omitted = reader.omitted
    hashed = reader.hashed
  }
  init(_ new: MappingScript) {
    models = new.models; mapping = new.mapping; omitted = new.omitted.map { $0.map(\.text) }; hashed = new.hashed
  }
  static func mayBegin(with head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || [9, 10, 13].contains($0.value) })
    else { return false }
    for line in text.split(whereSeparator: \.isNewline) {
      var words = OldLineReader(line, number: 1)
      if words.isAtEnd || words.isComment { continue }
      guard let first = try? words.name() else { return false }
      return first == "mapping" || words.take(":")
    }
    return false
  }
}
enum OldMappingError: Error { case expected(String, line: Int, column: Int), badText(String, mend: String?, line: Int, column: Int), tooMany(String, limit: Int), duplicateName(String) }
struct OldError: Error { 
  enum Subject { case policies, stages }
  var line: Int; var what: String; var mend: String?
  init(_ subject: Subject = .policies, line: Int, what: String, mend: String? = nil) { self.line = line; self.what = what; self.mend = mend }
}
/// Follows the quotes of a line, scalar by scalar: a mark behind a quote is no part of the quote.
struct OldQuotes {
  private var quote: Unicode.Scalar?
  private var isEscaped = false

  init() {}

  /// Goes past the next scalar.
  ///
  /// - Returns: Whether it stands outside of quotes, and is none itself.
  mutating func goesOutside(_ scalar: Unicode.Scalar) -> Bool {
    guard let open = quote else {
      if scalar == "\"" || scalar == "'" { quote = scalar }
      return quote == nil
    }
    if isEscaped {
      isEscaped = false
    } else if scalar == "\\" {
      isEscaped = true
    } else if scalar == open {
      quote = nil
    }
    return false
  }
}

extension Substring {
  /// A line without the comment at its end: `#` with white space, or nothing, on either side of it,
  /// outside quotes.
  var oldWithoutComment: Substring {
    let scalars = unicodeScalars
    var quotes = OldQuotes()
    var isAfterSpace = true
    for place in scalars.indices {
      let scalar = scalars[place]
      if quotes.goesOutside(scalar), scalar == "#", isAfterSpace {
        let next = scalars.index(after: place)
        if next == scalars.endIndex || scalars[next].properties.isWhitespace {
          return self[..<place]
        }
      }
      isAfterSpace = scalar.properties.isWhitespace
    }
    return self
  }
}

/// Cuts the lines of a policy file where no quote or bracket holds them together.
enum OldPolicyText {
  /// The first place of a mark outside of quotes and brackets.
  private static func firstPlace(of mark: String, in text: Substring) -> String.Index? {
    var quotes = OldQuotes()
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

/// The words of one line of the text form of a mapping model.
struct OldLineReader {
  /// Scalars, not characters: a mark behind a quote is no part of the quote.
  private let line: [Unicode.Scalar]
  private var place: Int
  let number: Int
  let isIndented: Bool

  init(_ line: Substring, number: Int) {
    self.line = Array(line.oldWithoutComment.unicodeScalars)
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

  func expected(_ what: String) -> OldMappingError {
    .expected(what, line: number, column: place + 1)
  }

  func problem(_ what: String, mend: String) -> OldMappingError {
    .badText(what, mend: mend, line: number, column: place + 1)
  }

  func end() throws(OldMappingError) {
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
  mutating func name() throws(OldMappingError) -> String {
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
  mutating func reference() throws(OldMappingError) -> String {
    if takes("\"") { return try literal() }
    let start = place
    while place < line.count, line[place] != " ", line[place] != "\t" { place += 1 }
    guard place > start else { throw expected("a model") }
    let reference = text(start..<place)
    skipSpace()
    return reference
  }

  /// A text in quotes.
  mutating func literal() throws(OldMappingError) -> String {
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

  private mutating func scalar() throws(OldMappingError) -> Unicode.Scalar {
    guard place < line.count, line[place] == "{",
      let end = line[place...].firstIndex(of: "}"), end - place <= 9,
      let value = UInt32(text((place + 1)..<end), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw expected("the number of a character in braces") }
    place = end + 1
    return scalar
  }

  /// The rest of the line as it is, or one text in quotes.
  mutating func restOrLiteral() throws(OldMappingError) -> String {
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

  mutating func hash() throws(OldMappingError) -> VersionHash? {
    let start = self
    let text = try name()
    if text == "none" { return nil }
    guard let hash = VersionHash(hex: text) else {
      throw start.expected("a version hash of 64 hexadecimal digits, or none")
    }
    return hash
  }

  /// The rest of the line as an expression; `nil` where it is one of the words for none.
  mutating func value() throws(OldMappingError) -> StrataExpressions.Expression? {
    let start = self
    let text = rest()
    if MappingName.wordsForNone.contains(text) { return nil }
    return try Self.expression(text, at: start)
  }

  /// The rest of the line as the value of a relationship.
  mutating func relationshipValue() throws(OldMappingError) -> StrataExpressions.Expression? {
    let start = self
    let text = rest()
    if MappingName.wordsForNone.contains(text) { return nil }
    let problem: OldMappingError
    do {
      return try Self.expression(text, at: start)
    } catch {
      problem = error
    }
    // The last "through" is the word: the name behind it can hold none unless it is quoted.
    // No name holds it more than a few times.
    var places = text.ranges(of: " through ").suffix(20)
    while let range = places.popLast() {
      var name = OldLineReader(text[range.upperBound...], number: number)
      guard let sources = try? StrataExpressions.Expression(parsing: String(text[..<range.lowerBound])) else {
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
    _ text: String, at start: OldLineReader
  ) throws(OldMappingError) -> StrataExpressions.Expression {
    do throws(ExpressionError) {
      return try StrataExpressions.Expression(parsing: text)
    } catch {
      let column = start.place + 1 + (error.range?.lowerBound ?? 0)
      throw .badText(
        error.diagnostic.what, mend: error.diagnostic.mend, line: start.number, column: column)
    }
  }
}
/// Reads the text form line by line.
struct OldMappingTextReader {
  var models: MappingScript.Models?
  var mappings: [EntityMapping] = []
  var omitted: [[String]] = []
  private var isBegun = false
  private var propertyCount = 0
  /// For each entity mapping, the properties that were mapped.
  private var names: [Set<String>] = []
  var hashed: Set<String> = []
  /// User info of a property, told before or after it.
  private var pending: [(mapping: Int, property: String, entry: UserInfoEntry, line: Int)] = []

  mutating func read(_ line: Substring, number: Int) throws(OldMappingError) {
    var words = OldLineReader(line, number: number)
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

  private mutating func readHeading(_ words: inout OldLineReader) throws(OldMappingError) {
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
    names.append([])
  }

  /// Entity mappings whose kind the text tells; the others' follows from what they have.
  private var explicitKinds: Set<Int> = []

  mutating func finish() throws(OldMappingError) {
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

  private mutating func readPart(_ words: inout OldLineReader) throws(OldMappingError) {
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
      guard !words.isAtEnd else { throw words.expected("a predicate") }
      let filter = try words.restOrLiteral()
      mappings[last].filter = filter
    case "objects": mappings[last].customSource = try words.value()
    case "policy":
      mappings[last].policyName = try words.name()
      try words.end()
    case "hashes":
      hashed.insert(mappings[last].name)
      mappings[last].sourceHash = try words.hash()
      guard words.take("->") else { throw words.expected("-> and the destination's hash") }
      mappings[last].destinationHash = try words.hash()
      try words.end()
    case "omit":
      omitted[last].append(try words.name())
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
    _ name: String, _ expression: StrataExpressions.Expression?, isRelationship: Bool, at start: OldLineReader
  ) throws(OldMappingError) {
    let last = mappings.count - 1
    let property = PropertyMapping(name: name, expression: expression)
    propertyCount += 1
    guard propertyCount <= MappingDocument.propertyMappingLimit else {
      throw .tooMany("property mappings", limit: MappingDocument.propertyMappingLimit)
    }
    guard names[last].insert(name).inserted else {
      throw start.problem("\(name) is mapped twice", mend: "take one of the lines out")
    }
    if isRelationship {
      mappings[last].relationshipMappings.append(property)
    } else {
      mappings[last].attributeMappings.append(property)
    }
  }
}

enum OldPolicies {
  /// Reads the policies of a file.
  ///
  /// - Throws: ``OldError`` with its line.
  static func policies(parsing text: String) throws(OldError) -> [PolicyScript] {
    guard text.utf8.count <= sizeLimit else {
      throw OldError(line: 1, what: "the file has more than \(sizeLimit) bytes")
    }
    var policies: [PolicyScript] = []
    var headings: Set<PolicyScript> = []
    var selectors: Set<String> = []
    for (number, isIndented, line) in lines(of: text) {
      guard isIndented else {
        let policy = try heading(line, number)
        guard headings.insert(policy).inserted else {
          throw OldError(line: number, what: "there are two policies \(policy.name)")
        }
        selectors = []
        policies.append(policy)
        continue
      }
      guard !policies.isEmpty else {
        throw OldError(
          line: number, what: "this belongs to no policy", mend: "policy NAME")
      }
      var reader = OldStatementReader(line, number)
      if let method = try reader.method() {
        guard selectors.insert(method.selector).inserted else {
          throw OldError(
            line: number, what: "there are two methods \(method.selector)")
        }
        policies[policies.count - 1].methods.append(method)
      } else {
        policies[policies.count - 1].statements.append(try reader.statement())
      }
    }
    return policies
  }

  /// `policy NAME [for MAPPING] [in MODEL] [from VERSION] [to VERSION]`
  private static func heading(
    _ line: String, _ number: Int
  ) throws(OldError) -> PolicyScript {
    let parts: [String: WritableKeyPath<PolicyScript.Condition, String?>] = [
      "for": \.entityMapping, "in": \.mappingModel, "from": \.source, "to": \.destination,
    ]
    let words = OldPolicyText.words(line)
    guard words.count >= 2, words[0] == "policy" else {
      throw OldError(
        line: number, what: "a policy begins here: policy NAME",
        mend: "move what it does in by two spaces")
    }
    var policy = PolicyScript(name: words[1], statements: [])
    var rest = words.dropFirst(2)
    while let word = rest.popFirst() {
      guard let part = parts[word], policy.condition[keyPath: part] == nil,
        let name = rest.popFirst()
      else {
        throw OldError(
          line: number, what: "the policy \(words[1]) is for what stands behind its name",
          mend: "policy NAME for ENTITY-MAPPING in MAPPING-MODEL from VERSION to VERSION")
      }
      policy.condition[keyPath: part] = name
    }
    return policy
  }

  static let sizeLimit = 1_000_000

  /// The lines that say something, those that go on joined.
  static func lines(
    of text: String
  ) -> [(number: Int, isIndented: Bool, line: String)] {
    var lines: [(number: Int, isIndented: Bool, line: String)] = []
    var margin = 0
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.oldWithoutComment
      let indent = line.prefix { $0 == " " || $0 == "\t" }.count
      let content = line.drop { $0.isWhitespace }
      guard !content.isEmpty else { continue }
      let words = OldPolicyText.trimmed(String(content))
      if lines.last?.isIndented == true, indent > margin {
        lines[lines.count - 1].line += " " + words
      } else {
        lines.append((index + 1, indent > 0, words))
        margin = indent
      }
    }
    return lines
  }
}

/// Reads one statement of a policy.
struct OldStatementReader {
  private var rest: String
  private let number: Int

  init(_ line: String, _ number: Int) {
    rest = line
    self.number = number
  }

  mutating func statement() throws(OldError) -> PolicyScript.Statement {
    var call: PolicyScript.Statement.Call?
    if take("in ") {
      let (name, after) = try parts(rest, at: ":", wanting: "in creation: …")
      guard let known = PolicyScript.Statement.Call(rawValue: name) else {
        throw problem(
          "\(name) is no pass",
          mend: PolicyScript.Statement.Call.allCases.map { "in \($0.rawValue):" }.joined(
            separator: ", "))
      }
      call = known
      rest = after
    }
    let verb = try verb()
    let calls = verb.calls
    if let call, !calls.contains(call) {
      let others = calls.dropFirst().map(\.rawValue).joined(separator: ", ")
      throw problem(
        "this is done in \(calls[0].rawValue), and not in \(call.rawValue)",
        mend: others.isEmpty ? nil : "it may also be done in \(others)")
    }
    return PolicyScript.Statement(call: call ?? calls[0], verb: verb)
  }

  mutating func verb() throws(OldError) -> PolicyScript.Verb {
    if take("skip when ") { return .skip(when: try predicate(rest)) }
    if take("one destination for each ") {
      return .oneDestination(forEach: try expression(rest))
    }
    if take("set ") { return try set() }
    if take("split ") {
      let (text, after) = try parts(rest, at: " at ", wanting: "split EXPRESSION at ' ' into …")
      let (mark, names) = try parts(after, at: " into ", wanting: "… into NAME, NAME")
      return .split(
        try expression(text), at: try literal(mark), into: OldPolicyText.split(names, at: ","))
    }
    if take("join ") {
      let (texts, after) = try parts(rest, at: " with ", wanting: "join A, B with ' ' into NAME")
      let (mark, name) = try parts(after, at: " into ", wanting: "… into NAME")
      var expressions: [StrataExpressions.Expression] = []
      for text in OldPolicyText.split(texts, at: ",") { expressions.append(try expression(text)) }
      return .join(expressions, with: try literal(mark), into: name)
    }
    if take("create ") {
      let (entity, values) = OldPolicyText.firstParts(rest, at: " with ") ?? (rest, "")
      return .make(
        PolicyScript.Search(
          entity: entity, key: nil, creates: true, values: try assignments(values)))
    }
    if take("find or create ") { return .make(try search(creates: true)) }
    if take("delete when ") { return .delete(when: try predicate(rest)) }
    if take("keep first ") { return try keepFirst() }
    if take("require ") {
      let pieces = OldPolicyText.split(rest, at: ",")
      guard pieces.count > 1, let last = pieces.last else {
        throw problem("require PREDICATE, \"what is wrong where it is not so\"")
      }
      let condition = pieces.dropLast().joined(separator: ", ")
      return .require(try predicate(condition), message: try message(last))
    }
    let verbs = [
      "skip when", "one destination for each", "set", "split", "join", "create",
      "find or create", "delete when", "keep first", "require", "method",
    ]
    throw problem(
      "\(rest.prefix(30)) is nothing that a policy does", mend: verbs.joined(separator: ", "))
  }

  private mutating func set() throws(OldError) -> PolicyScript.Verb {
    let (name, after) = try parts(rest, at: "=", wanting: "set NAME = EXPRESSION")
    rest = after
    if OldPolicyText.firstParts(rest, at: " with ") != nil, take("create ") {
      let (entity, values) = try parts(rest, at: " with ", wanting: "create ENTITY with NAME = …")
      let search = PolicyScript.Search(
        entity: entity, key: nil, creates: true, values: try assignments(values))
      return .relate(relationship: name, search)
    }
    let creates = take("find or create ")
    guard creates || take("find ") else {
      return .set(attribute: name, try expression(rest))
    }
    return .relate(relationship: name, try search(creates: creates))
  }

  /// `ENTITY where NAME == EXPRESSION with …`
  private func search(creates: Bool) throws(OldError) -> PolicyScript.Search {
    let (entity, condition) = try parts(
      rest, at: " where ", wanting: "find or create ENTITY where NAME == EXPRESSION")
    var (wanted, others) = (condition, "")
    if let found = OldPolicyText.firstParts(condition, at: " with ") { (wanted, others) = found }
    let (attribute, value) = try parts(
      wanted, at: "==", wanting: "… where NAME == EXPRESSION")
    return PolicyScript.Search(
      entity: entity,
      key: PolicyScript.Assignment(attribute: attribute, value: try expression(value)),
      creates: creates, values: try assignments(others))
  }

  /// `method join:$a with:$b = EXPRESSION`; `nil` for anything else.
  mutating func method() throws(OldError) -> PolicyScript.Method? {
    guard take("method ") else { return nil }
    let form = "method NAME:$VALUE NAME:$VALUE = EXPRESSION"
    let (head, value) = try parts(rest, at: "=", wanting: form)
    var selector = ""
    var parameters: [String] = []
    for part in head.split(separator: " ") {
      let pieces = part.split(separator: ":", maxSplits: 1).map(String.init)
      guard pieces.count == 2, pieces[1].hasPrefix("$"), pieces[1].count > 1,
        !parameters.contains(String(pieces[1].dropFirst()))
      else {
        guard !head.contains(" "), !head.contains(":") else {
          throw problem("this is written as: \(form)")
        }
        return PolicyScript.Method(
          selector: head, parameters: [], value: try expression(value))
      }
      selector += pieces[0] + ":"
      parameters.append(String(pieces[1].dropFirst()))
    }
    return PolicyScript.Method(
      selector: selector, parameters: parameters, value: try expression(value))
  }

  /// `NAME = EXPRESSION, NAME = EXPRESSION`
  private func assignments(
    _ text: String
  ) throws(OldError) -> [PolicyScript.Assignment] {
    var values: [PolicyScript.Assignment] = []
    for part in OldPolicyText.split(text, at: ",") {
      let (name, value) = try parts(part, at: "=", wanting: "with NAME = EXPRESSION")
      values.append(PolicyScript.Assignment(attribute: name, value: try expression(value)))
    }
    return values
  }

  private mutating func keepFirst() throws(OldError) -> PolicyScript.Verb {
    var name: String?
    if take("of ") {
      let (relationship, after) = try parts(rest, at: " by ", wanting: "keep first of NAME by KEY")
      (name, rest) = (relationship, "by " + after)
    }
    guard take("by ") else { throw problem("keep first by KEY, or keep first of NAME by KEY") }
    var words = rest.split(separator: " ").map(String.init)
    let isDescending = words.last == "descending"
    if isDescending || words.last == "ascending" { words.removeLast() }
    guard words.count == 1 else { throw problem("the key is one word: keep first by dateCreated") }
    return .keepFirst(
      of: name, by: words[0].split(separator: ".").map(String.init), isAscending: !isDescending)
  }

  // MARK: Pieces

  private mutating func take(_ words: String) -> Bool {
    guard rest.hasPrefix(words) else { return false }
    rest = OldPolicyText.trimmed(String(rest.dropFirst(words.count)))
    return true
  }

  private func parts(
    _ text: String, at mark: String, wanting form: String
  ) throws(OldError) -> (String, String) {
    guard let found = OldPolicyText.firstParts(text, at: mark), !found.0.isEmpty, !found.1.isEmpty
    else { throw problem("this is written as: \(form)") }
    return found
  }

  private func problem(_ what: String, mend: String? = nil) -> OldError {
    OldError(line: number, what: what, mend: mend)
  }

  private func expression(_ text: String) throws(OldError) -> StrataExpressions.Expression {
    do {
      return try StrataExpressions.Expression(parsing: text)
    } catch {
      throw problem("\(text): \(error.diagnostic.what)", mend: error.diagnostic.mend)
    }
  }

  private func predicate(_ text: String) throws(OldError) -> StrataExpressions.Predicate {
    do {
      return try StrataExpressions.Predicate(parsing: text)
    } catch {
      throw problem("\(text): \(error.diagnostic.what)", mend: error.diagnostic.mend)
    }
  }

  private func literal(_ text: String) throws(OldError) -> String {
    guard case .constant(.text(let literal)) = try expression(text) else {
      throw problem("\(text) is no text", mend: "write it in quotes: ' '")
    }
    return literal
  }

  /// `"no presenter for \(title)"`
  private func message(_ text: String) throws(OldError) -> [PolicyScript.MessagePart] {
    guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else {
      throw problem("what is wrong stands in double quotes: \"no presenter for \\(title)\"")
    }
    var parts: [PolicyScript.MessagePart] = []
    var rest = text.dropFirst().dropLast()
    while let mark = rest.firstRange(of: "\\(") {
      guard let end = rest[mark.upperBound...].firstIndex(of: ")") else {
        throw problem("a \\( in the text is not closed")
      }
      parts.append(.text(String(rest[..<mark.lowerBound])))
      parts.append(.value(try expression(String(rest[mark.upperBound..<end]))))
      rest = rest[rest.index(after: end)...]
    }
    return parts + [.text(String(rest))]
  }
}

/// The stages of a staged migration, as a file gives them.
///
/// ```
/// stage custom Model1 -> Model1a
///   will: Topic: set presenterName = "nobody" when presenterName == nil
///   will: run Check.strata
///   did: policy Split on Topic
/// stage lightweight Model1a, Model2
/// ```
///
/// A version is called by its name or by its checksum. A key stands for a value of the object itself. A line
/// that is moved in further than the one above goes on with it; `#` behind white space begins a comment.
///
/// Source: facts on the migration process, section 4.
struct OldStages: Sendable, Hashable {
  var stages: [Stage]

  struct Stage: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case lightweight([String])
      case custom(from: String, to: String)
    }

    var kind: Kind
    var will: [Step] = []
    var did: [Step] = []
    var line: Int

    var versions: [String] {
      switch kind {
      case .lightweight(let versions): versions
      case .custom(let from, let to): [from, to]
      }
    }
  }

  enum Step: Sendable, Hashable {
    /// A script of commands, by its path from the file.
    case script(String)
    case policy(String, entity: String, line: Int)
    case change(StageChange, line: Int)
  }

  /// - Throws: ``OldError`` with its line.
  init(parsing text: String) throws(OldError) {
    stages = []
    guard text.utf8.count <= OldPolicies.sizeLimit else {
      throw Self.problem(1, "the file has more than \(OldPolicies.sizeLimit) bytes")
    }
    for (number, isIndented, line) in OldPolicies.lines(of: text) {
      if isIndented { try addStep(line, number) } else { try addStage(line, number) }
    }
    guard !stages.isEmpty else {
      throw Self.problem(1, "there is no stage", mend: "stage lightweight VERSION, VERSION")
    }
  }

  private static func problem(
    _ line: Int, _ what: String, mend: String? = nil
  ) -> OldError {
    OldError(.stages, line: line, what: what, mend: mend)
  }

  private mutating func addStage(_ line: String, _ number: Int) throws(OldError) {
    func rest(after words: String) -> String? {
      line.hasPrefix(words + " ") ? OldPolicyText.trimmed(String(line.dropFirst(words.count))) : nil
    }
    if let versions = rest(after: "stage lightweight") {
      let names = OldPolicyText.split(versions, at: ",")
      guard !names.contains("") else { throw Self.problem(number, "a version has no name") }
      stages.append(Stage(kind: .lightweight(names), line: number))
    } else if let versions = rest(after: "stage custom") {
      guard let (from, to) = OldPolicyText.firstParts(versions, at: "->"), !from.isEmpty, !to.isEmpty
      else {
        throw Self.problem(
          number, "a custom stage leads from one version to another",
          mend: "stage custom VERSION -> VERSION")
      }
      stages.append(Stage(kind: .custom(from: from, to: to), line: number))
    } else {
      throw Self.problem(
        number, "a stage begins here",
        mend: "stage lightweight VERSION, VERSION or stage custom VERSION -> VERSION")
    }
  }

  private mutating func addStep(_ line: String, _ number: Int) throws(OldError) {
    guard let last = stages.indices.last else {
      throw Self.problem(
        number, "this belongs to no stage", mend: "stage custom VERSION -> VERSION")
    }
    guard case .custom = stages[last].kind else {
      throw Self.problem(
        number, "a lightweight stage has no steps of its own",
        mend: "make it a custom stage: stage custom VERSION -> VERSION")
    }
    if let step = Self.rest(of: line, after: "will:") {
      stages[last].will.append(try Self.step(step, number))
    } else if let step = Self.rest(of: line, after: "did:") {
      stages[last].did.append(try Self.step(step, number))
    } else {
      throw Self.problem(
        number, "a step is done before or after the migration", mend: "will: … or did: …")
    }
  }

  private static func rest(of line: String, after words: String) -> String? {
    line.hasPrefix(words) ? OldPolicyText.trimmed(String(line.dropFirst(words.count))) : nil
  }

  private static func step(_ text: String, _ number: Int) throws(OldError) -> Step {
    if let file = rest(of: text, after: "run "), !file.isEmpty { return .script(file) }
    if let policy = rest(of: text, after: "policy ") {
      guard let (name, entity) = OldPolicyText.firstParts(policy, at: " on "), !name.isEmpty,
        !entity.isEmpty
      else { throw problem(number, "a policy works on an entity", mend: "policy NAME on ENTITY") }
      return .policy(name, entity: entity, line: number)
    }
    guard let (entity, statement) = OldPolicyText.firstParts(text, at: ":"), !entity.isEmpty,
      !statement.isEmpty
    else {
      throw problem(
        number, "\(text.prefix(30)) is no step of a stage",
        mend: "run FILE, policy NAME on ENTITY, or ENTITY: set NAME = EXPRESSION when PREDICATE")
    }
    return .change(try change(entity, statement, text, number), line: number)
  }

  private static func change(
    _ entity: String, _ statement: String, _ words: String, _ number: Int
  ) throws(OldError) -> StageChange {
    var verbs: [PolicyScript.Verb] = []
    var rest = statement
    if let (work, condition) = OldPolicyText.firstParts(statement, at: " when "), work != "skip" {
      do {
        verbs.append(.skip(when: .not(try StrataExpressions.Predicate(parsing: condition))))
      } catch {
        throw problem(
          number, "\(condition): \(error.diagnostic.what)", mend: error.diagnostic.mend)
      }
      rest = work
    }
    do {
      var reader = OldStatementReader(rest, number)
      verbs.append(try reader.verb())
    } catch {
      throw OldError(.stages, line: number, what: error.what, mend: error.mend)
    }
    guard let change = StageChange(entity: entity, verbs: verbs, words: words) else {
      throw problem(
        number, "this makes new objects of old ones, and a stage changes those it has",
        mend: "\(StageChange.verbs)")
    }
    return change
  }
}

@Suite struct DifferentialTests {
  static func describe(_ s: OldStages) -> String {
    s.stages.map { stage in
      func steps(_ l: [OldStages.Step]) -> String { l.map { switch $0 { case .script(let f): "run|\(f)|"; case .policy(let n, let e, _): "policy|\(n)|\(e)|"; case .change(let c, _): "change|\(c)|" } }.joined() }
      let k = switch stage.kind { case .lightweight(let v): "L\(v)"; case .custom(let a, let b): "C\([a, b])" }
      return "\(k) will \(steps(stage.will)) did \(steps(stage.did))"
    }.joined(separator: "\n")
  }
  static func describe(_ s: StageScript) -> String {
    s.stages.map { stage in
      func steps(_ l: [StageScript.Step]) -> String { l.map { switch $0 { case .script(let f): "run|\(f)|"; case .policy(let n, let e, _): "policy|\(n.text)|\(e.text)|"; case .change(let c, _): "change|\(c)|" } }.joined() }
      let k = switch stage.kind { case .lightweight(let v): "L\(v.map(\.text))"; case .custom(let a, let b): "C\([a.text, b.text])" }
      return "\(k) will \(steps(stage.will)) did \(steps(stage.did))"
    }.joined(separator: "\n")
  }
  static let seeds: [String] = {
    var seeds: [String] = []
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    for dir in ["Docs", "Tests", "Sources/Samples", "Sources/Commands/Prompt", "Sources/Migration", "Sources/Mapping"] {
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(dir).path)) ?? [] {
        guard name.hasSuffix(".md") || name.hasSuffix(".swift"), let text = try? String(contentsOf: root.appendingPathComponent(dir).appendingPathComponent(name), encoding: .utf8) else { continue }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // Blocks that begin like one of the languages, without their common margin, and literals.
        for (i, line) in lines.enumerated() {
          let t = line.trimmingCharacters(in: .whitespaces)
          guard t.hasPrefix("policy ") || t.hasPrefix("stage ") || t.contains(" -> ") || t.hasPrefix("mapping from") else { continue }
          let margin = line.prefix { $0 == " " }.count
          let block = lines[i..<min(i + 14, lines.count)].prefix { $0.isEmpty || $0.prefix { $0 == " " }.count >= margin }
          seeds.append(block.map { String($0.dropFirst(margin)) }.joined(separator: "\n").replacingOccurrences(of: "\\\\", with: "\\"))
        }
        for m in text.matches(of: /"((?:[^"\\\n]|\\.)*)"/) where m.1.contains("policy ") || m.1.contains("stage ") || m.1.contains("->") {
          seeds.append(String(m.1).replacingOccurrences(of: "\\n", with: "\n").replacingOccurrences(of: "\\\"", with: "\"").replacingOccurrences(of: "\\\\", with: "\\"))
        }
      }
    }
    return Array(Set(seeds)).sorted()
  }()
  nonisolated(unsafe) static var counts = [0, 0, 0, 0, 0, 0, 0, 0]
  static func compare(_ text: String) -> [String] {
    var bad: [String] = []
    let om = try? OldMapping(parsing: text), nm = (try? MappingScript(parsing: text)).map { OldMapping($0) }
    if om != nil { counts[0] += 1 }; counts[1] += 1
    if om != nm { bad.append("MAPPING old \(om != nil) new \(nm != nil)") }
    if OldMapping.mayBegin(with: Array(text.utf8.prefix(512))) != MappingScript.mayBegin(with: Array(text.utf8.prefix(512))) { bad.append("MAYBEGIN") }
    let op = try? OldPolicies.policies(parsing: text), np = try? PolicyScript.policies(parsing: text)
    if op != nil, op != [] { counts[2] += 1 }
    if op != np { bad.append("POLICY old \(op.map { "\($0)" } ?? "-") new \(np.map { "\($0)" } ?? "-")") }
    let os = (try? OldStages(parsing: text)).map { describe($0) }, ns = (try? StageScript(parsing: text)).map { describe($0) }
    if os != nil { counts[3] += 1 }
    if os != ns { bad.append("STAGES old \(os ?? "-") new \(ns ?? "-")") }
    return bad
  }
  @Test func differential() {
    var random = SystemRandomNumberGenerator()
    let seeds = Self.seeds
    print("SEEDS", seeds.count)
    var reported = 0
    for seed in seeds { for b in Self.compare(seed) { print("DIFF", b, "|||", seed.debugDescription); reported += 1 } }
    print("SEED COUNTS", Self.counts)
    let bits = ["#", " ", "  ", "\t", "\"", "'", "\\", "(", ")", "[", "]", "{", "}", ",", "=", "==", "->", "<-", ":", "\n", "\n  ", "\n    ", "\r\n", " with ", " where ", " when ", " at ", " into ", " by ", " on ", " for ", " through ", "#x", " # ", "é", "$", "\u{301}", "_", ".", "x", "1", "as", "in ", "set ", "'a b'", "\"a b\"", "\\(", "\\u{41}", " "]
    let end = Date().addingTimeInterval(40)
    var n = 0
    while Date() < end, reported < 40 {
      var text = Array(seeds.randomElement(using: &random)!.unicodeScalars)
      if text.count > 3000 { continue }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let i = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text.insert(contentsOf: bits.randomElement(using: &random)!.unicodeScalars, at: i)
        case 1: if i < text.count { text.removeSubrange(i..<min(text.count, i + Int.random(in: 1...4, using: &random))) }
        case 2: if i < text.count { text.replaceSubrange(i..<i + 1, with: bits.randomElement(using: &random)!.unicodeScalars) }
        default:
          let j = Int.random(in: 0...text.count, using: &random)
          text.insert(contentsOf: Array(text[min(i, j)..<min(max(i, j), min(i, j) + 30)]), at: i)
        }
      }
      var s = ""; s.unicodeScalars.append(contentsOf: text)
      n += 1
      for b in Self.compare(s) { print("DIFF", b, "|||", s.debugDescription); reported += 1 }
    }
    print("MUTATIONS", n, "COUNTS", Self.counts, "REPORTED", reported)
  }
}
