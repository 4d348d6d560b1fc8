internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping

/// `eval EXPRESSION`
struct Eval: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "eval",
    abstract: "Evaluates an expression or a predicate for the current objects.",
    discussion: """
      $source and $destination are the current objects; in pass 1 there is no destination yet. \
      `help expressions` describes the syntax. An expression cannot change anything.
      """)
  static let showsValues = true
  static let takesTypedText = true
  static let examples = [
    CommandExample.stepping(
      "an expression of the mapping model", "step", "eval '$source.content.length * 0.2'")
  ]

  @Argument(
    .predicate, "An expression, such as '$source.title.length'.", label: "expression",
    parsing: .allUnrecognized)
  var arguments: [String] = []
  @OptionGroup var output: OutputOptions

  static func conditionScope(after arguments: [String], in session: Session) -> ConditionScope? {
    session.stepping?.stepper.conditionScope
  }

  mutating func validate() throws {
    guard !arguments.isEmpty else {
      throw ValidationError("name an expression: eval '$source.title'")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    let text = arguments.joined(separator: " ")
    do {
      let predicate = try? Predicate(parsing: text)
      let expression = predicate == nil ? try Expression(parsing: text) : .evaluatedObject
      let variables = predicate?.variables ?? expression.variables
      let refersToObject = predicate?.refersToObject ?? expression.refersToObject
      let (source, destination) = try stepper.currentObjects()
      if source == nil, destination == nil, refersToObject || !variables.isEmpty {
        let isInPlace = stepper.isInPlace(stepper.position.hop)
        return Self.none(
          "there is no current object here: "
            + (isInPlace
              ? "in place, statements run for all objects; `source Topic` shows those of an entity"
              : "`step` moves to one"))
      }
      if destination == nil, refersToObject {
        return Self.none(
          "there is no destination object yet: a key of the source object begins with $source")
      }
      if let predicate {
        let holds = try stepper.reading { try stepper.holds(predicate) }
        return Outcome(.line(holds ? "YES" : "NO"), json: .bool(holds))
      }
      let (value, kind) = try stepper.reading { try stepper.value(of: expression) }
      return Outcome(.lines(value.lines(of: kind)), json: value.json(of: kind))
    } catch let error as ExpressionError {
      throw error.located(in: text)
    }
  }

  private static func none(_ reason: String) -> Outcome {
    Outcome(.line(StyledText(reason)), json: .null, status: .no)
  }
}

extension ExpressionValue {
  /// The maximum number of elements of a collection that are shown.
  private static let elementLimit = 20

  fileprivate func lines(of kind: ValueKind) -> [StyledText] {
    switch self {
    case .value(let value): return [ShownValue(value, of: kind).text]
    case .object(let object):
      return [StyledText("\(object.identity.rootEntity)/p\(object.identity.key)", .name)]
    case .collection(let elements, _):
      let shown = elements.prefix(Self.elementLimit).flatMap { $0.lines(of: kind) }
      let rest = elements.count - min(elements.count, Self.elementLimit)
      return [StyledText(Phrase.count(elements.count, "element"), .faint)]
        + shown.map { "  " + $0 } + (rest > 0 ? [StyledText("  … \(rest) more", .faint)] : [])
    }
  }

  fileprivate func json(of kind: ValueKind) -> JSONValue {
    switch self {
    case .value(let value): ShownValue(value, of: kind).json
    case .object(let object):
      .string("\(object.identity.rootEntity)/p\(object.identity.key)")
    case .collection(let elements, _): .array(elements.map { $0.json(of: kind) })
    }
  }
}
