internal import StrataBase
package import StrataExpressions
package import StrataObjectModel

/// A mapping model in text form.
///
/// ```
/// mapping from Topics/Model4 to Topics/Model5
///
/// TopicToTopic: Topic -> Topic
///   where topicList.title MATCHES '[a-h].*'
///   policy TopicPolicy
///   title = $source.title
///   presenter <- nothing
///   topicList <- $source.topicList through TopicListToTopicList
/// ```
///
/// `=` maps an attribute, `<-` a relationship. ``MappingScript`` reads it.
package struct MappingText: Sendable, Hashable {
  package let text: String

  /// The two models of a mapping model, with their references.
  package struct Models {
    var source: String
    var destination: (name: String, model: ObjectModel)

    package init(_ source: String, _ destination: String, _ destinationModel: ObjectModel) {
      self.source = source
      self.destination = (destination, destinationModel)
    }
  }

  /// - Parameters:
  ///   - models: The two models, to include their references and the omitted properties.
  ///   - omitted: Intentionally omitted properties, by entity mapping, if the models are unknown.
  package init(
    _ mapping: MappingModel, models: Models? = nil, omitted: [String: Set<String>] = [:]
  ) {
    var blocks: [[String]] = []
    if let models {
      blocks.append([
        "mapping from \(MappingName.reference(models.source)) to \(MappingName.reference(models.destination.name))"
      ])
    }
    for entity in mapping.entityMappings {
      blocks.append(
        Self.lines(of: entity, models: models, omitted: omitted[entity.name] ?? []))
    }
    text = blocks.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func lines(
    of mapping: EntityMapping, models: Models?, omitted: Set<String>
  ) -> [String] {
    var heading = MappingName.quoted(mapping.name) + ":"
    if let source = mapping.sourceName { heading += " " + MappingName.quoted(source) }
    heading += " ->"
    if let destination = mapping.destinationName {
      heading += " " + MappingName.quoted(destination)
    }
    if !mapping.hasStandardKind { heading += " as \(mapping.kind.name)" }
    var lines = [heading]
    // Model names change and depend on the folder, so the hashes identify the models.
    let hashes = [mapping.sourceHash, mapping.destinationHash]
    if models != nil || hashes != [nil, nil] {
      let texts = hashes.map { $0?.hex ?? "none" }
      lines.append("  hashes \(texts[0]) -> \(texts[1])")
    }
    if let filter = mapping.filter {
      lines.append("  where " + (isPlainLine(filter) ? filter : MappingName.literal(filter)))
    }
    if let source = mapping.customSource { lines.append("  objects \(source.text)") }
    if let policy = mapping.policyName { lines.append("  policy \(MappingName.quoted(policy))") }
    for entry in mapping.userInfo { lines.append("  info \(text(of: entry))") }
    for property in mapping.attributeMappings {
      let value = property.expression.map(Self.escaped) ?? "default"
      lines.append("  \(MappingName.quoted(property.name)) = \(value)")
      lines += property.userInfo.map {
        "  info of \(MappingName.quoted(property.name)) \(text(of: $0))"
      }
    }
    for property in mapping.relationshipMappings {
      let value = property.expression.map(Self.text(ofRelationship:)) ?? "nothing"
      lines.append("  \(MappingName.quoted(property.name)) <- \(value)")
      lines += property.userInfo.map {
        "  info of \(MappingName.quoted(property.name)) \(text(of: $0))"
      }
    }
    let missing = models.map { unmapped(in: mapping, of: $0.destination.model) } ?? omitted
    lines += missing.sorted { $0.precedesInBytes($1) }
      .map { "  omit \(MappingName.quoted($0))" }
    return lines
  }

  /// The properties of the destination entity that have no mapping; a text that does not omit them maps them
  /// automatically.
  package static func unmapped(
    in mapping: EntityMapping, of destination: ObjectModel
  ) -> Set<String> {
    guard let name = mapping.destinationName else { return [] }
    let names =
      destination.allAttributes(of: name).filter { !$0.property.isTransient }.map(\.property.name)
      + destination.allRelationships(of: name).filter { !$0.property.isTransient }
      .map(\.property.name)
    return Set(names)
      .subtracting((mapping.attributeMappings + mapping.relationshipMappings).map(\.name))
  }

  /// The text of a relationship mapping, with keywords for the usual forms.
  package static func text(ofRelationship expression: Expression) -> String {
    switch RelationshipSource(expression) {
    case .mapping(let name, let sources): "\(escaped(sources)) through \(MappingName.quoted(name))"
    case .relationship(let name, let sources):
      "\(escaped(sources)) through relationship \(MappingName.quoted(name))"
    case nil: escaped(expression)
    }
  }

  /// The text of an expression, escaped if it is a keyword of the text form.
  private static func escaped(_ expression: Expression) -> String {
    let text = expression.text
    return MappingName.keywordsForNone.contains(text) ? "#\(text)" : text
  }

  private static func text(of entry: UserInfoEntry) -> String {
    "\(MappingName.literal(entry.key)) = \(MappingName.literal(entry.value))"
  }

  /// Whether a filter can be written without quotes.
  private static func isPlainLine(_ filter: String) -> Bool {
    !filter.isEmpty && !filter.hasPrefix("\"") && !filter.contains("#") && !filter.hasPrefix("=")
      && !filter.hasPrefix("<-")
      && filter.unicodeScalars.first?.properties.isWhitespace == false
      && filter.unicodeScalars.last?.properties.isWhitespace == false
      && filter.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && !$0.isLineEnd
      }
  }
}

/// Names and strings in the text form.
enum MappingName {
  /// A name, quoted if necessary.
  static func quoted(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && !reserved.contains(name)
      && name.unicodeScalars.allSatisfy { Self.isPlain($0) }
    return isPlain ? name : literal(name)
  }

  /// The reference to a model, quoted if it contains a space or a quote.
  static func reference(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0 != "\"" && $0.properties.generalCategory != .control
    }
    return isPlain && !text.isEmpty ? text : literal(text)
  }

  /// The keywords for no expression, for attributes and relationships.
  static let keywordsForNone: Set<String> = ["default", "nothing"]

  /// Keywords that begin a line or end a name.
  static let reserved: Set<String> = [
    "as", "to", "through", "relationship", "none", "of", "mapping", "from",
  ]

  static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || "_-./@$+".unicodeScalars.contains(scalar)
  }

  /// A quoted string, with `\n`, `\t`, `\"`, `\\` and `\u{…}`.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      case _ where scalar.properties.generalCategory == .control || scalar.isLineEnd:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}

extension Unicode.Scalar {
  /// Line terminators that are not control characters.
  fileprivate var isLineEnd: Bool { value == 0x2028 || value == 0x2029 }
}
