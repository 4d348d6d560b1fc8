internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping
internal import StrataStore

/// The explanation of the next step: what it is for, and what it will do.
///
/// What it will do is found by running the step and going back, so the sentences are about the objects at hand.
struct StepExplanation {
  private(set) var parts: [ExplanationPart] = []
  private let stepper: Stepper
  private let location: StepLocation
  private let mapping: EntityMapping?
  private let store: String

  /// - Parameter store: The name of the store being migrated.
  init(_ stepper: Stepper, store: String) throws {
    try self.init(introducing: stepper, store: store)
    if location.next != nil { try addPreview() }
  }

  /// What the next step is for, without what it will do.
  init(introducing stepper: Stepper, store: String) throws {
    self.stepper = stepper
    self.store = store
    location = try stepper.location
    mapping = stepper.entityMapping
    say(location.next.map(introduction) ?? end)
  }

  /// Adds what the step has done. The stepper is after it.
  mutating func add(_ events: [TraceEvent]) throws {
    guard location.next != nil else { return }
    parts += try parts(of: events.map(\.kind))
  }

  var lines: [StyledText] { ExplanationPart.lines(of: parts) }

  /// The text, and its parts.
  var json: JSONValue { ["text": lines.map(\.text).joined(separator: "\n"), "parts": parts] }

  private mutating func say(_ sentences: [String]) {
    parts += sentences.map { .general($0) }
  }

  // MARK: What the step does

  private mutating func addPreview() throws {
    let found = try stepper.preview { result -> [ExplanationPart] in
      switch result {
      case .success(let events): try self.parts(of: events.map(\.kind))
      case .failure(let error): [.failure(Diagnostic(of: error))]
      }
    }
    parts += found ?? []
  }

  private func parts(of events: [TraceEvent.Kind]) throws -> [ExplanationPart] {
    var parts: [ExplanationPart] = []
    // The sources of a shared object are named where its relationships are.
    let details = events.filter(\.isDetail).filter { kind in
      if case .objectShared = kind, location.pass == .createRelationships { false } else { true }
    }.map { ExplanationPart.detail($0) }
    for event in events {
      switch event {
      case .objectCreated(let mapping, let source, let destination):
        parts.append(
          .object(
            .init(effect: .creates, mapping: mapping, source: source, destination: destination)))
      case .objectJoined(let mapping, let source, let destination):
        parts.append(
          .object(
            .init(effect: .joins, mapping: mapping, source: source, destination: destination)))
      case .objectRemoved(let mapping, let source, _):
        parts.append(
          .object(
            .init(effect: .skips, mapping: mapping, source: source, reason: reason(in: events))))
      case .relationshipsSet(let mapping, let destination, _):
        parts.append(
          .relationships(
            of: destination, sources: try sources(of: destination, in: mapping), mapping: mapping))
      case .objectInserted(_, let object): parts.append(.inserted(object))
      case .validationFailed(let object, let property, let reason):
        parts.append(.violation(object, property: property, reason: reason))
      case .statementRan(_, let purpose, let rows):
        parts.append(.statement(purpose: purpose, rows: rows))
      default: break
      }
    }
    parts += details
    for case .objectCreated(_, let source, let destination) in events {
      parts += try attributes(of: destination, from: source, events)
    }
    if case .relationships = parts.first, details.isEmpty {
      parts.append(.general("\(mapping?.name ?? "It") sets no relationships."))
    }
    return parts
  }

  private func sources(of object: ObjectRef, in name: String) throws -> [ObjectRef] {
    try stepper.associations(of: object, side: .destination).filter { $0.mapping == name }
      .flatMap(\.pairs).map(\.source)
  }

  private func reason(in events: [TraceEvent.Kind]) -> String {
    for case .policyDecided(let decision) in events where decision.effect == .skips {
      return "its policy says \(decision.statement)"
    }
    guard let name = mapping?.destinationName else { return "it has no destination entity" }
    if stepper.hops[stepper.position.hop].to.model[name]?.isAbstract == true {
      return "\(name) is abstract"
    }
    return mapping?.policyName.map { "its policy, \($0), creates none" } ?? "it creates none"
  }

  /// The attributes of a new object, with their values after the step.
  private func attributes(
    of object: ObjectRef, from source: ObjectRef, _ events: [TraceEvent.Kind]
  ) throws -> [ExplanationPart] {
    var decided: Set<String> = []
    for case .policyDecided(let decision) in events {
      if case .sets(let values) = decision.effect { decided.formUnion(values.map(\.name)) }
    }
    let model = stepper.hops[stepper.position.hop].to.model
    let created = try stepper.destinationObjects().object(object.key, of: object.entity)
    let read = try stepper.sourceObjects().object(source.key, of: source.entity)
    return try model.allStoredAttributes(of: object.entity).map { attribute in
      let property = mapping?.attributeMappings.first { $0.name == attribute.name }
      let text = property?.expression == nil ? nil : property?.value(default: nil).text
      let isComputed = text != nil && text != "copied"
      let origin: ExplanationPart.AttributeOutcome.Origin =
        decided.contains(attribute.name)
        ? .policy : isComputed ? .expression : text == nil ? .defaultValue : .copy
      let expression = origin == .expression ? property?.expression : nil
      func value(of expression: Expression) -> AttributeValue? {
        let context = EvaluationContext(variables: ["source": .object(read)])
        guard case .value(let value)? = try? context.value(of: expression) else { return nil }
        return value
      }
      let stored = origin == .copy ? property?.expression : expression
      let computed = stored.flatMap(value).flatMap {
        attribute.type.keeps($0) ? nil : ShownValue($0)
      }
      return .attribute(
        .init(
          object: object, name: attribute.name, origin: origin,
          expression: origin == .policy ? nil : property?.expression?.text,
          operands: (expression?.keyPaths ?? []).compactMap { operand in
            value(of: operand).map { (operand.text, ShownValue($0)) }
          }, computed: computed,
          value: ShownValue(stored: try created.stored(attribute.name) ?? .null, of: attribute)))
    }
  }

  // MARK: What the step is for

  /// Why the migration fails, where objects are invalid.
  private var refusal: [String]? {
    stepper.invalidModel.map { model in
      [
        "Some objects are invalid in \(model == .old ? location.from : location.to), so the migration fails (\(CoreDataError.migration)) and changes nothing.",
        model == .old
          ? "The objects are listed above; a stage saves what it changes, so change its statements."
          : "The objects are listed above; fix them in the app, or provide missing values with a default value or a mapping.",
      ]
    }
  }

  private var end: [String] {
    refusal ?? [
      "All hops are complete, in a private folder: \(store) is unchanged.",
      "`commit` applies the migration to the store; `abandon` discards it; `back` goes back.",
    ]
  }

  private func introduction(of next: StepLocation.Next) -> [String] {
    switch next {
    case .beginEntityMapping(let name, let pass, let kind): begin(name, pass, kind)
    case .object: []
    case .endEntityMapping(let name, let pass): end(name, pass)
    case .statement:
      [
        "This hop is inferred, so Core Data changes the store in place, with SQL, in one transaction.",
        "Rows keep their keys, and objects their identity: there are no association tables.",
        "If anything fails before the transaction is committed, the store is unchanged.",
      ]
    case .stageChange(_, _, let text):
      [
        "A stage of a staged migration may change objects before and after its migration: \(text).",
        "It belongs to the same transaction.",
      ]
    case .validate:
      [
        "The tables now have the schema of \(location.to); next, the rows are validated against it.",
        "In place, Core Data checks only required attributes: one without a value stops the migration (\(CoreDataError.migration)).",
      ]
    case .endHop: refusal ?? completion
    case .frame: ["Nothing happens in this step except that the next part begins."]
    }
  }

  private var completion: [String] {
    location.means == .inPlace
      ? [
        "All statements have run. Before the transaction is committed, the store is checked against \(location.to):",
        "its indexes, the number of objects of each entity, and the tables that were changed.",
      ]
      : [
        "All three passes are complete. The rest of the store is now written:",
        "indexes, triggers, the highest keys, the metadata with the version hashes of \(location.to), the cached model.",
      ]
  }

  private var entities: String {
    let policy = mapping?.policyName
    let destination = mapping?.destinationName.map { "\($0) objects" }
    switch (mapping?.sourceName, destination, policy) {
    case (let source?, let destination?, nil):
      return "\(source) objects become \(destination)"
    case (let source?, let destination?, let policy?):
      return "\(policy) decides which \(source) objects become \(destination)"
    case (let source?, nil, _): return "\(source) objects are not migrated"
    case (nil, let destination?, _): return "\(destination) are new: they have no source objects"
    case (nil, nil, _): return "it has no entities"
    }
  }

  /// The statements of the policy in a pass.
  private func policy(in pass: Pass) -> [String] {
    guard let name = mapping?.policyName else { return [] }
    guard let statements = stepper.policyScript?.statements else {
      return ["Its policy, \(name), is Swift code: it is called at every step."]
    }
    let own = statements.filter { $0.pass == pass }
    return own.isEmpty
      ? ["Its policy, \(name), has no statement in this pass."]
      : ["Its policy, \(name), in this pass: \(own.map(\.text).joined(separator: "; "))."]
  }

  private var filter: [String] {
    mapping?.filter.map { ["Only source objects that match its filter are read: \($0)."] } ?? []
  }

  private var relationships: String {
    let mappings = mapping?.relationshipMappings.filter { $0.expression != nil } ?? []
    return mappings.isEmpty
      ? "it sets none"
      : "it sets " + Phrase.list(mappings.map { "\($0.name) from \($0.value(default: nil).text)" })
  }

  private func begin(_ name: String, _ pass: Pass, _ kind: String) -> [String] {
    switch pass {
    case .createInstances:
      [
        "Pass 1 creates the destination objects with their attributes, entity mapping by entity mapping; relationships follow in pass 2.",
        "\(name) (\(kind)): \(entities).",
      ] + filter
        + ["Each pair is recorded in the association table of \(name), which pass 2 uses."]
        + policy(in: pass)
    case .createRelationships:
      [
        "Pass 2 sets the relationships. All objects exist now, so the order of entity mappings does not matter.",
        "\(name): \(relationships).",
      ] + policy(in: pass)
    case .validate:
      [
        "Pass 3 validates and saves. Until now nothing was validated, so objects could be incomplete.",
        "\(name): its objects are validated together, at the end of the entity mapping.",
      ] + policy(in: pass)
    }
  }

  private func end(_ name: String, _ pass: Pass) -> [String] {
    switch pass {
    case .createInstances: ["Pass 1 has read all source objects of \(name)."]
    case .createRelationships: ["All objects that \(name) created have their relationships."]
    case .validate:
      [
        "Next, every \(mapping?.destinationName ?? "object") of the new store is validated against \(location.to):",
        "required values, ranges, lengths, the number of destinations, uniqueness. An invalid object stops the migration.",
      ]
    }
  }
}
