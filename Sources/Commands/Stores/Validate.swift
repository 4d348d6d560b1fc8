internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `validate STORE [--model MODEL] [--limit N]`
struct Validate: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Lists every object that Core Data would not save, with its error code.",
    discussion: """
      Required values, types, bounds, lengths and patterns, counts of relationships, keys that lead \
      nowhere, inverses that disagree, and uniqueness. Exit status 1 means that there is such an object.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "every object and every rule of the model",
      "create lists.sqlite --model sample:Topics/Model1 --rows 20", "validate lists.sqlite")
  ]

  static let defaultLimit = 100

  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .file())
  var store: String
  @Option(
    help: ArgumentHelp(
      "The model that wrote the store, where neither it nor what is loaded tells.",
      valueName: "model"))
  var model: String?
  @Option(help: ArgumentHelp("How many problems at most; 0 for all.", valueName: "n")) var limit =
    Self.defaultLimit
  @OptionGroup var output: OutputOptions

  static func table(of problems: [ValidationProblem]) -> Table {
    Table(
      columns: [.init("object"), .init("property"), .init("problem"), .init("code", .right)],
      rows: problems.map(\.row))
  }

  mutating func validate() throws {
    try Rows.check(limit)
  }

  mutating func run(in session: Session) throws -> Outcome {
    let reader = try session.reader(of: store, model: model)
    var problems: [ValidationProblem] = []
    var count = 0
    var objects = 0
    let limit = limit
    for entity in reader.model.entities where !entity.isAbstract {
      objects += try reader.count(of: entity.name)
      try reader.forEachProblem(of: entity.name) { problem in
        count += 1
        if limit == 0 || problems.count < limit { problems.append(problem) }
      }
    }
    try reader.store.checkUnchanged()
    let table = Self.table(of: problems)
    let found = Words.count(objects, "object", "objects")
    return Outcome(
      .stack([
        count == 0
          ? .line(StyledText("valid", .good) + StyledText(": \(found)"))
          : .line(
            StyledText("not valid", .error)
              + StyledText(": \(Words.count(count, "problem", "problems")) in \(found)")),
        count == 0 ? .nothing : .table(table),
        count > problems.count
          ? .line(StyledText("… \(count - problems.count) more: --limit 0 for all", .faint))
          : .nothing,
      ]),
      payload: ValidationPayload(
        valid: count == 0, objects: objects, problems: problems.map(ValidationPayload.Problem.init)),
      status: count == 0 ? .done : .no)
  }
}

extension ValidationProblem {
  var object: String { key.map { "\(entity) p\($0)" } ?? entity }

  fileprivate var row: [StyledText] {
    [StyledText(object, .name), StyledText(property), StyledText(reason), StyledText(String(code))]
  }
}

/// The JSON shape of `validate`.
struct ValidationPayload: Encodable, Sendable {
  struct Problem: Encodable, Sendable {
    var entity: String
    var key: Int64?
    var property: String
    var code: Int
    var reason: String

    init(_ problem: ValidationProblem) {
      entity = problem.entity
      key = problem.key
      property = problem.property
      code = problem.code
      reason = problem.reason
    }
  }

  var valid: Bool
  var objects: Int
  var problems: [Problem]
}
