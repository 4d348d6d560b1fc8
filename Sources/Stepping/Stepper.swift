internal import Foundation
package import StrataBase
package import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Walks a migration, forward and back, in a private folder: the store that is migrated is only read.
///
/// It is a loop around the engine's runs. Going back is exact: SQLite's savepoints and copies of what the
/// run knows are kept now and then, and from the last of them before the wanted place the same steps are
/// done again. Across the beginning of a hop, that hop is done again from its own beginning.
///
/// ```swift
/// let stepper = try Stepper(StepperSetup(hops: plan.hops) { try SQLiteStore(reading: path) })
/// stepper.add(Breakpoint(.entityMapping("TopicToTopic")))
/// let stop = stepper.move(.toEnd) { event in show(event) }
/// try stepper.goBack(by: .step, count: 1)
/// ```
package final class Stepper {
  package let hops: [MigrationPlan.Hop]
  let setup: StepperSetup
  private let workspace: Workspace
  /// Hears of the statements of every run.
  let log = StatementLog(detail: .none)
  /// How much is told of statements.
  package var detail = TraceDetail.none {
    didSet { adjustDetail() }
  }
  /// Whether Strata's own statements are told too.
  package var tellsOwn: Bool {
    get { log.tellsOwn }
    set { log.tellsOwn = newValue }
  }

  var passes: RunDriver<PassesRun>?
  var inPlace: RunDriver<InPlaceRun>?
  var driver: (any HopDriver)? { passes ?? inPlace }

  package internal(set) var position = StepPosition(hop: 0, step: 0)
  /// By hop, the steps at which it is no object's turn: what is passed once is known.
  var landmarks: [[Int: MigrationStep]]
  /// By hop, the step at which it is complete, where that is known.
  var ends: [Int?]
  /// By hop, the events before it: how many, and the last of them.
  private(set) var before: [(mark: EventNumber, events: EventLog)]
  /// What the hops that are complete have done.
  private var finished: [MigrationReport] = []
  var events = EventLog()
  /// The number of the last event.
  package private(set) var mark: EventNumber = 0

  /// What is kept for going back within the hop, oldest first.
  private var checkpoints: [(step: Int, mark: EventNumber, events: EventLog)] = []
  private var spacing: CheckpointSpacing
  private var lastCheckpoint = ContinuousClock.now

  package internal(set) var breakpoints: [Breakpoint] = []
  package internal(set) var watchpoints: [Watchpoint] = []
  var active = ActiveBreakpoints()
  var watched: [Int: WatchedValue] = [:]
  package internal(set) var names: [String: StepPosition] = [:]
  private var lastNumber = 0

  /// Begins in front of the first object or statement.
  ///
  /// - Throws: What keeps the first hop from beginning: ``MigrationError/unknownPolicies(_:known:)``,
  ///   ``StoreError``.
  package init(_ setup: StepperSetup) throws {
    self.setup = setup
    hops = setup.hops
    workspace = try Workspace()
    spacing = setup.spacing
    // How often somebody goes back, and how many checkpoints there are, nobody hears.
    log.isComplete = true
    landmarks = Array(repeating: [:], count: hops.count)
    ends = Array(repeating: nil, count: hops.count)
    before = Array(repeating: (0, EventLog()), count: hops.count)
    try open(0)
    try stopHere()
  }

  // MARK: Hops

  /// The store that a hop makes.
  func path(ofHop hop: Int) -> String { workspace.path(ofStore: "hop\(hop + 1)") }

  /// The store that a hop starts from.
  func source(ofHop hop: Int) throws -> SQLiteStore {
    let store = hop == 0 ? try setup.open() : try SQLiteStore(reading: path(ofHop: hop - 1))
    // Somebody else may have migrated it since the way was chosen.
    guard store.metadata.versionHashes == hops[hop].from.model.versionHashes() else {
      throw StoreError.changedMeanwhile
    }
    return store
  }

  func isInPlace(_ hop: Int) -> Bool { hops[hop].isInferred && (hop > 0 || setup.isCopyable) }

  /// Lets go of the open hop, and of what it has made.
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
        try InPlaceRun(hop, number: number + 1, of: hops.count, path: path, log: log))
    } else {
      store.tell(log, as: .source)
      let destination = try NewStore(
        path: path(ofHop: number), encoding: store.textEncoding, model: hop.to.model,
        uuid: store.metadata.uuid, keepsCheckpoints: true, log: log)
      passes = RunDriver(
        try PassesRun(
          hop, number: number + 1, of: hops.count,
          source: StoreReader(store, model: hop.from.model), destination: destination,
          policies: setup.policies, withoutPolicies: setup.withoutPolicies, checksMappings: false,
          log: log))
    }
    _ = log.takeHeard()
    position = StepPosition(hop: number, step: 0)
    (mark, events) = before[number]
    spacing = setup.spacing
    noteLandmark()
    try keepCheckpoint()
  }

  /// What comes next is known from now on, where it is no object's turn.
  private func noteLandmark() {
    guard let next = driver?.pending, !next.isObjects else { return }
    landmarks[position.hop][position.step] = next
    if next == .commit { ends[position.hop] = position.step }
  }

  /// Whether there is nothing left to do but to make it real.
  package var isAtEnd: Bool {
    switch driver?.pending {
    case nil: true
    case .commit: position.hop == hops.count - 1
    default: false
    }
  }

  /// Whether the new model refuses what is in the store.
  package var isRefused: Bool { driver?.report.stopsMigration == true }

  /// What the hop that is under way has done so far.
  package var report: MigrationReport? { driver?.report }

  /// What all hops have done so far, in order.
  package var reports: [MigrationReport] {
    finished.prefix(position.hop) + (report.map { [$0] } ?? [])
  }

  // MARK: One step

  /// Does the next step of the engine; where the hop is complete, the next one begins.
  ///
  /// - Returns: What happened; none at the end.
  func advance() throws -> [TraceEvent] {
    guard let driver, let pending = driver.pending, !isAtEnd else { return [] }
    if pending == .commit { return try goOverToNextHop(driver) }
    var done = try driver.step()
    let earlier = before[position.hop].mark
    if earlier > 0 { for index in done.indices { done[index].mark += earlier } }
    position.step += 1
    for event in done where !event.isStatement {
      events.add(event)
      mark = event.mark
    }
    noteLandmark()
    let steps = position.step - (checkpoints.last?.step ?? 0)
    if spacing.isDue(after: ContinuousClock.now - lastCheckpoint, steps: steps) {
      try keepCheckpoint()
    }
    return done
  }

  private func goOverToNextHop(_ driver: any HopDriver) throws -> [TraceEvent] {
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

  /// Goes on until it is where somebody wants it, or at the end; nobody hears of it.
  func goOn(until isThere: () -> Bool) throws {
    while !isAtEnd, !isThere() {
      try Interruption.check()
      _ = try advance()
    }
  }

  /// From a frame, on to where somebody may stand.
  func stopHere() throws {
    try goOn { driver?.pending?.isStop == true }
    refreshBreakpoints()
  }

  // MARK: Going back

  /// A place in a hop from which an event is still to come.
  func place(before mark: EventNumber, in hop: Int) -> StepPosition {
    guard hop == position.hop else { return StepPosition(hop: hop, step: 0) }
    let step = checkpoints.last { $0.mark < mark }?.step ?? 0
    return StepPosition(hop: hop, step: step)
  }

  /// Makes everything as it was at a place that was passed.
  ///
  /// - Parameter again: Whether what was begun there may have done half of its work.
  func go(to target: StepPosition, again: Bool = false) throws {
    if target.hop < position.hop || driver == nil {
      position = StepPosition(hop: target.hop, step: 0)
      close(removing: true)
      try open(target.hop)
    } else if target < position || again {
      let index = checkpoints.lastIndex { $0.step <= target.step } ?? 0
      try driver?.goBack(toCheckpoint: index)
      checkpoints.removeSubrange((index + 1)...)
      (position.step, mark, events) = (
        checkpoints[index].step, checkpoints[index].mark, checkpoints[index].events
      )
      lastCheckpoint = .now
    }
    try goOn { position >= target }
    for index in breakpoints.indices {
      breakpoints[index].meetings.removeAll { $0 > target }
    }
    for watchpoint in watchpoints { watched[watchpoint.number] = try value(of: watchpoint) }
    refreshBreakpoints()
  }

  /// Closes the stores, for somebody who wants the one that is migrated for himself.
  package func release() { close(removing: false) }

  /// Opens them again, and goes to where it stood.
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
    watched[added.number] = try value(of: added)
    watchpoints.append(added)
    return added
  }

  /// - Returns: Whether there was one of this number.
  @discardableResult
  package func remove(_ number: Int) -> Bool {
    let count = breakpoints.count + watchpoints.count
    breakpoints.removeAll { $0.number == number }
    watchpoints.removeAll { $0.number == number }
    refreshBreakpoints()
    return breakpoints.count + watchpoints.count < count
  }
}
