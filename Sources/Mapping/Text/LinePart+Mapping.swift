internal import StrataExpressions
internal import StrataObjectModel

/// Elements that only occur in mapping texts.
extension LinePart {
  /// Reads the name of an entity, property, entity mapping or policy.
  mutating func name() throws(LineError) -> Name {
    try name("a name") { rest in
      rest.unicodeScalars.first.map(MappingName.isPlain) == true
        && !rest.utf8.starts(with: "->".utf8)
    }
  }

  /// Reads the name or path of a model.
  mutating func reference() throws(LineError) -> String {
    try name("a model") { !" \t".utf8.contains($0.utf8.first ?? 0) }.text
  }

  /// Reads a version hash; `nil` for the word `none`.
  mutating func hash() throws(LineError) -> VersionHash? {
    let name = try name()
    if name.text == "none" { return nil }
    guard let hash = VersionHash(hex: name.text) else {
      throw name.part.expected("a version hash of 64 hexadecimal digits, or none")
    }
    return hash
  }

  /// The part as an expression; `nil` for one of the words for no value.
  func value() throws(LineError) -> Expression? {
    guard !isEmpty else { throw expected("an expression, default or nothing") }
    return MappingName.keywordsForNone.contains(text) ? nil : try expression()
  }

  /// The value of a relationship: an expression, or `EXPRESSION through ENTITY-MAPPING`.
  func relationshipValue() throws(LineError) -> Expression? {
    let problem: LineError
    do {
      return try value()
    } catch {
      problem = error
    }
    // The last "through" is the keyword: the name after it does not contain the word unless it is quoted. No
    // name contains it more than a few times.
    for range in slice.ranges(of: " through ").suffix(20).reversed() {
      var (sources, name) = parts(around: range)
      guard let sources = try? sources.expression() else { continue }
      let isRelationship = name.take(word: "relationship")
      guard let target = try? name.name().text, name.isEmpty else { continue }
      return isRelationship
        ? .destinations(ofRelationship: target, of: sources)
        : .destinations(through: target, of: sources)
    }
    throw problem
  }
}
