internal import StrataBase
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

extension Session {
  /// Takes in what happened in a migration: whoever listens hears of it.
  ///
  /// - Parameter file: Where all events go.
  func hear(_ event: TraceEvent, _ file: TraceFile?) {
    progress?.hear(event)
    file?.write(event, revealing: trace.isRevealed)
    if trace.migration > 0 {
      running?.trace.add(TraceText.migrationLines(event, level: trace.migration))
    }
    if trace.sql > 0 {
      running?.trace.add(
        TraceText.sqlLines(event.kind, level: trace.sql, revealing: trace.isRevealed))
    }
  }

  /// Hears of the statements of a migration, which are among its events, where somebody asked for them.
  var migrationLog: StatementLog? {
    trace.detail > .none ? StatementLog(detail: trace.detail, tellsOwn: trace.tellsOwn) : nil
  }

  /// Hears of the statements of a command and shows them at once; `nil` where nobody asked for them.
  ///
  /// - Parameter lines: Where they are shown.
  func statementLog(showing lines: TraceLines) -> StatementLog? {
    let levels = trace
    guard levels.detail > .none, lines.isWanted else { return nil }
    return StatementLog(detail: levels.detail, tellsOwn: levels.tellsOwn) { event in
      lines.add(TraceText.sqlLines(event, level: levels.sql, revealing: levels.isRevealed))
    }
  }
}
