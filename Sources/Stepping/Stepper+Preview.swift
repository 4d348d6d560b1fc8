package import StrataBase
internal import StrataMigration
internal import StrataSQLite

extension Stepper {
  /// Runs the next step, passes its events to `inspect`, and goes back to the state before it.
  ///
  /// The events are those that the step will have, except statements. The end of a hop is not run.
  ///
  /// - Parameter inspect: Receives the events, or the error with which the step fails; it can read the
  ///   stores as they are after the step.
  /// - Returns: `nil` if there is no step to run.
  package func preview<Answer>(
    _ inspect: (Result<[TraceEvent], any Error>) throws -> Answer
  ) throws -> Answer? {
    try withoutReporting { try running(inspect) }
  }

  /// The events of the next step with all its statements; empty if it fails.
  package func previewWithStatements() throws -> [TraceEvent] {
    let (detail, reportsOwn) = (log.detail, log.reportsOwn)
    (log.detail, log.reportsOwn) = (max(detail, .statements), true)
    defer { (log.detail, log.reportsOwn) = (detail, reportsOwn) }
    return try running { (try? $0.get()) ?? [] } ?? []
  }

  private func running<Answer>(
    _ inspect: (Result<[TraceEvent], any Error>) throws -> Answer
  ) throws -> Answer? {
    guard !isAtEnd, let driver, let pending = driver.pending, pending.isStop, pending != .endHop
    else { return nil }
    try keepCheckpointHere()
    let hadDetails = hasDetails
    hasDetails = true
    defer { hasDetails = hadDetails }
    let earlier = before[position.hop].mark
    let events = Result {
      try step(driver).map { TraceEvent(mark: $0.mark + earlier, kind: $0.kind) }
    }
    let answer = Result { try inspect(events) }
    try driver.goBack(toCheckpoint: lastCheckpointIndex)
    return try answer.get()
  }
}
