internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// Does what a policy file says.
struct FilePolicy: RunningPolicy {
  let script: PolicyScript
  private let verbs: [PolicyScript.Statement.Call: [PolicyScript.Verb]]
  /// Whether several source objects may become one.
  private let isShared: Bool
  /// What `one destination for each` has made, by value: it lasts for pass 1, as the policy does.
  private var made: [AttributeValue: NewObject] = [:]
  /// Used again for each object: what its patterns compiled to stays.
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

  /// What it reads and sets besides what its entity mapping says.
  func effect(_ name: String) -> PolicyEffect {
    PolicyEffect(name, verbs: PolicyScript.Statement.Call.allCases.flatMap(verbs))
  }

  /// Whether it gives a property of every object a value.
  func sets(_ property: String) -> Bool {
    PolicyScript.Statement.Call.allCases.flatMap(verbs).contains {
      if case .relate(property, _) = $0 { return true }
      return $0.values.contains { $0.attribute == property }
    }
  }

  /// What it does, where each object becomes one of its own.
  func bulkPolicy(_ name: String?) -> BulkPolicy? {
    let isOneToOne = verbs(in: .creation).allSatisfy {
      switch $0 {
      case .skip, .oneDestination: false
      default: true
      }
    }
    // Objects that are made in between have keys that nobody foresees.
    let makesObjects = PolicyScript.Statement.Call.allCases.flatMap(verbs).contains {
      switch $0 {
      case .make, .delete: true
      default: false
      }
    }
    guard isOneToOne, !makesObjects else { return nil }
    return BulkPolicy(
      name: name, verbs: verbs(in: .creation),
      relatesByDefault: verbs(in: .relationships).isEmpty)
  }

  /// What it does to the objects of an entity themselves; `nil` where it makes others of them.
  func change(of entity: String, words: String) -> StageChange? {
    StageChange(
      entity: entity, verbs: PolicyScript.Statement.Call.allCases.flatMap(verbs), words: words)
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
    for verb in verbs(in: .creation) {
      switch verb {
      case .skip(let condition):
        context.arithmetic = arithmetic.arithmetic(of: condition)
        if try context.holds(condition) { return }
      case .oneDestination(let expression):
        context.arithmetic = arithmetic.arithmetic(of: expression)
        key = try Self.value(of: expression, context)
        if let key, let known = made[key] {
          try manager.associate(source, with: known, for: mapping)
          return
        }
      default: break
      }
    }
    guard let object = try manager.createDestinationInstance(for: source, in: mapping) else {
      return
    }
    if let key { made[key] = object }
    context.object = object
    context.variables["destination"] = .object(object)
    let setting = Setting(of: object, source, manager)
    for verb in verbs(in: .creation) { try setting.assign(by: verb, context) }
  }

  /// How a policy gives values to the attributes of an object.
  struct Setting {
    let object: NewObject
    let arithmetic: ArithmeticChoice
    let model: ObjectModel

    init(of object: NewObject, _ source: BrowsedObject?, _ manager: PassManager) {
      self.object = object
      arithmetic = FilePolicy.arithmetic(of: object, source, manager)
      model = manager.destinationModel.model
    }

    func assign(by verb: PolicyScript.Verb, _ context: EvaluationContext) throws {
      try FilePolicy.assign(
        by: verb, context, arithmetic, typeOf: { model.storedType(of: $0, in: object.entity) },
        { try object.set($0, to: $1) })
    }
  }

  /// How expressions over a destination object and its source compute.
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

  /// Gives attributes the values of a verb, one after the other.
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
      if let value = given.value(of: found) { try set(given.attribute, value) }
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
    // An object that several became has the relationships of all of them.
    try manager.createRelationships(
      for: destination, in: mapping, of: isShared ? sources : Array(sources.prefix(1)),
      choosing: choice)
    let setting = Setting(of: destination, sources.first, manager)
    let context = Self.context(of: destination, sources.first, manager.variables(of: mapping))
    // Each statement sees what those before it have set.
    for verb in verbs(in: .relationships) {
      if case .relate(let name, let search) = verb {
        try destination.relate(
          name, to: try found(search, context, setting.arithmetic, manager.destination))
      } else {
        try setting.assign(by: verb, context)
      }
    }
  }

  /// Whether it chooses among the objects that a relationship finds.
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
    _ search: PolicyScript.Search, _ context: EvaluationContext, _ arithmetic: ArithmeticChoice,
    _ destination: DestinationContext
  ) throws -> [NewObject] {
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
      guard value != .null else { return [] }
      let known = try destination.objects(of: search.entity, where: key.attribute, is: value)
      if let first = known.first { return [first] }
      guard search.creates else { return [] }
      values[key.attribute] = value
    }
    for other in search.values {
      values[other.attribute] = try valueFor(other.attribute, other.value)
    }
    return [try destination.insert(search.entity, values)]
  }

  /// Which of the source objects of a relationship come first.
  private func choice(
    _ relationship: String, _ objects: [any EvaluatedObject]
  ) throws -> [any EvaluatedObject] {
    for case .keepFirst(let name, let keys, let isAscending) in verbs(in: .relationships)
    where name == nil || name == relationship {
      let keyed = try objects.map { object in
        (
          object: object,
          key: try EvaluationContext(object: object).value(of: .keyPath(of: nil, keys))
        )
      }
      return keyed.enumerated().sorted { a, b in
        let (first, second) = (a.element.key, b.element.key)
        // Nothing comes last, whatever the order.
        if first.isNull != second.isNull { return second.isNull }
        let comesFirst = isAscending ? first.isAscending(to: second) : second.isAscending(to: first)
        let comesLast = isAscending ? second.isAscending(to: first) : first.isAscending(to: second)
        // Equals stay as they were.
        return comesFirst == comesLast ? a.offset < b.offset : comesFirst == true
      }.map(\.element.object)
    }
    return objects
  }

  static func value(
    of expression: Expression, _ context: EvaluationContext
  ) throws -> AttributeValue {
    guard case .value(let value) = try context.value(of: expression) else {
      throw Diagnostic(
        id: "policy.noValue", what: "\(expression.text) gives objects, and no value",
        fix: "name an attribute")
    }
    return value
  }
}

extension AttributeValue {
  /// As a message has it.
  var words: String {
    switch self {
    case .null: "nothing"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text
    case .bytes(let bytes): "\(bytes.count) bytes"
    }
  }
}
