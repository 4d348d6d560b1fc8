internal import CSQLite
package import StrataBase

extension SQLiteConnection {
  /// Runs a query of the user, and passes its rows to `body` until it returns `false`.
  ///
  /// It must be a single read-only statement, and may only call functions of SQLite's core.
  ///
  /// A step of the virtual machine copies or compares whole values, so that long ones count as more steps. Their
  /// lengths are limited; only a query that exceeds the limit starts again with a higher one, and continues after
  /// the last row that it has passed. The budget then also grows with the file, which may have stored them.
  ///
  /// - Returns: The names of the columns.
  /// - Throws: ``StoreError/notOneQuery``, ``StoreError/badQuery(_:)``, and errors of reading.
  @discardableResult
  package func query(
    _ sql: String, _ body: ([AttributeValue]) -> Bool
  ) throws(StoreError) -> [String] {
    let statement = try prepareQuery(sql)
    let longest = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1)
    var length = Self.lengthOfStep
    defer {
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longest)
      boundWork()
    }
    var passed = 0
    repeat {
      let weight = Int(length / Self.lengthOfStep)
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, length)
      boundWork(weight: weight)
      var index = 0
      do throws(StoreError) {
        while try statement.step() {
          index += 1
          guard index > passed else { continue }
          passed = index
          guard body(statement.row) else { break }
        }
        break
      } catch {
        guard sqlite3_errcode(handle) == SQLITE_TOOBIG, length < longest else { throw error }
        statement.reset()
        length = length > longest / 4 ? longest : length * 4
        // Reading each value of the file once is not limited.
        let size = if let size = meter.limit.size { size } else { try size() }
        meter.grant(Int(length / Self.lengthOfStep) * (min(size, 1 << 40) / 20))
      }
    } while true
    return statement.columnNames
  }

  /// Whether a table is in no file but the attached one, which is not part of the store.
  private func isOnlyAttached(_ table: String) -> Bool {
    func isTable(of name: String) -> Bool {
      sqlite3_table_column_metadata(handle, name, table, nil, nil, nil, nil, nil, nil) == SQLITE_OK
    }
    return isTable(of: Self.attachedName) && !isTable(of: "main") && !isTable(of: "temp")
  }

  /// The bytes that one step copies or compares in its usual time.
  private static let lengthOfStep: Int32 = 250

  /// Prepares a query that a user has typed: one statement that reads.
  ///
  /// - Throws: ``StoreError/notOneQuery``, and errors of SQLite.
  private func prepareQuery(_ sql: String) throws(StoreError) -> SQLiteStatement {
    metersSlowFunctions = metersSlowFunctions || meterSlowFunctions()
    // Changing the authorizer would expire every prepared statement.
    guardState.pointee.functions =
      metersSlowFunctions
      ? Self.queryFunctions
      : Self.queryFunctions.subtracting(SlowFunction.allCases.map(\.rawValue))
    if !isReadOnly { sqlite3_set_authorizer(handle, Self.allowReading, guardState) }
    (guardState.pointee.attachedTables, guardState.pointee.countedTables) = ([], [])
    defer {
      guardState.pointee.functions = Self.harmlessFunctions
      if !isReadOnly { sqlite3_set_authorizer(handle, nil, nil) }
    }
    var statement: OpaquePointer?
    var isWhole = false
    let code = sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, text, -1, &statement, &rest)
      guard code == SQLITE_OK else { return code }
      // Only white space and comments may follow.
      var second: OpaquePointer?
      isWhole = sqlite3_prepare_v2(handle, rest, -1, &second, nil) == SQLITE_OK && second == nil
      sqlite3_finalize(second)
      return code
    }
    guard code == SQLITE_OK else { throw .badQuery(String(cString: sqlite3_errmsg(handle))) }
    guard let statement else { throw .notOneQuery }
    guard isWhole, sqlite3_stmt_readonly(statement) != 0 else {
      sqlite3_finalize(statement)
      throw .notOneQuery
    }
    let attached = guardState.pointee.attachedTables.union(
      guardState.pointee.countedTables.filter(isOnlyAttached))
    if let table = attached.min() {
      sqlite3_finalize(statement)
      throw .badQuery("no such table: \(table)")
    }
    return SQLiteStatement(
      statement: statement, connection: handle, sql: sql, listener, meter, files,
      limit: StatementMeter.Limit(budget: .sql))
  }
}
