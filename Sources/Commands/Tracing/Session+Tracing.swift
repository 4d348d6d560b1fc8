internal import StrataBase
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

extension Session {
  /// Sends the events of a migration to the trace and to other observers.
  ///
  /// - Parameter file: The file for all events.
  func receive(_ event: TraceEvent, _ file: TraceFile?) {
    progress?.receive(event)
    file?.write(event, revealing: trace.isRevealed)
    if trace.migration > 0 {
      running?.trace.add(TraceText.migrationLines(event, level: trace.migration))
    }
    if trace.sql > 0 {
      running?.trace.add(
        TraceText.sqlLines(event.kind, level: trace.sql, revealing: trace.isRevealed))
    }
  }

  /// The log for the statements of a migration, which are among its events; `nil` unless they are traced.
  var migrationLog: StatementLog? {
    trace.detail > .none ? StatementLog(detail: trace.detail, reportsOwn: trace.reportsOwn) : nil
  }

  /// The log that shows the statements of a command immediately; `nil` unless they are traced.
  ///
  /// - Parameter lines: The lines to which they are added.
  func statementLog(showing lines: TraceLines) -> StatementLog? {
    let levels = trace
    guard levels.detail > .none, lines.isWanted else { return nil }
    return StatementLog(detail: levels.detail, reportsOwn: levels.reportsOwn) { event in
      lines.add(TraceText.sqlLines(event, level: levels.sql, revealing: levels.isRevealed))
    }
  }
}
