import StrataBase
import StrataMigration
import StrataStepping

/// A run that only goes forward, object by object.
struct StraightRun {
  private(set) var states: [StepPosition: StopState] = [:]
  /// In order, the places at which steps began, with what they did.
  private var steps: [(from: StepPosition, to: StepPosition, events: [TraceEvent])] = []
  private(set) var mark = 0
  /// Every place at which it stopped, in order.
  private(set) var positions: [StepPosition] = []

  /// - Parameter isKept: Whether what it is at a stop is looked at: by how many stops were before.
  init(
    _ setup: StepperSetup, _ detail: TraceDetail, isKept: (Int) -> Bool = { _ in true }
  ) throws {
    let stepper = try Stepper(setup)
    stepper.detail = detail
    func keep() throws {
      if isKept(positions.count) { states[stepper.position] = try StopState(stepper) }
      positions.append(stepper.position)
    }
    try keep()
    while !stepper.isAtEnd {
      let from = stepper.position
      var received: [TraceEvent] = []
      let stop = stepper.move(.unit(.step, count: 1)) { received.append($0) }
      if case .failed(let diagnostic, _) = stop.reason { throw diagnostic }
      steps.append((from, stepper.position, received.map(\.untimed)))
      try keep()
    }
    mark = stepper.mark
  }

  func events(from: StepPosition, to: StepPosition) -> [TraceEvent] {
    steps.filter { $0.from >= from && $0.to <= to }.flatMap(\.events)
  }
}

/// What a stepper is at a stop: what both stores hold, and what it says of itself.
struct StopState: Equatable {
  var location: StepLocation
  var report: MigrationReport?
  var events: [TraceEvent]
  var associations: [PassesRun.Associations]
  var tables: [String: [String]]

  init(_ stepper: Stepper) throws {
    location = try stepper.location
    report = stepper.report
    events = stepper.lastEvents(30)
    associations = try stepper.associations(limit: 100)
    tables = [:]
    var names: [String] = []
    for master in ["sqlite_master", "sqlite_temp_master"] {
      _ = try stepper.query(.destination, "SELECT name, sql FROM \(master) ORDER BY name") { row in
        if case .text(let name) = row[0], case .text(let sql) = row[1] {
          tables["\(master) \(name)"] = [sql]
          if sql.hasPrefix("CREATE TABLE") { names.append(name) }
        }
        return true
      }
    }
    for name in names {
      _ = try stepper.query(.destination, "SELECT * FROM \"\(name)\"") { row in
        tables[name, default: []].append("\(row)")
        return true
      }
    }
  }

  /// Without the indexes of temporary tables, and with the rows of tables in any order.
  var withoutOrder: StopState {
    var state = self
    state.tables = tables.mapValues { $0.sorted() }.filter { name, rows in
      !name.hasPrefix("sqlite_temp_master") || rows.first?.hasPrefix("CREATE INDEX") == false
    }
    return state
  }

  func difference(from wanted: StopState) -> String {
    if location != wanted.location { return "\(location), and not \(wanted.location)" }
    if report != wanted.report { return "the reports differ" }
    if events != wanted.events { return "\(events), and not \(wanted.events)" }
    if associations != wanted.associations { return "the associations differ" }
    let names = Set(tables.keys).union(wanted.tables.keys).filter {
      tables[$0] != wanted.tables[$0]
    }
    return names.map {
      "\($0): \(tables[$0] ?? []), and not \(wanted.tables[$0] ?? [])"
    }.joined(separator: "\n")
  }
}

extension TraceEvent {
  /// Without what differs from run to run.
  var untimed: TraceEvent {
    guard case .sqlEnded(var statement) = kind else { return self }
    statement.seconds = 0
    return TraceEvent(mark: mark, kind: .sqlEnded(statement))
  }
}
