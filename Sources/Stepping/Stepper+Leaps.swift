internal import StrataBase
internal import StrataExpressions
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

/// Leaps: many objects of an entity mapping are migrated together, where nobody asks for the events of each and no
/// breakpoint can be hit. The state afterwards is as if each had been a step.
extension Stepper {
  /// Leaps over the next objects that no breakpoint concerns.
  ///
  /// - Parameters:
  ///   - limit: The number of objects before the goal.
  ///   - ignoresBreakpoints: Whether the movement stops at no breakpoint and reports no events.
  /// - Returns: The number of objects, and the last events; `nil` if the next object must be migrated alone.
  func leap(
    atMost limit: Int, ignoringBreakpoints ignoresBreakpoints: Bool = false
  ) throws -> (count: Int, events: [TraceEvent])? {
    guard let sizes = setup.leaps, !leapsHaveFailed, position.step >= active.nextLeap,
      ignoresBreakpoints || mayLeap, !hasDetails, let driver = passes,
      case .objects(let indices, _, _) = driver.pending
    else { return nil }
    let end = position.step + driver.run.currentObjectCount - indices.lowerBound
    // The last object of an entity mapping is migrated alone.
    let left = min(limit, end - position.step - 1)
    guard left >= sizes.least else { return nil }
    let keys: [Int64]
    do {
      guard let key = try ignoresBreakpoints ? .max : firstKeyOfBreakpoints(driver) else {
        active.nextLeap = end
        return nil
      }
      keys = try driver.run.keysOfLeap(below: key, limit: min(left, sizes.most, active.leapLimit))
    } catch {
      // What a query cannot answer is asked of each object; Ctrl-C stops after the next one.
      if !Interruption.isRequested { active.nextLeap = end }
      return nil
    }
    guard keys.count >= sizes.least else {
      active.nextLeap = position.step + max(keys.count, sizes.least)
      return nil
    }
    var done: [TraceEvent]
    let start = ContinuousClock.now
    do {
      guard let found = try driver.run.leap(over: keys, events: EventLog.limit) else {
        active.nextLeap = end
        return nil
      }
      done = found
    } catch {
      // One by one, the object is found that cannot be migrated.
      leapsHaveFailed = true
      try restore(position)
      return nil
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    if seconds < 0.1 { active.leapLimit = min(2 * active.leapLimit, sizes.most) }
    if seconds > 0.3 { active.leapLimit = max(active.leapLimit / 2, sizes.least) }
    position.step += keys.count
    mark += keys.count
    let earlier = before[position.hop].mark
    for index in done.indices {
      done[index].mark += earlier
      events.add(done[index])
    }
    lastStep = done.suffix(1)
    try keepCheckpointIfDue()
    return (keys.count, done)
  }

  /// Whether the events of single objects are not asked for, and no watched value can change.
  private var mayLeap: Bool {
    !reportsEachObject && watchpoints.isEmpty && reportedDetail == .none
  }

  /// The lowest source key, from the next object on, at which a breakpoint can be hit; `.max` if there is none,
  /// `nil` if each object must be looked at.
  private func firstKeyOfBreakpoints(_ driver: RunDriver<PassesRun>) throws -> Int64? {
    guard let next = try withoutReporting({ try driver.run.upcomingSource() }) else { return nil }
    if let known = active.firstKey, known >= next.key { return known }
    var first = Int64.max
    for candidate in active.before + active.behind {
      guard let key = try withoutReporting({ try firstKey(of: candidate, from: next, driver) })
      else { return nil }
      first = min(first, key)
    }
    active.firstKey = first
    return first
  }

  private func firstKey(
    of candidate: ActiveBreakpoints.Candidate, from next: BrowsedObject,
    _ driver: RunDriver<PassesRun>
  ) throws -> Int64? {
    switch candidate.kind {
    // Objects have none before the third pass.
    case .error: return .max
    case .object(let object):
      return object.entity == next.entity && object.key >= next.key ? object.key : .max
    case .entityMapping, .property, .policy:
      guard let condition = candidate.condition?.about("source") else { return nil }
      return try driver.run.sourceObjects.firstKey(
        of: next.entity, where: condition, from: next.key)
    case .pass, .sql, .warning: return nil
    }
  }
}
