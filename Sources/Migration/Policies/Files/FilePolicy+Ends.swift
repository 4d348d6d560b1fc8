internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The statements of a policy file at the beginning of an entity mapping and at the ends of its passes, which
/// run once or for every object of the entity mapping.
extension FilePolicy {
  func perform(
    _ call: PolicyScript.Statement.Call, _ mapping: EntityMapping, _ manager: PassManager
  ) throws {
    for verb in verbs(in: call) {
      let execution = Execution(verb: verb, call: call)
      switch verb {
      case .make(let search):
        let context = EvaluationContext(variables: manager.variables(of: mapping))
        _ = try found(
          search, execution, context, ArithmeticChoice(variables: [:]), manager.destination)
      case .require(let condition, let message):
        try require(condition, message, execution, mapping, manager)
      case .delete(let condition):
        try forEachObject(of: mapping, manager) { object, source, context in
          var context = context
          Self.arithmetic(of: object, source, manager).choose(for: condition, in: &context)
          let isDeleted = try context.holds(condition)
          note(
            execution.of(source, object), context, manager.destination.details,
            isDeleted ? .deletes : .nothing)
          if isDeleted { try manager.delete(object) }
        }
      case .relate(let name, let search):
        try forEachObject(of: mapping, manager) { object, source, context in
          let arithmetic = Self.arithmetic(of: object, source, manager)
          try relate(name, search, execution.of(source, object), context, arithmetic)
        }
      default:
        try forEachObject(of: mapping, manager) { object, source, context in
          try assign(
            execution.of(source, object), Setting(of: object, source, manager), context)
        }
      }
    }
  }

  private func require(
    _ condition: Predicate, _ message: [PolicyScript.MessagePart], _ execution: Execution,
    _ mapping: EntityMapping, _ manager: PassManager
  ) throws {
    var failures = FailedRequirements()
    try forEachObject(of: mapping, manager) { object, source, context in
      var context = context
      Self.arithmetic(of: object, source, manager).choose(for: condition, in: &context)
      let isMet = try context.holds(condition)
      note(
        execution.of(source, object), context, manager.destination.details, .isMet(isMet))
      guard !isMet else { return }
      // The new store does not exist if the migration fails, so the source objects are named.
      let objectName =
        source.map { "\($0.entity)/p\($0.key)" } ?? "\(object.entity)/new p\(object.key)"
      try failures.add(objectName, message, context)
    }
    try failures.check()
  }

  private func forEachObject(
    of mapping: EntityMapping, _ manager: PassManager,
    _ body: (NewObject, BrowsedObject?, EvaluationContext) throws -> Void
  ) throws {
    let variables = manager.variables(of: mapping)
    try manager.forEachDestinationInstance(of: mapping) { object in
      let source = try manager.sourceInstances(for: object, in: mapping).first
      try body(object, source, Self.context(of: object, source, variables))
    }
  }

  /// The evaluation context of statements after pass 1.
  static func context(
    of object: NewObject, _ source: BrowsedObject?, _ variables: [String: ExpressionValue]
  ) -> EvaluationContext {
    var variables = variables
    variables["source"] = source.map { .object($0) } ?? .null
    variables["destination"] = .object(object)
    return EvaluationContext(object: object, variables: variables)
  }

  // MARK: Methods

  var methods: Set<String> { Set(script.methods.map(\.selector)) }

  func value(
    ofMethod selector: String, arguments: [ExpressionValue], _ manager: PassManager
  ) throws -> ExpressionValue {
    guard let method = script.methods.first(where: { $0.selector == selector }) else {
      throw ExpressionError(.unknownFunction(selector, near: nil))
    }
    var variables = manager.currentEntityMapping.map { manager.variables(of: $0) } ?? [:]
    for (name, argument) in zip(method.parameters, arguments) { variables[name] = argument }
    return try EvaluationContext(variables: variables).value(of: method.value)
  }
}
