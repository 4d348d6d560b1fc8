internal import CSQLite
package import StrataBase

/// Logs the statements of several connections as they run: each when it begins, and again when it has ended.
///
/// A statement whose rows are fetched one by one ends with its last row, or when no more rows are requested. So
/// statements are logged in the order in which they begin, even if an earlier one is still being read.
///
/// The origin of a statement is set by ``coreData(_:)`` and ``own(_:)`` around the work that runs it, otherwise by
/// its connection; see ``StatementKind`` for the statements that are never logged as Core Data's.
package final class StatementLog {
  /// The level of detail.
  package var detail: TraceDetail
  /// Whether Strata's own statements are logged too.
  package var reportsOwn: Bool
  /// Whether statements that are read row by row are tracked from their beginning at any level: then the entry of
  /// their end does not depend on earlier observers.
  package var isComplete = false
  private var received: [TraceEvent.Kind] = []
  private let receive: ((TraceEvent.Kind) -> Void)?
  private var running: [OpaquePointer: Running] = [:]
  private var plans: [String: [String]] = [:]
  /// Statements that continue the rows of others.
  private var resumed: Set<OpaquePointer> = []
  /// The origin of the running work, if set.
  private var tag: TraceStatement.Tag?
  private var isMuted = false

  /// A statement whose rows are being fetched.
  private struct Running {
    var statement: TraceStatement
    /// Whether its beginning was muted.
    var isSilent: Bool
  }

  /// - Parameter receive: The observer; without it, entries are kept for ``takeReceived()``.
  package init(
    detail: TraceDetail, reportsOwn: Bool = false, receive: ((TraceEvent.Kind) -> Void)? = nil
  ) {
    self.detail = detail
    self.reportsOwn = reportsOwn
    self.receive = receive
  }

  /// The entries since the last call, in order.
  package func takeReceived() -> [TraceEvent.Kind] {
    defer { received.removeAll() }
    return received
  }

  /// Whether statements are being observed.
  package var isObserved: Bool { detail > .none && !isMuted }

  private func report(_ event: TraceEvent.Kind) {
    if let receive { receive(event) } else { received.append(event) }
  }

  /// The maximum number of rows kept of a statement.
  package static let rowLimit = 20
  private static let planLimit = 1000

  /// Steps a statement to its next row.
  func step(
    _ statement: OpaquePointer, _ sql: String, of listener: StatementListener,
    _ handle: OpaquePointer, isReadAtOnce: Bool
  ) -> Int32 {
    let isTracked = isObserved || isComplete && !isReadAtOnce
    // Not observed now, nor when it began.
    guard isTracked || running[statement] != nil else { return sqlite3_step(statement) }
    let isNew = resumed.remove(statement) == nil && sqlite3_stmt_busy(statement) == 0
    if isNew, isTracked {
      let begun = listener.statement(sql, tag)
      running[statement] = Running(statement: begun, isSilent: isMuted)
      if isObserved, reports(begun) { report(.sqlBegan(beginning(of: begun, statement, handle))) }
    }
    let start = ContinuousClock.now
    let code = sqlite3_step(statement)
    running[statement]?.statement.seconds += (ContinuousClock.now - start) / .seconds(1)
    guard code == SQLITE_ROW else {
      end(statement)
      return code
    }
    if running[statement] != nil { note(rowOf: statement) }
    return code
  }

  private func note(rowOf statement: OpaquePointer) {
    guard var known = running[statement]?.statement else { return }
    running[statement]?.statement.rows = []
    known.rowCount += 1
    if known.isCount, sqlite3_column_count(statement) == 1 {
      known.count = sqlite3_column_int64(statement, 0)
    }
    if isComplete || detail >= .rows, known.rows.count < Self.rowLimit {
      let columns = 0..<sqlite3_column_count(statement)
      known.rows.append(columns.map { TraceValue(statement, column: $0) })
    }
    running[statement]?.statement = known
  }

  private func reports(_ statement: TraceStatement) -> Bool {
    reportsOwn || statement.tag == .coreData
  }

  private func beginning(
    of begun: TraceStatement, _ statement: OpaquePointer, _ handle: OpaquePointer
  ) -> TraceStatement {
    var begun = begun
    if detail >= .bindings { begun.bindings = Self.bindings(of: statement, begun.sql) }
    if detail >= .plans { begun.plan = plan(of: begun.sql, handle) }
    return begun
  }

  /// The facts so far of a statement whose rows are being fetched.
  func record(of statement: OpaquePointer) -> TraceStatement? { running[statement]?.statement }

  /// Lets a statement that has not begun continue another one, whose last row it returns again.
  func resume(_ statement: OpaquePointer, as record: TraceStatement) {
    var record = record
    if record.rows.count == record.rowCount { record.rows = record.rows.dropLast() }
    record.rowCount = max(0, record.rowCount - 1)
    running[statement] = Running(statement: record, isSilent: false)
    resumed.insert(statement)
  }

  /// Runs work without logging.
  package func muted<Result>(_ body: () throws -> Result) rethrows -> Result {
    let was = mute()
    defer { unmute(was) }
    return try body()
  }

  /// Stops logging until ``unmute(_:)`` is called with the returned value.
  package func mute() -> Bool {
    defer { isMuted = true }
    return isMuted
  }

  package func unmute(_ was: Bool) { isMuted = was }

  /// Runs work whose statements are logged as Core Data's.
  package func coreData<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try tagged(.coreData, body)
  }

  /// Runs work whose statements are logged as Strata's own.
  package func own<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try tagged(.strata, body)
  }

  private func tagged<Result: ~Copyable, Failure>(
    _ tag: TraceStatement.Tag, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let was = self.tag
    // Work for a check is always logged as Strata's own.
    if was != .strata { self.tag = tag }
    defer { self.tag = was }
    return try body()
  }

  /// No more rows of the statement are requested.
  func end(_ statement: OpaquePointer) {
    guard !running.isEmpty, let known = running.removeValue(forKey: statement), isObserved,
      !known.isSilent, reports(known.statement)
    else { return }
    var ended = known.statement
    if detail < .rows { ended.rows = [] }
    report(.sqlEnded(ended))
  }

  /// The query plan of a statement; empty if there is none.
  private func plan(of sql: String, _ handle: OpaquePointer) -> [String] {
    if let known = plans[sql] { return known }
    var explanation: OpaquePointer?
    defer { sqlite3_finalize(explanation) }
    var lines: [String] = []
    if sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN \(sql)", -1, &explanation, nil) == SQLITE_OK {
      while sqlite3_step(explanation) == SQLITE_ROW {
        if let detail = sqlite3_column_text(explanation, 3) {
          lines.append(String(cString: detail))
        }
      }
    }
    if plans.count >= Self.planLimit { plans.removeAll() }
    plans[sql] = lines
    return lines
  }

  /// The bound values of a statement, from its expanded text.
  private static func bindings(of statement: OpaquePointer, _ sql: String) -> [TraceValue] {
    guard sqlite3_bind_parameter_count(statement) > 0,
      let expanded = sqlite3_expanded_sql(statement)
    else { return [] }
    defer { sqlite3_free(expanded) }
    return BoundValues.values(of: sql, writtenOut: String(cString: expanded))
  }
}

extension StatementLog? {
  /// Runs work whose statements are logged as Strata's own, if there is a log.
  package func own<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let self else { return try body() }
    return try self.own(body)
  }

  /// Runs work whose statements are logged as Core Data's, if there is a log.
  package func coreData<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let self else { return try body() }
    return try self.coreData(body)
  }
}

extension TraceValue {
  fileprivate init(_ statement: OpaquePointer, column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let count = Int(sqlite3_column_bytes(statement, column))
      let text = UnsafeBufferPointer(start: sqlite3_column_text(statement, column), count: count)
      self.init(truncating: Array(text.prefix(Self.textLimit + 1)))
    case SQLITE_BLOB: self = .bytes(Int(sqlite3_column_bytes(statement, column)))
    default: self = .null
    }
  }
}
