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

  /// The properties that it reads and sets in addition to its entity mapping.
  func effect(_ name: String) -> PolicyEffect {
    PolicyEffect(name, verbs: PolicyScript.Statement.Call.allCases.flatMap(verbs))
  }

  /// Whether it sets a property of every object.
  func sets(_ property: String) -> Bool {
    PolicyScript.Statement.Call.allCases.flatMap(verbs).contains {
      if case .relate(property, _) = $0 { return true }
      return $0.values.contains { $0.attribute == property }
    }
  }

  /// The SQL equivalent of its effects, if each source object becomes one object.
  func bulkPolicy(_ name: String?) -> BulkPolicy? {
    let isOneToOne = verbs(in: .creation).allSatisfy {
      switch $0 {
      case .skip, .oneDestination: false
      default: true
      }
    }
    // The keys of objects created in between are not predictable.
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

  /// Its changes to existing objects of an entity; `nil` if it creates other objects from them.
  func change(of entity: String, text: String) -> StageChange? {
    StageChange(
      entity: entity, verbs: PolicyScript.Statement.Call.allCases.flatMap(verbs), text: text)
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
        if let key, let known = createdObjects[key] {
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
    for verb in verbs(in: .creation) { try setting.assign(by: verb, context) }
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

    func assign(by verb: PolicyScript.Verb, _ context: EvaluationContext) throws {
      try FilePolicy.assign(
        by: verb, context, arithmetic, typeOf: { model.storedType(of: $0, in: object.entity) },
        { try object.set($0, to: $1) })
    }
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
    // An object with several source objects has the relationships of all of them.
    try manager.createRelationships(
      for: destination, in: mapping, of: isShared ? sources : Array(sources.prefix(1)),
      choosing: choice)
    let setting = Setting(of: destination, sources.first, manager)
    let context = Self.context(of: destination, sources.first, manager.variables(of: mapping))
    // Each statement sees the changes of the previous ones.
    for verb in verbs(in: .relationships) {
      if case .relate(let name, let search) = verb {
        try destination.relate(
          name, to: try found(search, context, setting.arithmetic, manager.destination))
      } else {
        try setting.assign(by: verb, context)
      }
    }
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

  /// Sorts the source objects of a relationship.
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
        // Nil is last in both orders.
        if first.isNull != second.isNull { return second.isNull }
        let comesFirst = isAscending ? first.isAscending(to: second) : second.isAscending(to: first)
        let comesLast = isAscending ? second.isAscending(to: first) : first.isAscending(to: second)
        // Equal elements keep their order.
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
