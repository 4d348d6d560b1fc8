internal import CSQLite
public import StrataTraceEvents

/// Hears of the statements of some connections as they run: each is told when it has ended.
///
/// A statement whose rows are fetched one by one ends with its last row, or when nobody wants more.
public final class StatementLog {
  /// How much is told of statements that begin from now on.
  public var detail: TraceDetail
  private var ended: [TraceStatement] = []
  private var running: [OpaquePointer: TraceStatement] = [:]
  private var plans: [String: [String]] = [:]
  /// Statements that go on with the rows of others.
  private var resumed: Set<OpaquePointer> = []

  public init(detail: TraceDetail) { self.detail = detail }

  /// What has ended since this was asked last.
  public func takeEnded() -> [TraceStatement] {
    defer { ended.removeAll() }
    return ended
  }

  /// Rows of one statement that are kept.
  private static let rowLimit = 20
  private static let planLimit = 1000

  /// Runs a statement to its next row.
  func step(
    _ statement: OpaquePointer, _ sql: String, of side: TraceStatement.Side, _ handle: OpaquePointer
  ) -> Int32 {
    // Nobody asks, and nobody did when it began.
    guard detail > .none || !running.isEmpty else { return sqlite3_step(statement) }
    if resumed.remove(statement) == nil, detail > .none, sqlite3_stmt_busy(statement) == 0 {
      var begun = TraceStatement(side: side, sql: sql)
      if detail >= .bindings { begun.bindings = Self.bindings(of: statement, sql) }
      if detail >= .plans { begun.plan = plan(of: sql, handle) }
      running[statement] = begun
    }
    let start = ContinuousClock.now
    let code = sqlite3_step(statement)
    running[statement]?.seconds += (ContinuousClock.now - start) / .seconds(1)
    guard code == SQLITE_ROW else {
      end(statement)
      return code
    }
    running[statement]?.rowCount += 1
    if detail >= .rows, let count = running[statement]?.rows.count, count < Self.rowLimit {
      let columns = 0..<sqlite3_column_count(statement)
      running[statement]?.rows.append(columns.map { TraceValue(statement, column: $0) })
    }
    return code
  }

  /// What is known so far of a statement whose rows are being fetched.
  func record(of statement: OpaquePointer) -> TraceStatement? { running[statement] }

  /// A statement that has not begun goes on where another one stood, and gives that one's last row again.
  func resume(_ statement: OpaquePointer, as record: TraceStatement) {
    var record = record
    if record.rows.count == record.rowCount { record.rows = record.rows.dropLast() }
    record.rowCount = max(0, record.rowCount - 1)
    running[statement] = record
    resumed.insert(statement)
  }

  /// Runs something of which nobody is to hear.
  public func muted<Result>(_ body: () throws -> Result) rethrows -> Result {
    let detail = detail
    self.detail = .none
    defer { self.detail = detail }
    return try body()
  }

  /// Nobody asks the statement for more rows.
  func end(_ statement: OpaquePointer) {
    guard !running.isEmpty, let known = running.removeValue(forKey: statement), detail > .none
    else {
      return
    }
    ended.append(known)
  }

  /// How SQLite goes about a statement; nothing where that cannot be asked.
  private func plan(of sql: String, _ handle: OpaquePointer) -> [String] {
    if let known = plans[sql] { return known }
    var asking: OpaquePointer?
    defer { sqlite3_finalize(asking) }
    var lines: [String] = []
    if sqlite3_prepare_v2(handle, "EXPLAIN QUERY PLAN \(sql)", -1, &asking, nil) == SQLITE_OK {
      while sqlite3_step(asking) == SQLITE_ROW {
        if let detail = sqlite3_column_text(asking, 3) { lines.append(String(cString: detail)) }
      }
    }
    if plans.count >= Self.planLimit { plans.removeAll() }
    plans[sql] = lines
    return lines
  }

  /// What is bound to a statement, which SQLite tells by writing the statement out.
  private static func bindings(of statement: OpaquePointer, _ sql: String) -> [TraceValue] {
    guard sqlite3_bind_parameter_count(statement) > 0,
      let expanded = sqlite3_expanded_sql(statement)
    else { return [] }
    defer { sqlite3_free(expanded) }
    return BoundValues.values(of: sql, writtenOut: String(cString: expanded))
  }
}

extension TraceValue {
  /// Bytes of a text that are kept.
  static let textLimit = 200

  fileprivate init(_ statement: OpaquePointer, column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let count = Int(sqlite3_column_bytes(statement, column))
      let text = UnsafeBufferPointer(start: sqlite3_column_text(statement, column), count: count)
      self.init(cutting: Array(text.prefix(Self.textLimit + 1)))
    case SQLITE_BLOB: self = .bytes(Int(sqlite3_column_bytes(statement, column)))
    default: self = .null
    }
  }

  /// A text, cut where it is long.
  init(cutting utf8: [UInt8]) {
    self = .text(
      utf8.count > Self.textLimit
        ? String(decoding: utf8.prefix(Self.textLimit), as: UTF8.self) + "…"
        : String(decoding: utf8, as: UTF8.self))
  }
}
