internal import ArgumentParser
internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// `cloudkit MODEL [MODEL]`
struct CloudKit: FindingsCommand {
  static let configuration = CommandConfiguration.command(
    "cloudkit",
    abstract: "Lists what prevents a model from being mirrored to CloudKit.",
    discussion: """
      For one model: the violations of the rules of NSPersistentCloudKitContainer, whose stores then fail to \
      load (\(CoreDataError.coreData)). For two models: the changes that are not additions, which are all that \
      a deployed schema allows, and what each of three ways to release the newer model requires.

      Exit status 1 means that an error was found.
      """)
  static let examples = [
    CommandExample("a model", "cloudkit sample:Topics/Model5"),
    CommandExample("a new version", "cloudkit sample:Topics/Model2 sample:Topics/Model3"),
  ]

  @Argument(.model, "The model, or the deployed one.") var model: String
  @Argument(.model, "The newer model.") var newer: String?
  @Option(help: ArgumentHelp("Only the entities of this configuration.", valueName: "name"))
  var configuration: String?
  @OptionGroup var reports: FindingReportOptions
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let first = try session.model(model)
    guard let newer else {
      let check = CloudKitModelCheck(first.model, entities: try mirrored(first))
      let outcome = Outcome(
        Self.view(of: check, named: first.name),
        json: ["breaches": check.findings.cloudKitJSON],
        status: check.findings.isEmpty ? .done : .no)
      return try reports.reporting(check.findings, of: model, outcome, in: session)
    }
    let second = try session.model(newer)
    let names = try mirrored(second)
    let check = CloudKitModelCheck(second.model, entities: names)
    let evolution = CloudKitEvolution(from: first.model, to: second.model, entities: names)
    let outcome = Outcome(
      .stack([
        Self.view(of: check, named: second.name),
        Self.view(of: evolution, from: first.name, to: second.name), Self.strategies(evolution),
      ]),
      json: [
        "breaches": check.findings.cloudKitJSON, "additions": evolution.additions,
        "changes": evolution.changes.cloudKitJSON,
        "strategies": CloudKitStrategy.allCases.json {
          [
            "name": $0.name, "possible": $0.isPossible(for: evolution),
            "means": $0.text(for: evolution),
          ]
        },
      ],
      status: check.findings.isEmpty && evolution.isAdditive ? .done : .no)
    return try reports.reporting(
      check.findings + evolution.changes, of: newer, outcome, in: session)
  }

  private func mirrored(_ model: NamedModel) throws -> [String]? {
    try configuration.map { try model.model.entityNames(inConfiguration: $0) }
  }

  private static func view(of check: CloudKitModelCheck, named name: String) -> View {
    let heading = StyledText(name, .heading)
    guard !check.findings.isEmpty else {
      return .line(heading + StyledText("  can be mirrored to CloudKit", .good))
    }
    return .stack([
      .line(
        heading
          + StyledText(
            "  cannot be mirrored to CloudKit: \(Phrase.count(check.findings.count, "error"))",
            .error)), check.findings.view,
    ])
  }

  private static func view(
    of evolution: CloudKitEvolution, from old: String, to new: String
  ) -> View {
    let heading = StyledText("\(old) -> \(new)", .heading)
    let added = Phrase.count(evolution.additions.count, "addition")
    guard !evolution.isAdditive else {
      return .line(heading + StyledText("  additive", .good) + StyledText(": \(added)"))
    }
    let changes = Phrase.count(evolution.changes.count, "change")
    return .stack([
      .line(
        heading + StyledText("  not additive", .error) + StyledText(": \(changes) and \(added)")),
      evolution.changes.view,
    ])
  }

  private static func strategies(_ evolution: CloudKitEvolution) -> View {
    guard !evolution.touched.isEmpty || !evolution.changes.isEmpty else { return .nothing }
    return .stack([
      .line(StyledText("ways to release it", .heading)),
      .table(
        rows: CloudKitStrategy.allCases.map { strategy in
          [
            StyledText("  \(strategy.name)", .name),
            StyledText(
              strategy.text(for: evolution),
              strategy.isPossible(for: evolution) ? .plain : .warning),
          ]
        }),
    ])
  }
}

extension Finding {
  /// The former JSON keys, from before all findings had one shape: `mend` for a model, `instead` for a change.
  fileprivate var formerCloudKitKeys: JSONValue.Members {
    let fix = fixes.first?.text ?? ""
    return [
      "entity": entity, "property": property, "what": reason, "mend": fix, "instead": fix,
    ]
  }
}

extension [Finding] {
  fileprivate var cloudKitJSON: [JSONValue] {
    map { $0.json(formerKeys: $0.formerCloudKitKeys) }
  }
}
