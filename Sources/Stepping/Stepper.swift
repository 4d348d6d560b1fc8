package import StrataBase
internal import StrataEssentials
package import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Runs a migration forward and backward in a private folder; the store being migrated is only read.
///
/// It controls the engine's runs. Going back is exact: SQLite savepoints and copies of the state of the
/// run are saved at intervals, and from the last of them before the wanted position the same steps are
/// run again. Going back to an earlier hop runs that hop again from its beginning.
///
/// ```swift
/// let plan = try MigrationPlanner(versions: versions, mappings: mappings).plan(from: version1, to: version5)
/// let stepper = try Stepper(StepperSetup(hops: plan.hops) { try SQLiteStore(reading: path) })
/// stepper.add(Breakpoint(.entityMapping("TopicToTopic")))
/// let stop = stepper.move(.toEnd) { event in print(event.kind) }
/// try stepper.goBack(by: .step, count: 1)
/// ```
package final class Stepper {
  package let hops: [MigrationPlan.Hop]
  let setup: StepperSetup
  private let workspace: Workspace
  /// Observes the statements of every run.
  let log = StatementLog(detail: .none)
  /// The level of tracing for statements.
  package var detail = TraceDetail.none {
    didSet { adjustDetail() }
  }
  /// Whether Strata's own statements are reported too.
  package var reportsOwn = false {
    didSet { adjustDetail() }
  }
  /// Whether events have details: the lookups of relationships, the decisions of policies, the rules.
  package var hasDetails = false {
    didSet { passes?.run.hasDetails = hasDetails }
  }
  /// Whether ``lastStep`` has the statements, even if they are not reported.
  var keepsStatements = false {
    didSet { adjustDetail() }
  }

  var passes: RunDriver<PassesRun>?
  var inPlace: RunDriver<InPlaceRun>?
  var driver: (any HopDriver)? { passes ?? inPlace }

  package internal(set) var position = StepPosition(hop: 0, step: 0)
  /// By hop, the steps that are not objects, recorded when they are passed.
  var landmarks: [[Int: MigrationStep]]
  /// By hop, the step at which it is complete, if known.
  var ends: [Int?]
  /// By hop, the number of events before it, and the last of them.
  private(set) var before: [(mark: EventNumber, events: EventLog)]
  /// The reports of completed hops.
  private var finished: [MigrationReport] = []
  var events = EventLog()
  /// The events of the last step, with its details and statements; empty after going back.
  package internal(set) var lastStep: [TraceEvent] = []
  /// The number of the last event.
  package internal(set) var mark: EventNumber = 0

  /// The checkpoints within the hop, oldest first.
  private var checkpoints: [(step: Int, mark: EventNumber, events: EventLog)] = []
  private var spacing: CheckpointSpacing
  private var lastCheckpoint = ContinuousClock.now

  package internal(set) var breakpoints: [Breakpoint] = []
  package internal(set) var watchpoints: [Watchpoint] = []
  var active = ActiveBreakpoints()
  var watched: [Int: WatchedState] = [:]
  /// Whether the receiver of a movement's events asks for those of each object: then none are migrated together.
  package var reportsEachObject = false
  /// Whether objects of a leap could not be migrated.
  var leapsHaveFailed = false
  package internal(set) var names: [String: StepPosition] = [:]
  private var lastNumber = 0

  /// Starts before the first object or statement.
  ///
  /// - Throws: The errors of the first hop: ``MigrationError/unknownPolicies(_:known:)``,
  ///   ``StoreError``.
  package init(_ setup: StepperSetup) throws {
    self.setup = setup
    hops = setup.hops
    workspace = try Workspace()
    spacing = setup.spacing
    // Savepoints are not reported as statements.
    log.isComplete = true
    landmarks = Array(repeating: [:], count: hops.count)
    ends = Array(repeating: nil, count: hops.count)
    before = Array(repeating: (0, EventLog()), count: hops.count)
    try open(0)
    try stopHere()
  }

  // MARK: Hops

  /// The destination store of a hop.
  func path(ofHop hop: Int) -> String { workspace.path(ofStore: "hop\(hop + 1)") }

  /// The source store of a hop.
  func source(ofHop hop: Int) throws -> SQLiteStore {
    let store = hop == 0 ? try setup.open() : try SQLiteStore(reading: path(ofHop: hop - 1))
    // Another program may have migrated it since the plan was made.
    guard store.metadata.versionHashes == hops[hop].from.model.versionHashes() else {
      throw StoreError.changedMeanwhile
    }
    return store
  }

  /// Whether a hop runs as statements.
  package func isInPlace(_ hop: Int) -> Bool { hops[hop].means == .inPlace }

  /// Closes the current hop, and deletes its store.
  private func close(removing: Bool) {
    (passes, inPlace) = (nil, nil)
    checkpoints = []
    guard removing else { return }
    for index in position.hop..<hops.count { StoreFile.remove(path(ofHop: index)) }
  }

  private func open(_ number: Int) throws {
    let hop = hops[number]
    let store = try source(ofHop: number)
    if isInPlace(number) {
      let path = try workspace.copyStore(store, as: "hop\(number + 1)")
      if let stage = hop.stage { try setup.runScripts(stage, true, path) }
      inPlace = RunDriver(
        try InPlaceRun(
          hop, number: number + 1, of: hops.count, path: path, isWalked: true, log: log))
    } else {
      store.setLog(log)
      let destination = try NewStore(
        path: path(ofHop: number), encoding: store.textEncoding, model: hop.to.model,
        uuid: store.metadata.uuid, keepsCheckpoints: true, log: log)
      passes = RunDriver(
        try PassesRun(
          hop, number: number + 1, of: hops.count,
          source: StoreReader(store, model: hop.from.model), destination: destination,
          policies: setup.policies, withoutPolicies: setup.withoutPolicies, checksMappings: false,
          log: log))
      passes?.run.hasDetails = hasDetails
    }
    _ = log.takeReceived()
    active.forgetLeaps()
    position = StepPosition(hop: number, step: 0)
    (mark, events) = before[number]
    spacing = setup.spacing
    noteLandmark()
    try keepCheckpoint()
  }

  /// The next step is recorded from now on, unless it is an object.
  private func noteLandmark() {
    guard let next = driver?.pending, !next.isObjects else { return }
    landmarks[position.hop][position.step] = next
    if next == .commit { ends[position.hop] = position.step }
  }

  /// Whether the migration is complete and can be committed.
  package var isAtEnd: Bool {
    guard let driver else { return false }
    return switch driver.pending {
    case nil: true
    case .commit: position.hop == hops.count - 1
    default: false
    }
  }

  /// Whether objects are invalid in the new model.
  package var isRefused: Bool { driver?.report.stopsMigration == true }

  /// A model in which objects are invalid: the new one, or the old one in which a stage saves them.
  package enum InvalidModel: String {
    case old = "old model"
    case new = "new model"
  }

  /// The model in which objects are invalid; `nil` if none are.
  package var invalidModel: InvalidModel? {
    guard let report = driver?.report, report.stopsMigration else { return nil }
    return report.stopsInOldModel ? .old : .new
  }

  /// The report of the current hop so far.
  package var report: MigrationReport? { driver?.report }

  /// The reports of all hops so far, in order.
  package var reports: [MigrationReport] {
    finished.prefix(position.hop) + (report.map { [$0] } ?? [])
  }

  // MARK: One step

  /// Runs the next step of the engine; if the hop is complete, starts the next hop.
  ///
  /// - Returns: The events; empty at the end.
  func advance() throws -> [TraceEvent] {
    guard let driver, let pending = driver.pending, !isAtEnd else { return [] }
    if pending == .commit { return try beginNextHop(driver).filter(isReported) }
    var done = try step(driver)
    let earlier = before[position.hop].mark
    if earlier > 0 { for index in done.indices { done[index].mark += earlier } }
    position.step += 1
    for event in done where event.isNumbered {
      events.add(event)
      mark = event.mark
    }
    lastStep = done
    noteLandmark()
    try keepCheckpointIfDue()
    return done.filter(isReported)
  }

  /// The events of the pending step, without the statements with which commands have read the stores since the last.
  func step(_ driver: any HopDriver) throws -> [TraceEvent] {
    _ = log.takeReceived()
    return try driver.step()
  }

  private func isReported(_ event: TraceEvent) -> Bool {
    guard let statement = event.kind.statement else { return true }
    return reportedDetail > .none && (reportsOwn || statement.tag == .coreData)
  }

  private func beginNextHop(_ driver: any HopDriver) throws -> [TraceEvent] {
    let (hop, path) = (hops[position.hop], path(ofHop: position.hop))
    let done = try driver.step().map { TraceEvent(mark: mark, kind: $0.kind) }
    finished = finished.prefix(position.hop) + [driver.report]
    close(removing: false)
    if let stage = hop.stage { try setup.runScripts(stage, false, path) }
    before[position.hop + 1] = (mark, events)
    try open(position.hop + 1)
    return done
  }

  private func keepCheckpoint() throws {
    try driver?.keepCheckpoint()
    checkpoints.append((position.step, mark, events))
    lastCheckpoint = .now
  }

  func keepCheckpointIfDue() throws {
    let steps = position.step - (checkpoints.last?.step ?? 0)
    if spacing.isDue(after: ContinuousClock.now - lastCheckpoint, steps: steps) {
      try keepCheckpoint()
    }
  }

  /// Saves the state at the current position, unless that is done.
  func keepCheckpointHere() throws {
    if checkpoints.last?.step != position.step { try keepCheckpoint() }
  }

  var lastCheckpointIndex: Int { checkpoints.count - 1 }

  /// Moves forward to a position or to the end.
  ///
  /// - Parameters:
  ///   - distance: The number of objects that may be passed before it.
  ///   - receive: Receives the events; `nil` if they are not asked for.
  func run(
    leaping distance: () -> Int = { 0 }, receive: ((TraceEvent) -> Void)? = nil,
    until isThere: () -> Bool
  ) throws {
    let hadDetails = hasDetails
    hasDetails = hadDetails && receive != nil
    defer { hasDetails = hadDetails }
    while !isAtEnd, !isThere() {
      try Interruption.check()
      if receive == nil, try leap(atMost: distance(), ignoringBreakpoints: true) != nil { continue }
      let done = try advance()
      if let receive { done.filter { !$0.isStatement || detail > .none }.forEach(receive) }
    }
  }

  /// Moves from a frame forward to a position at which the stepper can stop.
  func stopHere(receive: ((TraceEvent) -> Void)? = nil) throws {
    try run(receive: receive) { driver?.pending?.isStop == true }
    refreshBreakpoints()
  }

  /// What has changed before the current position is no news.
  func lookAtWatchedValues() throws {
    for watchpoint in watchpoints { watched[watchpoint.number] = try state(of: watchpoint) }
  }

  // MARK: Going back

  /// A position in a hop before an event.
  func passedPosition(before mark: EventNumber, in hop: Int) -> StepPosition {
    guard hop == position.hop else { return StepPosition(hop: hop, step: 0) }
    let step = checkpoints.last { $0.mark < mark }?.step ?? 0
    return StepPosition(hop: hop, step: step)
  }

  /// Restores the state at a position after an error, however long the command may take.
  func restore(_ target: StepPosition) throws {
    try Work.$current.withValue(nil) { try go(to: target, again: true) }
  }

  /// Goes to a position, with the hits of breakpoints before it.
  ///
  /// - Parameter again: Whether the step at that position may be half done.
  func go(to target: StepPosition, again: Bool = false) throws {
    try reach(target, again: again)
    forgetHits(after: target)
  }

  /// The hits are those before a position.
  func forgetHits(after position: StepPosition) {
    for index in breakpoints.indices {
      breakpoints[index].hitPositions.removeAll { $0 > position }
    }
    for index in watchpoints.indices {
      watchpoints[index].hitPositions.removeAll { $0 > position }
    }
  }

  /// Restores the state at a position that was passed, or moves forward to it.
  ///
  /// - Parameters:
  ///   - again: Whether the step at that position may be half done.
  ///   - receive: Receives the events of a movement forward; `nil` if they are not asked for.
  func reach(
    _ target: StepPosition, again: Bool = false, receive: ((TraceEvent) -> Void)? = nil
  ) throws {
    defer {
      lastStep = []
      // Wherever an error has stopped it.
      refreshBreakpoints()
    }
    active.forgetLeaps()
    let isBack = target < position || again
    if target.hop < position.hop || driver == nil || isBack && driver?.hasCheckpoints == false {
      position = StepPosition(hop: target.hop, step: 0)
      close(removing: true)
      try open(target.hop)
    } else if isBack {
      let index = checkpoints.lastIndex { $0.step <= target.step } ?? 0
      try driver?.goBack(toCheckpoint: index)
      checkpoints.removeSubrange((index + 1)...)
      (position.step, mark, events) = (
        checkpoints[index].step, checkpoints[index].mark, checkpoints[index].events
      )
      lastCheckpoint = .now
    }
    try run(
      leaping: { target.hop > position.hop ? .max : target.step - position.step },
      receive: isBack ? nil : receive, until: { position >= target })
    try lookAtWatchedValues()
  }

  /// Closes the stores, for a program that needs exclusive access to the store being migrated.
  package func release() { close(removing: false) }

  /// Opens the stores again, and returns to the position.
  package func resume() throws { try go(to: position) }

  // MARK: Breakpoints

  /// - Returns: The breakpoint with its number.
  @discardableResult
  package func add(_ breakpoint: Breakpoint) -> Breakpoint {
    var added = breakpoint
    lastNumber += 1
    added.number = lastNumber
    breakpoints.append(added)
    refreshBreakpoints()
    return added
  }

  @discardableResult
  package func add(_ watchpoint: Watchpoint) throws -> Watchpoint {
    var added = watchpoint
    lastNumber += 1
    added.number = lastNumber
    watched[added.number] = try state(of: added)
    watchpoints.append(added)
    return added
  }

  /// - Returns: Whether a breakpoint with this number existed.
  @discardableResult
  package func remove(_ number: Int) -> Bool {
    let count = breakpoints.count + watchpoints.count
    breakpoints.removeAll { $0.number == number }
    watchpoints.removeAll { $0.number == number }
    refreshBreakpoints()
    return breakpoints.count + watchpoints.count < count
  }
}
