internal import StrataRendering
internal import StrataSQLite
internal import StrataStore
internal import StrataTraceEvents

extension Session {
  /// Takes in what happened in a migration: whoever listens hears of it.
  ///
  /// - Parameter file: Where all events go.
  func hear(_ event: TraceEvent, _ file: TraceFile?) {
    progress?.hear(event)
    file?.write(event, revealing: trace.isRevealed)
    if trace.migration > 0 {
      traceLines.add(TraceText.migrationLines(event, level: trace.migration))
    }
    if trace.sql > 0 {
      traceLines.add(
        TraceText.sqlLines(event, level: trace.sql, revealing: trace.isRevealed))
    }
  }

  /// Hears of statements, where somebody asked for them.
  var statementLog: StatementLog? {
    TraceDetail(rawValue: trace.sql).flatMap { $0 > .none ? StatementLog(detail: $0) : nil }
  }
}
