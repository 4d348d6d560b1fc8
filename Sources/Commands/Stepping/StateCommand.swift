internal import ArgumentParser
internal import StrataBase
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping
internal import StrataStore

/// `state`
struct StateCommand: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Shows the whole state at the current step; as JSON, all that a page needs.",
    discussion: """
      The text is that of `where` and `explain`, and the number of objects on both sides. With --json, it \
      has the place, the explanation in parts, the events and statements of the last and of the next step, \
      the objects of both stores, the association tables of every part, and the models, mapping models and \
      policies. The statements of the last step are known after `step`, or where `trace sql` is on.
      """)
  static let showsValues = true
  static let examples = [
    CommandExample.stepping("in the middle of pass 1", "step 2", "state")
  ]

  @Option(
    help: ArgumentHelp(
      "Maximum number of objects per entity, and of pairs per table.", valueName: "n"))
  var limit = 100
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit is between 1 and 1000000")
    }
  }

  func run(in session: Session) throws -> Outcome {
    let stepping = try session.steppingSession()
    let state = try StepState(stepping, limit: limit)
    return Outcome(.stack([.lines(state.lines)]), payload: SortedJSON(state.json))
  }
}

/// The state of the stepper at a stop.
struct StepState {
  let lines: [StyledText]
  let json: JSONValue

  /// - Parameter limit: The maximum number of objects per entity, and of pairs per table.
  init(_ stepping: SteppingSession, limit: Int) throws {
    let stepper = stepping.stepper
    let location = try stepper.location
    let explanation = try StepExplanation(stepper, store: stepping.name)
    let hop = stepper.hops[stepper.position.hop]
    let source = try StoreState(limit: limit, side: .source) { try stepper.sourceObjects() }
    let destination = try StoreState(limit: limit, side: .destination) {
      try stepper.destinationObjects()
    }
    let next = try stepper.previewWithStatements()
    lines =
      stepping.lines(for: location, withHop: true)
      + [StyledText("source: \(source.text)"), StyledText("destination: \(destination.text)")]
      + explanation.lines
    json = .object([
      ("place", StopPayload.place(location)),
      (
        "explanation",
        .object([
          ("text", .string(explanation.payload.text)), ("parts", .array(explanation.payload.parts)),
        ])
      ),
      ("last", Self.json(of: stepper.lastStep)), ("next", Self.json(of: next)),
      ("source", source.json), ("destination", destination.json),
      ("associations", try Self.associations(stepper, hop, limit: limit)),
      (
        "models",
        .object([
          ("source", hop.from.model.json(named: hop.from.name)),
          ("destination", hop.to.model.json(named: hop.to.name)),
        ])
      ),
      (
        "mappings",
        .array(
          hop.parts.map {
            $0.mapping.json(named: $0.name, from: hop.from.name, to: hop.to.name)
          })
      ),
      ("policies", .array(stepper.policyScripts.map(\.json))),
    ])
  }

  /// The events of a step with their details, and its statements.
  private static func json(of events: [TraceEvent]) -> JSONValue {
    .object([
      (
        "events",
        .array(events.filter { !$0.isStatement }.map { $0.json(revealing: true) })
      ),
      (
        "statements",
        .array(
          events.compactMap { event in
            guard case .sqlEnded(let statement) = event.kind else { return nil }
            return .object([
              ("mark", .integer(Int64(event.mark))), ("side", .string(statement.side.rawValue)),
              ("tag", .string(statement.tag.rawValue)), ("sql", .string(statement.sql)),
              ("rows", .integer(Int64(statement.rowCount))),
            ])
          })
      ),
    ])
  }

  /// The tables of every part; those of later parts are empty.
  private static func associations(
    _ stepper: Stepper, _ hop: MigrationPlan.Hop, limit: Int
  ) throws -> JSONValue {
    .array(
      try stepper.allAssociations(limit: limit).enumerated().map { part, tables in
        .object([
          ("part", .integer(Int64(part + 1))), ("mappingModel", .string(hop.parts[part].name)),
          (
            "tables",
            .array(
              tables.map { table in
                .object([
                  ("mapping", .string(table.mapping)), ("count", .integer(Int64(table.count))),
                  (
                    "pairs",
                    .array(
                      table.pairs.map {
                        .object([
                          ("source", $0.source.json(.source)),
                          ("destination", $0.destination.json(.destination)),
                        ])
                      })
                  ),
                ])
              })
          ),
        ])
      })
  }
}

/// The objects of one store of the stepper.
private struct StoreState {
  let text: String
  let json: JSONValue

  init(
    limit: Int, side: TraceStatement.Side, _ open: () throws -> StoreObjects
  ) throws {
    let objects: StoreObjects
    do {
      objects = try open()
    } catch is Stepper.InspectionError {
      (text, json) = ("not readable here", .array([]))
      return
    }
    let names = objects.model.entities.filter { !$0.isAbstract }.map(\.name)
      .sorted { $0.precedesInBytes($1) }
    var counts: [String] = []
    var entities: [JSONValue] = []
    for name in names {
      let count = try objects.count(of: name)
      if count > 0 { counts.append("\(count) \(name)") }
      let view = ObjectView(entity: name, objects: objects)
      entities.append(
        .object([
          ("entity", .string(name)), ("count", .integer(Int64(count))),
          (
            "objects",
            .array(
              try objects.reader.keys(of: name).prefix(limit).map {
                try view.state(objects.object($0, of: name), side)
              })
          ),
        ]))
    }
    text = counts.isEmpty ? "no objects" : Phrase.list(counts)
    json = .array(entities)
  }
}
