package import StrataBase
internal import StrataMigration
internal import StrataStore

extension Stepper {
  /// Moves forward.
  ///
  /// - Parameter receive: Receives the events as they happen.
  package func move(_ goal: StepGoal, receive: (TraceEvent) -> Void = { _ in }) -> StepStop {
    var received: [TraceEvent] = []
    var count = 0
    var left = goal.count
    func stop(_ reason: StepStop.Reason) -> StepStop {
      StepStop(
        reason: reason, events: received.last(StepStop.eventLimit), eventCount: count,
        rest: goal.rest(left))
    }
    guard !isAtEnd else { return stop(.end(isRefused: isRefused)) }
    keepsStatements = goal == .unit(.step, count: 1)
    defer { keepsStatements = false }
    let mapping = driver?.pending
    var isFirst = true
    while true {
      let from = position
      var isUnderway = false
      do {
        try Interruption.check()
        isUnderway = true
        if !isFirst, case .objects(_, let mapping, let pass) = driver?.pending,
          let passed = try leap(atMost: goal.isOfSteps ? left - 1 : .max)
        {
          receive(
            TraceEvent(
              mark: mark, kind: .objectsVisited(pass: pass, mapping: mapping, count: passed.count)))
          count += passed.count
          if goal.isOfSteps { left -= passed.count }
          received = (received + passed.events).last(StepStop.eventLimit)
          continue
        }
        // A hit that shows only after a step is reported before it.
        if let reason = try beforeStep(isFirst: isFirst) { return stop(reason) }
        let source = try objectForConditions()
        let wasObjects = driver?.pending?.isObjects == true
        let done = try advance()
        var reason = try behindStep(from, done, source)
        // A breakpoint hit before a step has no events.
        for event in position > from ? done : [] {
          // Only a breakpoint asks for statements then.
          if event.isStatement, detail == .none { continue }
          receive(event)
          guard !event.isStatement else { continue }
          if event.isNumbered {
            count += 1
            if count % StepStop.eventLimit == 0 { received = received.last(StepStop.eventLimit) }
          }
          received.append(event)
        }
        if position > from {
          // A frame has begun or ended.
          if !wasObjects || driver?.pending?.isObjects != true { refreshBreakpoints() }
          // Breakpoints before the next step are hit here too.
          if let behind = reason { reason = behind.and(try beforeStep(isFirst: false)) }
        }
        let isReached = position > from && isReached(goal, from: mapping, since: from)
        if isReached { left -= 1 }
        if let reason { return stop(reason) }
        isFirst = false
        guard !isAtEnd else { return stop(.end(isRefused: isRefused)) }
        guard isReached, left <= 0 else { continue }
        // A breakpoint before which the stepper stops is reported.
        return stop(try beforeStep(isFirst: false) ?? .arrived)
      } catch {
        return stop(recovered(from: error, to: from, isUnderway: isUnderway))
      }
    }
  }

  private func isReached(
    _ goal: StepGoal, from start: MigrationStep?, since last: StepPosition
  ) -> Bool {
    switch goal {
    case .unit(let unit, _): isBegin(of: unit, at: position, isForward: true)
    case .endOfMapping:
      switch (driver?.pending, start) {
      case (.endEntityMapping, _): true
      case (.endHop, _), (.validate, _): true
      default: position.hop != last.hop && driver?.pending?.isStop == true
      }
    case .toEnd: false
    }
  }

  /// After a step that failed, the state is the same as before it.
  ///
  /// - Parameter isUnderway: Whether something may have happened since.
  private func recovered(
    from error: any Error, to start: StepPosition, isUnderway: Bool
  ) -> StepStop.Reason {
    let isInterrupted = Interruption.isRequested
    Interruption.clear()
    do {
      if isUnderway { try restore(start) }
      if isInterrupted {
        try stopHere()
        // This also ends a running script.
        Interruption.request()
      }
    } catch {
      return .failed(Diagnostic(of: error), breakpoint: nil)
    }
    return isInterrupted
      ? .interrupted : .failed(Diagnostic(of: error), breakpoint: hitErrorBreakpoint())
  }

  // MARK: Back

  /// Goes back to the beginning of the current object or statement, entity mapping, pass or hop;
  /// at its beginning, to that of the previous one.
  ///
  /// - Returns: Whether there was an earlier position.
  @discardableResult
  package func goBack(by unit: StepUnit, count: Int = 1) throws -> Bool {
    var target = position
    for _ in 0..<max(1, count) {
      guard let earlier = begin(of: unit, before: target) else { break }
      target = earlier
    }
    guard target != position else { return false }
    try go(to: target)
    return true
  }

  /// Goes to the position after the event with this number, or after the last event before it.
  ///
  /// - Parameter receive: Receives the events of a movement forward; `nil` if they are not asked for.
  /// - Returns: `nil` if the event was reached. If the migration ends before it, its last event; then the
  ///   position does not change.
  package func go(
    toMark wanted: EventNumber, receive: ((TraceEvent) -> Void)? = nil
  ) throws -> EventNumber? {
    let start = position
    var receive = receive
    if wanted < mark {
      // The last stop with fewer events is found and passed once more.
      let hop = (0...position.hop).last { before[$0].mark <= wanted } ?? 0
      try reach(passedPosition(before: wanted, in: hop))
      receive = nil
    }
    try run(leaping: { wanted - mark }, receive: receive, until: { mark >= wanted })
    guard mark >= wanted else {
      let last = mark
      try go(to: start)
      return last
    }
    try stopHere(receive: receive)
    forgetHits(after: position)
    try lookAtWatchedValues()
    return nil
  }

  /// The reason why a movement to a position ended before it, after the state has been restored.
  package func stopped(by error: any Error) -> StepStop {
    StepStop(
      reason: recovered(from: error, to: position, isUnderway: true), events: [], eventCount: 0)
  }

  /// Sets a mark at the current position.
  package func name(_ name: String) { names[name] = position }

  /// - Parameter receive: Receives the events of a movement forward; `nil` if they are not asked for.
  /// - Returns: Whether there is a mark of this name.
  package func go(
    toName name: String, receive: ((TraceEvent) -> Void)? = nil
  ) throws -> Bool {
    guard let target = names[name] else { return false }
    try reach(target, receive: receive)
    forgetHits(after: target)
    return true
  }

  package func restart() throws {
    try go(to: StepPosition(hop: 0, step: 0))
    try stopHere()
  }

  // MARK: Positions

  /// Whether a unit begins at the current position or at one that was passed.
  ///
  /// - Parameter isForward: Whether the end of the hop counts: movements forward also stop there.
  func isBegin(of unit: StepUnit, at target: StepPosition, isForward: Bool = false) -> Bool {
    let step = landmarks[target.hop][target.step]
    guard step?.isStop ?? true, target.step > 0 else { return false }
    switch unit {
    case .step: return true
    case .mapping:
      switch step {
      case .beginEntityMapping, .validate: return true
      case .endHop: return isForward || isInPlace(target.hop)
      case .statement(let index): return isFirstOfPhase(index, target)
      case .stageChange: return true
      default: return false
      }
    case .pass:
      if case .endHop = step, !isInPlace(target.hop) { return isForward }
      if case .beginPass = landmarks[target.hop][target.step - 1] { return true }
      return isInPlace(target.hop) && isFirstStop(target)
    case .hop: return isFirstStop(target)
    }
  }

  private func isFirstStop(_ target: StepPosition) -> Bool {
    (0..<target.step).allSatisfy { landmarks[target.hop][$0]?.isStop == false }
  }

  private func isFirstOfPhase(_ index: Int, _ target: StepPosition) -> Bool {
    guard let statements = statements(ofHop: target.hop), index < statements.count else {
      return true
    }
    return index == 0 || statements[index].phase != statements[index - 1].phase
  }

  /// The last position before another at which a unit begins.
  private func begin(of unit: StepUnit, before target: StepPosition) -> StepPosition? {
    var hop = target.hop
    var limit = target.step
    while true {
      if unit == .step {
        // Objects are not landmarks: a position that is not a landmark is one to stop at.
        for step in stride(from: limit - 1, to: -1, by: -1) {
          let found = StepPosition(hop: hop, step: step)
          if isBegin(of: .step, at: found) { return found }
        }
      } else if let step = landmarks[hop].keys.filter({ $0 < limit }).sorted(by: >).first(where: {
        isBegin(of: unit, at: StepPosition(hop: hop, step: $0))
      }) {
        return StepPosition(hop: hop, step: step)
      }
      guard hop > 0 else { return nil }
      hop -= 1
      limit = ends[hop] ?? 0
    }
  }
}

extension [TraceEvent] {
  /// The last events, with their details.
  fileprivate func last(_ count: Int) -> [TraceEvent] {
    guard let last else { return [] }
    return Array(drop { $0.mark <= last.mark - count })
  }
}
