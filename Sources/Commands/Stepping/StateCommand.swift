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
  static let configuration = CommandConfiguration.command(
    "state",
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
    return Outcome(.stack([.lines(state.lines)]), json: state.json)
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
    json = [
      "place": location.json, "explanation": explanation.json,
      "last": Self.json(of: stepper.lastStep), "next": Self.json(of: next),
      "source": source.json, "destination": destination.json,
      "associations": try Self.associations(stepper, hop, limit: limit),
      "models": [
        "source": hop.from.model.json(named: hop.from.name),
        "destination": hop.to.model.json(named: hop.to.name),
      ] as JSONValue,
      "mappings": hop.parts.json {
        $0.mapping.json(named: $0.name, from: hop.from.name, to: hop.to.name)
      },
      "policies": stepper.policyScripts.map(\.json),
    ]
  }

  /// The events of a step with their details, and its statements.
  private static func json(of events: [TraceEvent]) -> JSONValue {
    let statements = events.compactMap { event -> JSONValue? in
      guard case .sqlEnded(let statement) = event.kind else { return nil }
      return [
        "mark": event.mark, "side": statement.side.rawValue, "tag": statement.tag.rawValue,
        "sql": statement.sql, "rows": statement.rowCount,
      ]
    }
    return [
      "events": events.filter { !$0.isStatement }.json { $0.json(revealing: true) },
      "statements": statements,
    ]
  }

  /// The tables of every part; those of later parts are empty.
  private static func associations(
    _ stepper: Stepper, _ hop: MigrationPlan.Hop, limit: Int
  ) throws -> JSONValue {
    try stepper.allAssociations(limit: limit).enumerated().json { part, tables in
      [
        "part": part + 1, "mappingModel": hop.parts[part].name,
        "tables": tables.json { table in
          [
            "mapping": table.mapping, "count": table.count,
            "pairs": table.pairs.json {
              ["source": $0.source.json(.source), "destination": $0.destination.json(.destination)]
            },
          ]
        },
      ]
    }
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
      (text, json) = ("not readable here", [])
      return
    }
    let names = objects.model.entities.filter { !$0.isAbstract }.map(\.name)
      .sorted { $0.precedesInBytes($1) }
    var counts: [String] = []
    var entities: [JSONValue] = []
    for name in names {
      let count = try objects.reader.count(of: name)
      if count > 0 { counts.append("\(count) \(name)") }
      let view = ObjectView(entity: name, objects: objects)
      entities.append([
        "entity": name, "count": count,
        "objects": try objects.reader.keys(of: name).prefix(limit).json {
          try view.state(objects.object($0, of: name), side)
        },
      ])
    }
    text = counts.isEmpty ? "no objects" : Phrase.list(counts)
    json = .array(entities)
  }
}
