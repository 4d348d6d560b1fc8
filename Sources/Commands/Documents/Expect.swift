internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// `expect [not] CONDITION …`
struct Expect: CommandOfWords {
  static let configuration = CommandConfiguration(
    commandName: "expect",
    abstract: "Asserts a fact about a model, store or migration; a replay fails if it is false.",
    discussion: """
        expect compatible A B                   a store fits a model
        expect inferable MODEL MODEL            a mapping model can be inferred
        expect safe MODEL MODEL                 inferable without a warning
        expect reaches MODEL MODEL              `plan` finds a path
        expect fits MAPPING MODEL MODEL         a mapping model is for these two, by its hashes
        expect migrates STORE MODEL             a rehearsal of the migration succeeds
        expect loses nothing STORE MODEL        rows, values, links and numbers are kept
        expect valid STORE                      Core Data would save every object
        expect hash REF HASH                    its first eight letters are enough
        expect count STORE ENTITY COUNT         a number, or '>= 5'
        expect value STORE ENTITY EXPR VALUE    in every object, as `rows` shows it
        expect all STORE ENTITY PREDICATE       every object is so, and there is one

      `expect not …` negates each. --where narrows count, value and all to some objects. --stages is the stages \
      file by which a store migrates. \
      Objects that are not as expected are listed by their keys, with --reveal by their values. A hash \
      is that of an entity or property; of a model or store it is the checksum.

      Exit status 1 means that it is not as expected: `run --strict` stops there, and a replay fails, \
      whatever was recorded. One that cannot be checked fails a replay as well. One that is met is a \
      passed test in the report of `replay --junit`, recorded or not.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "versions that must not come apart",
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
      "what must hold in a store", "create lists.sqlite --model sample:Topics/Model1",
      "insert lists.sqlite TopicList title='First steps'", "expect valid lists.sqlite",
      "expect count lists.sqlite TopicList '>= 1'",
      "expect all lists.sqlite TopicList 'title != nil'"),
  ]

  @Argument(
    help: ArgumentHelp(.reference, "What to expect, and of what.", label: "condition"),
    completion: .file())
  var words: [String]
  @OptionGroup var objects: ObjectOptions
  @Option(
    help: ArgumentHelp(
      .file, "With reaches, migrates and loses nothing: the file with the stages, or a sample."),
    completion: .file())
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
    return condition.asksObjects && !subjects.isEmpty ? session.entityNames(after: subjects) : nil
  }

  static func askedObjects(of arguments: [String]) -> (store: String, entity: String)? {
    let subjects = parts(of: arguments).subjects
    return subjects.count >= 2 ? (subjects[0], subjects[1]) : nil
  }

  /// Whether an expression or predicate comes next.
  static func takesExpression(after arguments: [String]) -> Bool {
    let (condition, subjects) = parts(of: arguments)
    return subjects.count == 2 && (condition == .value || condition == .all)
  }

  private static func parts(
    of arguments: [String]
  ) -> (condition: ExpectedCondition?, subjects: [String]) {
    let words = arguments.drop { $0 == "not" }
    return ExpectedCondition.parse(words).map { ($0.condition, $0.subjects) }
      ?? (nil, Array(words.dropFirst()))
  }

  mutating func run(in session: Session) throws -> Outcome {
    let isTurned = words.first == "not"
    let words = Array(words.dropFirst(isTurned ? 1 : 0))
    guard let (condition, given) = ExpectedCondition.parse(words) else {
      let names = ExpectedCondition.allCases.map(\.rawValue)
      throw Diagnostic(
        id: "command.usage",
        what: words.isEmpty
          ? "missing argument <condition>"
          : "unknown condition: \(words.prefix(2).joined(separator: " "))",
        fix: words.first.flatMap { NearestName.of($0, in: names) }.map(NearestName.question)
          ?? "expect \(names.joined(separator: ", ")): `help expect` shows each")
    }
    let name = condition.rawValue
    var subjects = given
    // A comparison need not be quoted where no shell is in between.
    if condition == .count, subjects.count > 3 {
      subjects = Array(subjects[..<2]) + [subjects[2...].joined(separator: " ")]
    }
    let count = condition.usage.split(separator: " ").count
    guard subjects.count == count,
      condition.asksObjects || objects.predicates.isEmpty && objects.model == nil,
      condition.asksMigration || stages == nil
    else {
      throw Diagnostic(
        id: "command.usage", what: "expect \(name) takes \(condition.usage)",
        fix: "write it as: expect \(name) \(condition.usage)"
          + (condition.asksObjects ? " [--where PREDICATE] [--model MODEL]" : "")
          + (condition.asksMigration ? " [--stages FILE]" : ""))
    }
    // What is expected of one version must not be answered of another.
    for (usage, subject) in zip(condition.usage.split(separator: " "), subjects)
    where ["A", "B", "MODEL", "REF"].contains(usage) {
      try session.checkIsExact(subject)
    }
    let expectation = Expectation(
      subjects: subjects, predicates: objects.predicates, model: objects.model,
      stages: stages, isRevealing: reveal)
    let found = try expectation.result(condition, in: session)
    if found.holds == isTurned { session.running?.unmetCount += 1 }
    return outcome(of: found, name, isTurned: isTurned)
  }

  private func outcome(of found: ExpectationResult, _ name: String, isTurned: Bool) -> Outcome {
    let isMet = found.holds != isTurned
    let expected = (isTurned ? "not " : "") + found.expected
    let verdict =
      isMet ? StyledText("as expected", .good) : StyledText("not as expected", .error)
    return Outcome(
      .stack([
        .line(
          verdict + StyledText(": \(found.words)")
            + StyledText(isMet ? "" : "; expected \(expected)")
        ),
        isMet ? .nothing : found.details,
      ]),
      payload: ExpectPayload(
        expectation: name, met: isMet, expected: expected, found: found.words),
      status: isMet ? .done : .no)
  }
}

/// The JSON shape of `expect`.
struct ExpectPayload: Encodable, Sendable {
  var expectation: String
  var met: Bool
  var expected: String
  var found: String
}
