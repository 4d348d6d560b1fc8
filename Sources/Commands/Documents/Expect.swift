internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// The command `expect [not] CONDITION …`.
struct Expect: RawArgumentsCommand {
  static let configuration = CommandConfiguration.command(
    "expect",
    abstract: "Asserts a fact about a model, store or migration; a replay fails if it is false.",
    discussion: """
        expect compatible A B                   a store is compatible with a model
        expect inferable MODEL MODEL            a mapping model can be inferred
        expect safe MODEL MODEL                 inferable without warnings
        expect reaches MODEL MODEL              `plan` finds a path
        expect fits MAPPING MODEL MODEL         a mapping model's hashes match both models
        expect migrates STORE MODEL             a rehearsal of the migration succeeds
        expect loses nothing STORE MODEL        no rows, values, links or numbers are lost
        expect valid STORE                      Core Data would save every object
        expect hash REF HASH                    the first eight characters are enough
        expect count STORE ENTITY COUNT         a number or comparison: '>= 5'
        expect value STORE ENTITY EXPR VALUE    every object has it, written as in `rows`
        expect value STORE ENTITY.ATTR KEY VALUE  the object with this key, such as p1, has it
        expect all STORE ENTITY PREDICATE       every object matches, and there is one
        expect guards SCRIPT REF KEY VALUE      `replay` passes, and fails if the model is edited

      `expect not …` negates a condition. --where restricts count, value and all to matching objects. \
      --stages is the stages file of the migration. Objects that are not as expected are listed by \
      key, with --reveal also by value. The hash of an entity or property is its version hash; that of \
      a model or store is its version checksum.

      Exit status 1 means that the expectation is not met: `run --strict` stops, and a replay fails, \
      even if that status is recorded. An expectation that cannot be checked also fails a replay. One \
      that is met is a passed test in the report of `replay --junit`, recorded or not.
      """)
  static let examples = [
    CommandExample(
      "model versions that must not change",
      "expect hash sample:Topics/Model1.Topic cb75b3e2",
      "expect not compatible sample:Topics/Model1 sample:Topics/Model2",
      "expect inferable sample:Topics/Model1 sample:Topics/Model2"),
    CommandExample(
      "a migration that must keep working",
      "create topics.sqlite --model sample:Topics/Model2 --rows 3",
      "expect reaches sample:Topics/Model1 sample:Topics/Model5",
      "expect safe sample:Topics/Model2 sample:Topics/Model3",
      "expect fits sample:Topics/Model1ToModel2 sample:Topics/Model1 sample:Topics/Model2",
      "expect migrates topics.sqlite sample:Topics/Model3",
      "expect loses nothing topics.sqlite sample:Topics/Model3"),
    CommandExample(
      "facts that must be true of a store", "create lists.sqlite --model sample:Topics/Model1",
      "insert lists.sqlite TopicList title='First steps'", "expect valid lists.sqlite",
      "expect count lists.sqlite TopicList '>= 1'",
      "expect all lists.sqlite TopicList 'title != nil'"),
  ]

  @Argument(.reference, "The condition and its arguments.", label: "condition")
  var arguments: [String]
  @OptionGroup var objects: ObjectOptions
  @Option(.file, "With reaches, migrates and loses nothing: a stages file or a sample.")
  var stages: String?
  @Flag(help: "Show the values of objects that are not as expected.") var reveal = false
  @OptionGroup var output: OutputOptions

  static let prototype = try? Expect.parse(["hash"])

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    let (condition, subjects) = parts(of: arguments)
    guard let condition else {
      let names = ExpectedCondition.candidates(after: Array(arguments.drop { $0 == "not" }))
      return arguments.isEmpty ? ["not"] + names : names
    }
    return condition.concernsObjects && !subjects.isEmpty
      ? session.entityNames(after: subjects) : nil
  }

  static func objectReference(in arguments: [String]) -> (store: String, entity: String)? {
    let subjects = parts(of: arguments).subjects
    return subjects.count >= 2 ? (subjects[0], subjects[1]) : nil
  }

  /// Whether an expression or predicate comes next.
  static func takesExpression(after arguments: [String]) -> Bool {
    let (condition, subjects) = parts(of: arguments)
    return subjects.count == 2 && (condition == .value || condition == .all)
  }

  /// The advice for `incompatible` and `unsafe`.
  private static func negated(_ word: String, of names: [String]) -> String? {
    let known = ["in", "un", "non"].lazy.filter(word.hasPrefix).map {
      String(word.dropFirst($0.count))
    }
    .first(where: names.contains)
    return known.map { "did you mean not \($0)?" }
  }

  private static func parts(
    of arguments: [String]
  ) -> (condition: ExpectedCondition?, subjects: [String]) {
    let condition = arguments.drop { $0 == "not" }
    return ExpectedCondition.parse(condition).map { ($0.condition, $0.subjects) }
      ?? (nil, Array(condition.dropFirst()))
  }

  mutating func run(in session: Session) throws -> Outcome {
    let (name, isNegated, found) = try finding(in: session)
    if found.holds == isNegated { session.running?.unfulfilledCount += 1 }
    return outcome(of: found, name, isNegated: isNegated)
  }

  /// Checks the condition.
  ///
  /// - Returns: The name of the condition, whether it is negated, and what was found.
  func finding(
    in session: Session
  ) throws -> (name: String, isNegated: Bool, found: ExpectationResult) {
    let (condition, isNegated, subjects) = try condition()
    // The name of a bundle must not stand for a version with another name.
    for (usage, subject) in zip(condition.usage.split(separator: " "), subjects)
    where ["A", "B", "MODEL", "REF"].contains(usage) {
      try session.checkIsExact(subject)
    }
    let expectation = Expectation(
      subjects: subjects, predicates: objects.predicates, model: objects.model,
      stages: stages, isRevealing: reveal)
    return (condition.rawValue, isNegated, try expectation.result(condition, in: session))
  }

  /// The condition with its arguments.
  ///
  /// - Throws: ``Diagnostic`` if there is no such condition, or it has other arguments or options.
  func condition() throws(Diagnostic) -> (
    condition: ExpectedCondition, isNegated: Bool, subjects: [String]
  ) {
    let isNegated = arguments.first == "not"
    let arguments = Array(arguments.dropFirst(isNegated ? 1 : 0))
    guard let (condition, given) = ExpectedCondition.parse(arguments) else {
      let names = ExpectedCondition.allCases.map(\.rawValue)
      throw Diagnostic(
        id: "command.usage",
        what: arguments.isEmpty
          ? "missing argument <condition>"
          : "unknown condition: \(arguments.prefix(2).joined(separator: " "))",
        fix: arguments.first.flatMap { Self.negated($0, of: names) }
          ?? arguments.first.flatMap { NearestName.of($0, in: names) }.map(NearestName.question)
          ?? "use one of \(names.joined(separator: ", ")); see `help expect`")
    }
    let name = condition.rawValue
    var subjects = given
    // Outside a shell, a comparison such as `>= 5` needs no quotes.
    if condition == .count, subjects.count > 3 {
      subjects = Array(subjects[..<2]) + [subjects[2...].joined(separator: " ")]
    }
    let count = condition.usage.split(separator: " ").count
    guard subjects.count == count,
      condition.concernsObjects || objects.predicates.isEmpty && objects.model == nil,
      condition.concernsMigration || stages == nil
    else {
      throw Diagnostic(
        id: "command.usage", what: "expect \(name) requires \(condition.usage)",
        fix: "write it as `expect \(name) \(condition.usage)`"
          + (condition.concernsObjects ? " [--where PREDICATE] [--model MODEL]" : "")
          + (condition.concernsMigration ? " [--stages FILE]" : ""))
    }
    return (condition, isNegated, subjects)
  }

  private func outcome(of found: ExpectationResult, _ name: String, isNegated: Bool) -> Outcome {
    let isFulfilled = found.holds != isNegated
    let expected = (isNegated ? "not " : "") + found.expected
    let verdict =
      isFulfilled ? StyledText("as expected", .good) : StyledText("not as expected", .error)
    return Outcome(
      .stack([
        .line(
          verdict + StyledText(": \(found.message)")
            + StyledText(isFulfilled ? "" : "; expected \(expected)")
        ),
        isFulfilled ? .nothing : found.details,
      ]),
      json: .object(withoutNull: [
        "expectation": name, "met": isFulfilled, "expected": expected, "found": found.message,
        "details": isFulfilled ? nil : Self.lines(of: found.details),
      ]),
      status: isFulfilled ? .done : .no)
  }

  /// The lines of what explains an expectation that is not met; `nil` if there are none.
  private static func lines(of details: View) -> JSONValue? {
    let lines = Renderer(style: .plain).text(details).split(separator: "\n")
    return lines.isEmpty ? nil : .array(lines.map { .string(String($0)) })
  }
}
