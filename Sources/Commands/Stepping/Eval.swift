internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataExpressions
internal import StrataRendering
internal import StrataStepping

/// `eval EXPRESSION`
struct Eval: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval", abstract: "Asks an expression of the objects at hand.",
    discussion: """
      $source and $destination are the objects whose turn it is; behind a step in pass 1, what was made last \
      stands for $destination. `help expressions` tells what may be asked. Nothing can be changed.
      """)
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @Argument(
    help: ArgumentHelp("An expression, such as '$source.title.length'.", valueName: "expression"))
  var words: [String] = []
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard !words.isEmpty else { throw ValidationError("say what: eval '$source.title'") }
  }

  func run(in session: Session) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    let text = words.joined(separator: " ")
    do {
      let value = try stepper.looked { try stepper.value(of: Expression(parsing: text)) }
      return Outcome(.lines(value.lines), payload: value.json)
    } catch let error as ExpressionError {
      throw error.placed(in: text)
    }
  }
}

extension ExpressionValue {
  /// Elements of a collection that are shown.
  private static let elementLimit = 20

  fileprivate var lines: [StyledText] {
    switch self {
    case .value(let value): return [ShownValue(value).text]
    case .object(let object):
      return [StyledText("\(object.identity.rootEntity)/p\(object.identity.key)", .name)]
    case .collection(let elements, _):
      let shown = elements.prefix(Self.elementLimit).flatMap(\.lines)
      let rest = elements.count - min(elements.count, Self.elementLimit)
      return [StyledText(Words.count(elements.count, "element", "elements"), .faint)]
        + shown.map { "  " + $0 } + (rest > 0 ? [StyledText("  … \(rest) more", .faint)] : [])
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .value(let value): ShownValue(value).json
    case .object(let object):
      .string("\(object.identity.rootEntity)/p\(object.identity.key)")
    case .collection(let elements, _): .array(elements.map(\.json))
    }
  }
}
