internal import ArgumentParser
internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// `validate STORE [--model MODEL] [--limit N]`
struct Validate: FindingsCommand {
  static let configuration = CommandConfiguration.command(
    "validate",
    abstract: "Lists every object and table of a store that violates a rule.",
    discussion: """
      Checks what Core Data checks when it saves (required values, types, bounds, lengths and patterns, \
      counts of relationships, uniqueness), each with its error code, and how Core Data stores objects: \
      keys of objects that do not exist, inverses that do not point back, order keys, entity numbers, \
      versions, primary keys out of range, the highest keys, the rows of Z_PRIMARYKEY, \
      join tables and history; for a binary store its header, its end and both ends of each link. A note marks \
      something that Core Data itself may have saved. Exit status 1 means that an error was found.
      """)
  static let examples = [
    CommandExample(
      "all objects and all rules of the model",
      "create lists.sqlite --model sample:Topics/Model1 --rows 20", "validate lists.sqlite")
  ]

  static let defaultLimit = 100

  @Argument(.store, "The store.") var store: String
  @Option(.model, "The model that wrote the store, if it is neither cached nor loaded.")
  var model: String?
  @Option(help: ArgumentHelp("Maximum number of problems; 0 for all.", valueName: "n")) var limit =
    Self.defaultLimit
  @OptionGroup var reports: FindingReportOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    try Rows.check(limit)
  }

  mutating func run(in session: Session) throws -> Outcome {
    let reader = try session.reader(of: store, model: model)
    var problems: [Finding] = []
    var (errors, notes, objects) = (0, 0, 0)
    let limit = limit
    func add(_ problem: Finding) {
      if problem.severity == .error { errors += 1 } else { notes += 1 }
      if limit == 0 || problems.count < limit { problems.append(problem) }
    }
    for entity in reader.model.entities where !entity.isAbstract {
      objects += try reader.count(of: entity.name)
      try reader.forEachProblem(of: entity.name, .stored, add)
    }
    try reader.forEachTableProblem(add)
    let (name, path) = try session.store(store)
    try session.atomicStore(path)?.problems(of: reader.model, named: name).forEach(add)
    try reader.store.checkUnchanged()
    if problems.contains(where: \.isOfLostData) {
      session.running?.warnings?.remove("store.missingFiles")
    }
    let found = Phrase.count(objects, "object")
    let counts = [
      errors > 0 ? Phrase.count(errors, "error") : nil,
      notes > 0 ? Phrase.count(notes, "note") : nil,
    ].compactMap { $0 }.joined(separator: ", ")
    let isValid = errors == 0
    let summary =
      isValid
      ? StyledText("valid", .good)
        + StyledText(": \(found)" + (counts.isEmpty ? "" : ", \(counts)"))
      : StyledText("not valid", .error) + StyledText(": \(counts) in \(found)")
    let hidden = errors + notes - problems.count
    let outcome = Outcome(
      .stack([
        .line(summary), problems.view,
        hidden > 0
          ? .line(
            StyledText(
              "… \(hidden) more: `\(Self.commandForAll(store, model))` lists all", .faint))
          : .nothing,
      ]),
      json: .object(withoutNull: [
        "valid": isValid, "objects": objects, "problems": problems.validationJSON,
        "moreProblems": hidden > 0 ? hidden : nil,
      ]),
      status: isValid ? .done : .no)
    return try reports.reporting(problems, of: store, outcome, in: session)
  }
}

extension Validate {
  /// The command that lists every problem.
  private static func commandForAll(_ store: String, _ model: String?) -> String {
    CommandLineLexer.line(
      of: ["validate", store] + (model.map { ["--model", $0] } ?? []) + ["--limit", "0"])
  }
}

extension Finding {
  /// Whether it reports missing binary data.
  fileprivate var isOfLostData: Bool { if case .lostData? = validationRule { true } else { false } }
}

extension [Finding] {
  /// The JSON of findings about objects.
  var validationJSON: [JSONValue] {
    map {
      $0.json(formerKeys: [
        "entity": $0.entity, "key": $0.location.object, "property": $0.property ?? "",
        "reason": $0.reason,
      ])
    }
  }
}
