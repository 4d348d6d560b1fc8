internal import StrataBase
internal import StrataExpressions
internal import StrataStore

/// The statements of a policy file as details of the events of a step.
extension FilePolicy {
  /// A statement that runs for an object.
  struct Execution {
    let verb: PolicyScript.Verb
    let call: PolicyScript.Statement.Call
    var source: BrowsedObject?
    var destination: NewObject?

    func of(_ source: BrowsedObject?, _ destination: NewObject) -> Execution {
      Execution(verb: verb, call: call, source: source, destination: destination)
    }
  }

  /// Adds the effect of a statement, if somebody asks.
  ///
  /// - Parameter context: The context in which it was evaluated.
  func note(
    _ execution: Execution, _ context: EvaluationContext, _ details: StepDetails?,
    _ effect: @autoclosure () -> TraceDecision.Effect
  ) {
    guard let details else { return }
    let values = details.quietly {
      execution.verb.operands.compactMap { operand in
        (try? context.value(of: operand)).map { TraceDecision.Value(operand.text, $0.traced) }
      }
    }
    details.add(
      .policyDecided(
        TraceDecision(
          policy: script.name, call: execution.call.rawValue, statement: execution.verb.text,
          source: execution.source?.traced, destination: execution.destination?.traced,
          values: values, effect: effect())))
  }
}

extension ExpressionValue {
  /// The value as events contain it: an object by its name, a collection by its count.
  var traced: TraceValue {
    switch self {
    case .value(let value): TraceValue(value)
    case .object(let object): .text("\(object.identity.rootEntity)/p\(object.identity.key)")
    case .collection(let elements, _): .text("\(elements.count) objects")
    }
  }
}
