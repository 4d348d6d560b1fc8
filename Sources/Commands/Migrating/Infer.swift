internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataValues

/// `infer MODEL MODEL`
struct Infer: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Infers the mapping model, or says every reason why there is none.",
    discussion: "Exit status 1 means that nothing can be inferred.")
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "a rename, found by its identifier", "infer sample:Topics/Model2 sample:Topics/Model3"),
    CommandExample(
      "an obstacle", "load sample:Topics", "try Model1.Topic.content attributeType Binary",
      "infer Model1 try:Model1"),
  ]

  @Argument(help: ArgumentHelp("The source model.", valueName: "model"), completion: .file())
  var source: String
  @Argument(help: ArgumentHelp("The destination model.", valueName: "model"), completion: .file())
  var destination: String
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let (first, second) = (try session.model(source), try session.model(destination))
    let inference = Inference(from: first.model, to: second.model)
    let payload = InferencePayload(inference)
    guard let mapping = inference.mapping else {
      let count = inference.obstacles.count
      return Outcome(
        .stack([
          .line(
            StyledText("not inferable (134190)", .error)
              + StyledText(
                ": \(Words.count(count, "obstacle", "obstacles")) from \(first.name) to \(second.name)"
              )),
          inference.obstacles.view,
        ]), payload: payload, status: .no)
    }
    let names = Words.count(mapping.entityMappings.count, "entity mapping", "entity mappings")
    return Outcome(
      .stack(
        [
          .line(
            StyledText("inferable", .good)
              + StyledText(": \(names) from \(first.name) to \(second.name)"))
        ]
          + mapping.entityMappings.map { $0.view(in: second.model) }
          + [inference.warnings.beware]), payload: payload)
  }
}

extension [Obstacle] {
  /// The warnings under their heading; nothing where there are none.
  var beware: View {
    isEmpty ? .nothing : .stack([.line(StyledText("beware", .warning)), view])
  }

  /// Place and reason, then the ways out.
  var view: View {
    .stack(
      map { obstacle in
        .lines(
          [
            StyledText("  \(obstacle.place)", .name)
              + StyledText("  \(obstacle.words)\(obstacle.code == 0 ? "" : " (\(obstacle.code))")")
          ] + obstacle.remedies.map { StyledText("    way out: \($0)", .faint) })
      })
  }
}

extension EntityMapping {
  /// The mapping with what becomes of each property that is not simply copied.
  func view(in model: ObjectModel) -> View {
    let direction = [sourceName, destinationName].map { $0 ?? "" }
    let heading =
      StyledText("  \(name)", .name) + StyledText("  \(kind.name)", .faint)
      + StyledText(
        sourceName == destinationName || sourceName == nil || destinationName == nil
          ? "" : "  \(direction[0]) -> \(direction[1])")
    guard kind == .transform || kind == .custom, let destinationName else { return .line(heading) }
    let defaults = Dictionary(
      model.allAttributes(of: destinationName).map { ($0.property.name, $0.property.defaultValue) },
      uniquingKeysWith: { $1 })
    let rows: [[StyledText]] = (attributeMappings + relationshipMappings).map { property in
      let value: StyledText =
        switch property.expression {
        case .keyPath(of: .variable("source"), [property.name])?: StyledText("copied", .faint)
        case .function(_, on: .variable("manager"), let arguments)?
        where arguments.count == 2:
          StyledText("\(arguments[1].text) through \(arguments[0].plainText)")
        case let expression?: StyledText(expression.text)
        case nil:
          StyledText(
            (defaults[property.name] ?? nil).map { "default \($0)" } ?? "no value", .added)
        }
      return [StyledText("    \(property.name)"), value]
    }
    return .stack([.line(heading), .table(Table(rows: rows))])
  }
}

extension Expression {
  /// A text without its quotes.
  fileprivate var plainText: String {
    guard case .constant(.text(let words)) = self else { return text }
    return words
  }
}

/// The JSON shape of `infer`.
struct InferencePayload: Encodable, Sendable {
  struct Mapping: Encodable, Sendable {
    var name: String
    var type: String
    var source: String?
    var destination: String?
    var attributes: [Property]
    var relationships: [Property]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(type, forKey: .type)
      try container.encode(source, forKey: .source)
      try container.encode(destination, forKey: .destination)
      try container.encode(attributes, forKey: .attributes)
      try container.encode(relationships, forKey: .relationships)
    }

    private enum CodingKeys: String, CodingKey {
      case name, type, source, destination, attributes, relationships
    }
  }

  struct Property: Encodable, Sendable {
    var name: String
    /// `null` leaves the default value.
    var expression: String?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(expression, forKey: .expression)
    }

    private enum CodingKeys: String, CodingKey {
      case name, expression
    }

    init(_ mapping: PropertyMapping) {
      name = mapping.name
      expression = mapping.expression?.text
    }
  }

  struct ObstaclePayload: Encodable, Sendable {
    var code: Int
    var entity: String
    var property: String?
    var reason: String
    var remedies: [String]

    init(_ obstacle: Obstacle) {
      code = obstacle.code
      entity = obstacle.entity
      property = obstacle.property
      reason = obstacle.words
      remedies = obstacle.remedies
    }
  }

  var inferable: Bool
  var entityMappings: [Mapping]
  var obstacles: [ObstaclePayload]
  var warnings: [ObstaclePayload]

  init(_ inference: Inference) {
    inferable = inference.isInferable
    entityMappings = (inference.mapping?.entityMappings ?? []).map {
      Mapping(
        name: $0.name, type: $0.kind.name, source: $0.sourceName, destination: $0.destinationName,
        attributes: $0.attributeMappings.map(Property.init),
        relationships: $0.relationshipMappings.map(Property.init))
    }
    obstacles = inference.obstacles.map(ObstaclePayload.init)
    warnings = inference.warnings.map(ObstaclePayload.init)
  }
}
