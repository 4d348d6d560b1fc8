internal import StrataExpressions
internal import StrataObjectModel

/// An entity mapping in the text form: its heading and the lines below it.
struct MappingBlock {
  let name: LinePart.Name
  private var mapping: EntityMapping
  /// `nil` if it follows from the entities and the policy.
  private var kind: EntityMapping.Kind?
  /// The words of the lines that an entity mapping has at most once.
  private var uniqueWords: Set<String> = []
  var hasHashes: Bool { uniqueWords.contains("hashes") }
  private(set) var omitted: [LinePart.Name] = []
  /// The lines in the file of the mapped properties, and of the heading for `nil`.
  private(set) var lines: [String?: Int]
  /// The mapped properties, with the positions of their mappings.
  private var properties: [String: (list: PropertyMappings, index: Int)] = [:]
  /// User info of properties, which can precede or follow their mappings.
  private var info: [(property: LinePart.Name, entry: UserInfoEntry)] = []

  private typealias PropertyMappings = WritableKeyPath<EntityMapping, [PropertyMapping]>

  /// Reads `NAME: SOURCE -> DESTINATION as KIND`.
  init(heading: LinePart) throws(LineError) {
    var line = heading
    name = try line.name()
    lines = [nil: heading.lineNumber]
    guard line.take(":") else { throw line.expected("\":\" after the name of an entity mapping") }
    let source = line.starts(with: "->") ? nil : try line.name().text
    guard line.take("->") else { throw line.expected("\"->\" and the destination entity") }
    let destination = line.isEmpty || line.starts(withWord: "as") ? nil : try line.name().text
    guard source != nil || destination != nil else { throw line.expected("an entity") }
    mapping = EntityMapping(
      name: name.text, kind: .undefined, sourceName: source, destinationName: destination)
    if line.take(word: "as") {
      let name = try line.name()
      kind = EntityMapping.Kind.allCases.first { $0.name == name.text }
      guard kind != nil else {
        let names = EntityMapping.Kind.allCases.map(\.name)
        throw name.part.expected("one of \(names.joined(separator: ", "))")
      }
    }
    try line.end()
  }

  /// Reads a line below the heading.
  mutating func read(_ whole: LinePart) throws(LineError) {
    var line = whole
    let name = try line.name()
    if line.take("=") {
      return try add(name, try line.value(), to: \.attributeMappings)
    } else if line.take("<-") {
      return try add(name, try line.relationshipValue(), to: \.relationshipMappings)
    }
    if ["where", "objects", "policy", "hashes"].contains(name.text),
      !uniqueWords.insert(name.text).inserted
    {
      throw name.part.problem(
        "\(self.name.text) has two lines with \(name.text)", fix: "delete one of the lines")
    }
    switch name.text {
    case "where":
      guard !line.isEmpty else { throw line.expected("a predicate") }
      // The usual fetch of an earlier line was read as a filter.
      if mapping.filter != nil { mapping.customSource = mapping.sourceExpression }
      mapping.filter = line.unquotedText
      return
    case "objects":
      guard let objects = try line.value() else { throw line.expected("an expression") }
      // Both are kept where there is a filter too, for the check of mapping models.
      let filter = mapping.filter
      mapping.setSource(objects)
      if let filter { (mapping.filter, mapping.customSource) = (filter, objects) }
      return
    case "policy": mapping.policyName = try line.name().text
    case "hashes":
      mapping.sourceHash = try line.hash()
      guard line.take("->") else { throw line.expected("\"->\" and the destination's hash") }
      mapping.destinationHash = try line.hash()
    case "omit":
      let property = try line.name()
      try checkFirst(property, isOmitted: true)
      omitted.append(property)
    case "info":
      let property = line.take(word: "of") ? try line.name() : nil
      let key = try line.quotedText()
      guard line.take("=") else { throw line.expected("\"=\" and a text in double quotes") }
      let entry = UserInfoEntry(key: key, value: try line.quotedText())
      if let property { info.append((property, entry)) } else { mapping.userInfo.append(entry) }
    default:
      throw name.part.expected(
        "property = expression, property <- expression, where, policy, omit, info or objects")
    }
    try line.end()
  }

  private mutating func add(
    _ name: LinePart.Name, _ value: Expression?,
    to list: PropertyMappings
  ) throws(LineError) {
    try checkFirst(name, isOmitted: false)
    lines[name.text] = name.part.lineNumber
    properties[name.text] = (list, mapping[keyPath: list].count)
    mapping[keyPath: list].append(PropertyMapping(name: name.text, expression: value))
  }

  /// Checks that the line of a property is its first one.
  private func checkFirst(_ property: LinePart.Name, isOmitted: Bool) throws(LineError) {
    let wasOmitted = omitted.contains { $0.text == property.text }
    guard wasOmitted || properties[property.text] != nil else { return }
    let lines =
      wasOmitted != isOmitted ? "mapped and omitted" : isOmitted ? "omitted twice" : "mapped twice"
    throw property.part.problem("\(property.text) is \(lines)", fix: "delete one of the lines")
  }

  /// The complete entity mapping, with its kind and the user info of its properties.
  func whole() throws(LineError) -> EntityMapping {
    var whole = mapping
    whole.kind =
      kind
      ?? EntityMapping.standardKind(
        source: mapping.sourceName, destination: mapping.destinationName,
        policy: mapping.policyName)
    for (name, entry) in info {
      guard let (list, index) = properties[name.text] else {
        throw name.part.problem(
          "\(name.text) has user info but no mapping", fix: "write its property mapping too")
      }
      whole[keyPath: list][index].userInfo.append(entry)
    }
    return whole
  }
}
