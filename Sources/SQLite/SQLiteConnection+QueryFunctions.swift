internal import CSQLite
internal import StrataBase

extension SQLiteConnection {
  /// Counts the work of SQLite's slow functions in a query of a user: one call of `instr` compares two texts at
  /// every position within one step of the virtual machine, and could not be interrupted.
  ///
  /// - Returns: Whether they are counted. While a statement is running, SQLite cannot redefine them.
  func meterSlowFunctions() -> Bool {
    let longest = Int(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1))
    guard let own = try? SQLiteConnection(path: "", mode: .memory, size: longest) else {
      return false
    }
    return SlowFunction.allCases.allSatisfy { function in
      function.argumentCounts.allSatisfy { count in
        let context = Unmanaged.passRetained(CountedFunction(function, of: own, meter)).toOpaque()
        return sqlite3_create_function_v2(
          handle, function.rawValue, count ?? -1,
          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, context,
          { call, count, arguments in
            guard let call, let data = sqlite3_user_data(call) else { return }
            Unmanaged<CountedFunction>.fromOpaque(data).takeUnretainedValue().answer(
              call, (0..<Int(count)).map { arguments?[$0] })
          }, nil, nil,
          { data in
            if let data { Unmanaged<CountedFunction>.fromOpaque(data).release() }
          }) == SQLITE_OK
      }
    }
  }
}

/// A function of SQLite whose calls are counted.
private final class CountedFunction {
  private let function: SlowFunction
  private let own: SQLiteConnection
  private unowned let meter: StatementMeter
  /// The statement that calls SQLite's own function, by argument count.
  private var statements: [Int: OpaquePointer] = [:]

  init(_ function: SlowFunction, of own: SQLiteConnection, _ meter: StatementMeter) {
    self.function = function
    self.own = own
    self.meter = meter
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
  }

  func answer(_ call: OpaquePointer, _ arguments: [OpaquePointer?]) {
    guard meter.count(function.steps(arguments)) else {
      return sqlite3_result_error_code(call, SQLITE_INTERRUPT)
    }
    // Some versions of SQLite crash in `sqlite3_clear_bindings` without a statement.
    guard let statement = statement(arguments.count) else {
      return sqlite3_result_error(call, sqlite3_errmsg(own.handle), -1)
    }
    var code = SQLITE_OK
    for (index, argument) in arguments.enumerated() where code == SQLITE_OK {
      code = sqlite3_bind_value(statement, Int32(index + 1), argument)
    }
    if code == SQLITE_OK { code = sqlite3_step(statement) }
    switch code & 0xFF {
    case SQLITE_ROW: sqlite3_result_value(call, sqlite3_column_value(statement, 0))
    case SQLITE_TOOBIG: sqlite3_result_error_toobig(call)
    default: sqlite3_result_error(call, sqlite3_errmsg(own.handle), -1)
    }
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  /// The statement for a number of arguments; `nil` if SQLite rejects that number.
  private func statement(_ count: Int) -> OpaquePointer? {
    if let known = statements[count] { return known }
    let parameters = Array(repeating: "?", count: count).joined(separator: ", ")
    var statement: OpaquePointer?
    sqlite3_prepare_v2(
      own.handle, "SELECT \(function.rawValue)(\(parameters))", -1, &statement, nil)
    statements[count] = statement
    return statement
  }
}

/// A function of SQLite whose time is not bounded by a step of its virtual machine.
enum SlowFunction: String, CaseIterable {
  case instr, replace, trim, ltrim, rtrim, like, glob
  case format, printf
  case hex, quote, upper, lower, substr, substring

  /// The argument counts with which SQLite defines it and it is slow; `nil` for any.
  fileprivate var argumentCounts: [Int32?] {
    switch self {
    case .instr, .trim, .ltrim, .rtrim, .glob: [2]
    case .replace: [3]
    case .like, .substr, .substring: [2, 3]
    case .format, .printf: [nil]
    case .hex, .quote, .upper, .lower: [1]
    }
  }

  /// The steps of the virtual machine that take as long as any call.
  private static let stepsOfCall = 40

  /// The steps of the virtual machine that a call counts as.
  fileprivate func steps(_ arguments: [OpaquePointer?]) -> Int {
    switch self {
    case .hex, .quote, .upper, .lower, .substr, .substring:
      return Self.stepsOfCall + Self.size(arguments.first ?? nil) / 8
    case .instr, .replace, .trim, .ltrim, .rtrim, .like, .glob:
      let sizes = arguments.prefix(2).map(Self.size)
      let (product, overflows) = sizes[0].multipliedReportingOverflow(by: sizes[1])
      return overflows ? .max : Self.stepsOfCall + product / 8
    case .format, .printf:
      // A width or a precision creates as many characters, in the format or as a value for `*`.
      guard let text = sqlite3_value_text(arguments.first ?? nil) else { return Self.stepsOfCall }
      let format = String(cString: text)
      let widths = format.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }.map {
        Int(String(decoding: $0, as: UTF8.self)) ?? .max
      }
      let values =
        format.utf8.contains(UInt8(ascii: "*"))
        ? arguments.dropFirst().map { Int(clamping: sqlite3_value_int64($0).magnitude) } : []
      let copied = arguments.map(Self.size)
      return (widths + values + copied).reduce(Self.stepsOfCall) { sum, width in
        let (next, overflows) = sum.addingReportingOverflow(width / 2)
        return overflows ? .max : next
      }
    }
  }

  /// The bytes of a text or of binary data; those of a number at most.
  private static func size(_ value: OpaquePointer?) -> Int {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: 0
    case SQLITE_INTEGER, SQLITE_FLOAT: 24
    default: Int(sqlite3_value_bytes(value))
    }
  }
}
