internal import CSQLite
internal import StrataArchives
package import StrataBase
internal import StrataEssentials

/// The log of the statements of a connection.
final class StatementListener {
  var log: StatementLog?
  var side = TraceStatement.Side.source
  /// Their default origin.
  var tag = TraceStatement.Tag.strata
  /// The root entity of each table.
  var entities: [String: String] = [:]
  /// The facts of each statement text, determined once.
  private var known: [String: (kind: StatementKind, entity: String?)] = [:]

  private static let limit = 1000

  /// A statement that begins.
  ///
  /// - Parameter tag: The origin of the statement.
  func statement(_ sql: String, _ tag: TraceStatement.Tag?) -> TraceStatement {
    let (kind, entity) = known[sql] ?? analyze(sql)
    var begun = TraceStatement(
      side: side, sql: sql, tag: kind == .housekeeping ? .strata : tag ?? self.tag)
    begun.entity = entity
    return begun
  }

  func forget() { known = [:] }

  private func analyze(_ sql: String) -> (kind: StatementKind, entity: String?) {
    if known.count >= Self.limit { known.removeAll() }
    let found = (StatementKind(sql), entity(queriedBy: sql))
    known[sql] = found
    return found
  }

  /// The entity whose table a query reads first.
  private func entity(queriedBy sql: String) -> String? {
    guard sql.hasPrefix("SELECT") || sql.hasPrefix("WITH"),
      let from = sql.firstRange(of: "FROM ")
    else { return nil }
    let name = sql[from.upperBound...].drop { $0 == "\"" }.prefix { $0 != " " && $0 != "\"" }
    return entities[String(name)]
  }
}

/// The files that a connection reads.
final class FilesRead {
  /// Whether another program has written to them since they were opened.
  var haveChanged: () -> Bool = { false }
}

/// A prepared statement, finalized when it goes out of scope.
package struct SQLiteStatement: ~Copyable {
  private let statement: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String
  private let listener: StatementListener
  private let meter: StatementMeter
  private let files: FilesRead
  /// Its budget, unless the connection has one.
  private let limit: StatementMeter.Limit?
  /// Whether its rows are read at once, so that nobody can begin to observe it before its end.
  private let isReadAtOnce: Bool

  init(
    statement: OpaquePointer, connection: OpaquePointer, sql: String,
    _ listener: StatementListener, _ meter: StatementMeter, _ files: FilesRead,
    limit: StatementMeter.Limit?, isReadAtOnce: Bool = false
  ) {
    self.isReadAtOnce = isReadAtOnce
    self.statement = statement
    self.connection = connection
    self.sql = sql
    self.listener = listener
    self.meter = meter
    self.files = files
    self.limit = limit
  }

  deinit {
    listener.log?.end(statement)
    sqlite3_finalize(statement)
  }

  /// Binds values to the parameters from the first, and resets the statement.
  package func bind(_ values: [AttributeValue]) throws(StoreError) {
    reset()
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  /// Binds one value, to a parameter counted from 1.
  package func bind(_ value: AttributeValue, at index: Int) throws(StoreError) {
    let parameterIndex = Int32(index)
    let code: Int32 =
      switch value {
      case .null: sqlite3_bind_null(statement, parameterIndex)
      case .integer(let number): sqlite3_bind_int64(statement, parameterIndex, number)
      case .real(let number): sqlite3_bind_double(statement, parameterIndex, number)
      case .text(var text):
        text.withUTF8 { utf8 in
          utf8.withMemoryRebound(to: CChar.self) {
            strata_sqlite3_bind_text(statement, parameterIndex, $0.baseAddress, UInt64($0.count))
          }
        }
      case .bytes(let bytes):
        bytes.withUnsafeBytes {
          strata_sqlite3_bind_blob(statement, parameterIndex, $0.baseAddress, UInt64($0.count))
        }
      }
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The log entry, while its rows are being fetched.
  package var record: TraceStatement? { listener.log?.record(of: statement) }

  /// Continues the log entry of another statement.
  package func resume(_ record: TraceStatement) { listener.log?.resume(statement, as: record) }

  /// Resets the statement, which releases its read lock.
  package func reset() {
    listener.log?.end(statement)
    sqlite3_reset(statement)
  }

  /// Steps to the next row; `false` at the end.
  package func step() throws(StoreError) -> Bool {
    meter.running = limit ?? meter.limit
    let code =
      listener.log?.step(
        statement, sql, of: listener, connection, isReadAtOnce: isReadAtOnce)
      ?? sqlite3_step(statement)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure(code)
    }
  }

  package var columnNames: [String] {
    (0..<Int32(columnCount)).map { column in
      sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
    }
  }

  package var columnCount: Int { Int(sqlite3_column_count(statement)) }

  /// The current row.
  package var row: [AttributeValue] { (0..<columnCount).map { value($0) } }

  /// The current row's value in a column, counted from 0.
  package func value(_ column: Int) -> AttributeValue {
    // One lookup of the column instead of two or three. Such a value may only be read where no other thread uses the
    // connection; none does.
    let value = sqlite3_column_value(statement, Int32(column))
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let count = Int(sqlite3_value_bytes(value))
      guard let text = sqlite3_value_text(value) else { return .null }
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let count = Int(sqlite3_value_bytes(value))
      guard let bytes = sqlite3_value_blob(value) else { return .bytes([]) }
      return .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    default: return .null
    }
  }

  /// Replaces values by those of the current row, from a column counted from 0.
  package func read(into values: inout [AttributeValue], from column: Int) {
    values.withUnsafeMutableBufferPointer { values in
      for index in values.indices { values[index] = value(column + index) }
    }
  }

  /// Binds the value of a column, counted from 0, of another statement's row, unconverted.
  package func bind(
    _ other: borrowing SQLiteStatement, column: Int, at index: Int
  ) throws(StoreError) {
    let value = sqlite3_column_value(other.statement, Int32(column))
    let code = sqlite3_bind_value(statement, Int32(index), value)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The bytes of a text or of binary data in a column, counted from 0; none of a number.
  package func byteCount(_ column: Int) -> Int {
    let type = sqlite3_column_type(statement, Int32(column))
    return type == SQLITE_TEXT || type == SQLITE_BLOB
      ? Int(sqlite3_column_bytes(statement, Int32(column))) : 0
  }

  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
  }

  /// The integer in a column; 0 for other values.
  package func plainInteger(_ column: Int) -> Int64 {
    sqlite3_column_int64(statement, Int32(column))
  }

  package func integer(_ column: Int) -> Int64? {
    let value = sqlite3_column_value(statement, Int32(column))
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  private func failure(_ code: Int32) -> StoreError {
    // An error of the user's own expression says nothing about the store.
    if limit?.budget == .sql, [SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH].contains(code & 0xFF) {
      return .badQuery(String(cString: sqlite3_errmsg(connection)))
    }
    return .ofStatement(code, sql, on: connection, files, stop: meter.takeStop())
  }
}
