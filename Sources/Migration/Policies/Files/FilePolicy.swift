internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// Runs a policy of a policy file.
struct FilePolicy: RunningPolicy {
  let script: PolicyScript
  private let verbs: [PolicyScript.Statement.Call: [PolicyScript.Verb]]
  /// Whether several source objects can become one.
  private let isShared: Bool
  /// The objects created by `one destination for each`, by value; kept for pass 1, like the policy.
  private var createdObjects: [AttributeValue: NewObject] = [:]
  /// Reused for each object, to keep compiled patterns.
  private var context = EvaluationContext()

  init(_ script: PolicyScript) {
    self.script = script
    verbs = Dictionary(grouping: script.statements, by: \.call).mapValues { $0.map(\.verb) }
    isShared = script.statements.contains {
      if case .oneDestination = $0.verb { true } else { false }
    }
  }

  func verbs(in call: PolicyScript.Statement.Call) -> [PolicyScript.Verb] {
    verbs[call] ?? []
  }

  private var allVerbs: [PolicyScript.Verb] {
    PolicyScript.Statement.Call.allCases.flatMap(verbs)
  }

  /// The properties that it reads and sets in addition to its entity mapping.
  func effect(_ name: String) -> PolicyEffect { PolicyEffect(name, verbs: allVerbs) }

  /// Whether it sets a property of every object.
  func sets(_ property: String) -> Bool {
    allVerbs.contains {
      if case .relate(property, _) = $0 { return true }
      return $0.values.contains { $0.attribute == property }
    }
  }

  /// The SQL equivalent of its effects, if each source object becomes one object.
  func bulkPolicy(_ name: String?) -> BulkPolicy? {
    // The keys of objects created in between are not predictable.
    let isOneToOne = allVerbs.allSatisfy {
      switch $0 {
      case .skip, .oneDestination, .make, .delete: false
      default: true
      }
    }
    let creates = verbs(in: .endOfCreation).contains {
      if case .relate(_, let search) = $0 { search.creates } else { false }
    }
    guard isOneToOne, !creates else { return nil }
    return BulkPolicy(
      name: name, verbs: verbs(in: .creation),
      laterAttributes: Set(
        PolicyScript.Statement.Call.allCases.filter { $0 != .creation }.flatMap(verbs)
          .flatMap(\.values).map(\.attribute)),
      relatesByDefault: verbs(in: .relationships).isEmpty && !setsLinksBesidePass2)
  }

  /// Whether it sets relationships where the entity mapping of the other end may find them set, or set them again.
  private var setsLinksBesidePass2: Bool {
    (verbs(in: .endOfCreation) + verbs(in: .endOfRelationships)).contains {
      if case .relate = $0 { true } else { false }
    }
  }

  /// Its changes to existing objects of an entity; `nil` if it creates other objects from them.
  func change(of entity: String, text: String) -> StageChange? {
    StageChange(entity: entity, verbs: allVerbs, text: text)
  }

  // MARK: Pass 1

  mutating func createInstances(
    from source: BrowsedObject, in mapping: EntityMapping, _ manager: PassManager
  ) throws {
    if context.variables.isEmpty { context.variables = manager.variables(of: mapping) }
    context.object = source
    context.variables["source"] = .object(source)
    context.variables["destination"] = .null
    let origin = ArithmeticChoice.Start(model: manager.sourceModel.model, entity: source.entity)
    let arithmetic = ArithmeticChoice(object: origin, variables: ["source": origin])
    var key: AttributeValue?
    let details = manager.destination.details
    for verb in verbs(in: .creation) {
      let execution = Execution(verb: verb, call: .creation, source: source)
      switch verb {
      case .skip(let condition):
        arithmetic.choose(for: condition, in: &context)
        let isSkipped = try context.holds(condition)
        note(execution, context, details, isSkipped ? .skips : .nothing)
        if isSkipped { return }
      case .oneDestination(let expression):
        context.arithmetic = arithmetic.arithmetic(of: expression)
        key = try Self.value(of: expression, context)
        let known = key.flatMap { createdObjects[$0] }
        note(execution, context, details, known.map { .joins($0.traced) } ?? .creates)
        if let known {
          try manager.associate(source, with: known, for: mapping)
          return
        }
      default: break
      }
    }
    guard let object = try manager.createDestinationInstance(for: source, in: mapping) else {
      return
    }
    if let key { createdObjects[key] = object }
    context.object = object
    context.variables["destination"] = .object(object)
    let setting = Setting(of: object, source, manager)
    for verb in verbs(in: .creation) where !verb.values.isEmpty {
      try assign(
        Execution(verb: verb, call: .creation, source: source, destination: object), setting,
        context)
    }
  }

  /// The arithmetic and targets for setting the attributes of an object.
  struct Setting {
    let object: NewObject
    let arithmetic: ArithmeticChoice
    let model: ObjectModel

    init(of object: NewObject, _ source: BrowsedObject?, _ manager: PassManager) {
      self.object = object
      arithmetic = FilePolicy.arithmetic(of: object, source, manager)
      model = manager.destinationModel.model
    }

    func assign(
      by verb: PolicyScript.Verb, _ context: EvaluationContext,
      _ didSet: (String, AttributeValue) -> Void = { _, _ in }
    ) throws {
      try FilePolicy.assign(
        by: verb, context, arithmetic, typeOf: { model.storedType(of: $0, in: object.entity) },
        {
          try object.set($0, to: $1)
          didSet($0, $1)
        })
    }
  }

  /// Sets attributes by a statement.
  func assign(
    _ execution: Execution, _ setting: Setting, _ context: EvaluationContext
  ) throws {
    guard let details = setting.object.context.details else {
      return try setting.assign(by: execution.verb, context)
    }
    var values: [TraceDecision.Value] = []
    try setting.assign(by: execution.verb, context) { name, value in
      let stored = setting.object.context.attribute(name, of: setting.object.entity)?.stored(value)
      values.append(.init(name, TraceValue(stored?.value ?? value)))
    }
    note(execution, context, details, .sets(values))
  }

  /// The arithmetic of expressions on a destination object and its source.
  static func arithmetic(
    of object: NewObject, _ source: BrowsedObject?, _ manager: PassManager
  ) -> ArithmeticChoice {
    var variables: [String: ArithmeticChoice.Start] = [:]
    variables["source"] = source.map {
      ArithmeticChoice.Start(model: manager.sourceModel.model, entity: $0.entity)
    }
    return ArithmeticChoice(
      object: .init(model: manager.destinationModel.model, entity: object.entity),
      variables: variables)
  }

  /// Sets attributes to the values of a statement, one after the other.
  static func assign(
    by verb: PolicyScript.Verb, _ context: EvaluationContext, _ arithmetic: ArithmeticChoice,
    typeOf: (_ name: String) -> AttributeType?,
    _ set: (_ name: String, _ value: AttributeValue) throws -> Void
  ) throws {
    let values = verb.values
    guard let first = values.first else { return }
    var context = context
    let found = try first.expressions.map { expression in
      context.arithmetic = arithmetic.arithmetic(of: expression, givenTo: typeOf(first.attribute))
      return try value(of: expression, context)
    }
    for given in values {
      if let value = try given.value(of: found) { try set(given.attribute, value) }
    }
  }

  // MARK: Pass 2

  func createRelationships(
    of destination: NewObject, in mapping: EntityMapping, _ manager: PassManager
  ) throws {
    guard isShared || !verbs(in: .relationships).isEmpty else {
      try manager.createRelationships(for: destination, in: mapping)
      return
    }
    let sources = try manager.sourceInstances(for: destination, in: mapping)
    // An object with several source objects has the relationships of all of them.
    try manager.createRelationships(
      for: destination, in: mapping, of: isShared ? sources : Array(sources.prefix(1)),
      choosing: { try choice($0, $1, of: destination) })
    let setting = Setting(of: destination, sources.first, manager)
    let context = Self.context(of: destination, sources.first, manager.variables(of: mapping))
    // Each statement sees the changes of the previous ones.
    for verb in verbs(in: .relationships) {
      let execution = Execution(
        verb: verb, call: .relationships, source: sources.first, destination: destination)
      if case .relate(let name, let search) = verb {
        try relate(name, search, execution, context, setting.arithmetic)
      } else if !verb.values.isEmpty {
        try assign(execution, setting, context)
      }
    }
  }

  /// Sets a relationship of the destination object to the object found or created.
  func relate(
    _ name: String, _ search: PolicyScript.Search, _ execution: Execution,
    _ context: EvaluationContext, _ arithmetic: ArithmeticChoice
  ) throws {
    guard let destination = execution.destination else { return }
    let objects = try found(search, execution, context, arithmetic, destination.context)
    let details = destination.context.details
    details?.lookup = TraceLink(
      of: destination.traced, name, .policy, expression: execution.verb.text)
    try destination.relate(name, to: objects)
  }

  /// Whether it chooses among the objects of a relationship.
  func chooses(_ relationship: String) -> Bool {
    verbs(in: .relationships).contains { verb in
      if case .keepFirst(let name, _, _) = verb {
        name == nil || name == relationship
      } else {
        false
      }
    }
  }

  func found(
    _ search: PolicyScript.Search, _ execution: Execution, _ context: EvaluationContext,
    _ arithmetic: ArithmeticChoice, _ destination: DestinationContext
  ) throws -> [NewObject] {
    func noted(_ object: NewObject?, isNew: Bool = false) -> [NewObject] {
      note(
        execution, context, destination.details,
        object.map { isNew ? .inserts($0.traced) : .finds($0.traced) } ?? .nothing)
      return object.map { [$0] } ?? []
    }
    func valueFor(_ attribute: String, _ expression: Expression) throws -> AttributeValue {
      var context = context
      context.arithmetic = arithmetic.arithmetic(
        of: expression,
        givenTo: destination.model.storedType(of: attribute, in: search.entity))
      return try Self.value(of: expression, context)
    }
    var values: [String: AttributeValue] = [:]
    if let key = search.key {
      let value = try valueFor(key.attribute, key.value)
      guard value != .null else { return noted(nil) }
      let known = try destination.objects(of: search.entity, where: key.attribute, is: value)
      if let first = known.first { return noted(first) }
      guard search.creates else { return noted(nil) }
      values[key.attribute] = value
    }
    for other in search.values {
      values[other.attribute] = try valueFor(other.attribute, other.value)
    }
    return noted(try destination.insert(search.entity, values), isNew: true)
  }

  /// Sorts the source objects of a relationship.
  private func choice(
    _ relationship: String, _ objects: [any EvaluatedObject], of destination: NewObject
  ) throws -> [any EvaluatedObject] {
    for verb in verbs(in: .relationships) {
      guard case .keepFirst(let name, let keys, let isAscending) = verb,
        name == nil || name == relationship
      else { continue }
      let keyed = try objects.map { object in
        (
          object: object,
          key: try EvaluationContext(object: object).value(of: .keyPath(of: nil, keys))
        )
      }
      let sorted = keyed.enumerated().sorted { a, b in
        let (first, second) = (a.element.key, b.element.key)
        // Nil is last in both orders.
        if first.isNull != second.isNull { return second.isNull }
        let comesFirst = isAscending ? first.isAscending(to: second) : second.isAscending(to: first)
        let comesLast = isAscending ? second.isAscending(to: first) : first.isAscending(to: second)
        // Equal elements keep their order.
        return comesFirst == comesLast ? a.offset < b.offset : comesFirst == true
      }.map(\.element.object)
      if sorted.count > 1, let first = sorted.first as? BrowsedObject {
        note(
          Execution(verb: verb, call: .relationships, source: first, destination: destination),
          EvaluationContext(), destination.context.details, .keeps(first.traced))
      }
      return sorted
    }
    return objects
  }

  static func value(
    of expression: Expression, _ context: EvaluationContext
  ) throws -> AttributeValue {
    guard case .value(let value) = try context.value(of: expression) else {
      throw Diagnostic(
        id: "policy.noValue", what: "\(expression.text) returns objects, not a value",
        fix: "name an attribute")
    }
    return value
  }
}

extension AttributeValue {
  /// The text of a value in a message.
  var messageText: String {
    switch self {
    case .null: "nothing"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text
    case .bytes(let bytes): "\(bytes.count) bytes"
    }
  }
}
