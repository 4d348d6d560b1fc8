internal import StrataBase
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
    hashed = reader.hashed
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
      return first == "mapping" || words.take(":")
    }
    return false
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: ``MappingError``: not UTF-8, or a mistake in the text.
  public init(reading bytes: [UInt8]) throws(MappingError) {
    // Some editors begin a text with a mark of its encoding.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes
    guard let decoded = String(validating: text, as: UTF8.self) else {
      throw .notAMappingModel(found: "a text that is not UTF-8")
    }
    try self.init(parsing: decoded)
  }
}

/// Reads the text form line by line.
private struct MappingTextReader {
  var models: MappingScript.Models?
  var mappings: [EntityMapping] = []
  var omitted: [[MappingScript.Omission]] = []
  private var isBegun = false
  private var propertyCount = 0
  /// For each entity mapping, the properties that were mapped.
  private var names: [Set<String>] = []
  var hashed: Set<String> = []
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
    names.append([])
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
