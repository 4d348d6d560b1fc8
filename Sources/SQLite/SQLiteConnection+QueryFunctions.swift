internal import CSQLite
internal import StrataBase

extension SQLiteConnection {
  /// Counts what SQLite's slow functions do in a query that a user has written: between two steps of its virtual
  /// machine, one call of `instr` compares two texts at every place, and nothing could stop it.
  ///
  /// - Returns: Whether they are counted. Where a statement is running already, SQLite lets nobody define them.
  func meterSlowFunctions() -> Bool {
    let longest = Int(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, -1))
    guard let own = try? SQLiteConnection(path: "", mode: .memory, size: longest) else {
      return false
    }
    for function in SlowFunction.allCases {
      for count in function.argumentCounts {
        let body = Unmanaged.passRetained(MeteredFunction(function, own, meter)).toOpaque()
        let code = sqlite3_create_function_v2(
          handle, function.rawValue, count,
          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, body,
          { call, count, arguments in
            guard let call, let data = sqlite3_user_data(call) else { return }
            let metered = Unmanaged<MeteredFunction>.fromOpaque(data).takeUnretainedValue()
            metered.run(call, (0..<Int(count)).map { AttributeValue(arguments?[$0]) })
          }, nil, nil,
          { data in
            if let data { Unmanaged<MeteredFunction>.fromOpaque(data).release() }
          })
        guard code == SQLITE_OK else { return false }
      }
    }
    return true
  }
}

/// A function of SQLite whose time is not bounded by the size of what it is given.
enum SlowFunction: String, CaseIterable {
  case instr, replace, trim, ltrim, rtrim, like, glob
  case format, printf

  /// The numbers of arguments with which SQLite has defined it and it is slow; -1 for any.
  fileprivate var argumentCounts: [Int32] {
    switch self {
    case .instr, .trim, .ltrim, .rtrim, .glob: [2]
    case .replace: [3]
    case .like: [2, 3]
    case .format, .printf: [-1]
    }
  }

  /// Steps of the virtual machine that take as long as a call.
  fileprivate func steps(_ arguments: [AttributeValue]) -> Int {
    switch self {
    case .instr, .replace, .trim, .ltrim, .rtrim, .like, .glob:
      let sizes = arguments.prefix(2).map(\.size)
      guard sizes.count == 2 else { return sizes.reduce(0, +) / 8 }
      let (product, overflows) = sizes[0].multipliedReportingOverflow(by: sizes[1])
      return overflows ? .max : product / 8
    case .format, .printf:
      // A width or a precision is as many characters, in the format or as a value for `*`.
      guard case .text(let format)? = arguments.first else { return 0 }
      let widths = format.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }.map {
        Int(String(decoding: $0, as: UTF8.self)) ?? .max
      }
      let values = format.utf8.contains(UInt8(ascii: "*")) ? arguments.dropFirst().map(\.width) : []
      return (widths + values).reduce(0) { sum, width in
        let (next, overflows) = sum.addingReportingOverflow(width / 2)
        return overflows ? .max : next
      }
    }
  }
}

extension AttributeValue {
  /// Bytes of its text.
  fileprivate var size: Int {
    switch self {
    case .null: 0
    case .integer, .real: 24
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// The width that it stands for in a format.
  fileprivate var width: Int {
    switch self {
    case .integer(let number): Int(clamping: number.magnitude)
    case .real(let number): Int(exactly: number.magnitude.rounded()) ?? .max
    case .text(let text): Int(text) ?? 0
    case .bytes, .null: 0
    }
  }
}

/// Calls SQLite's own function on a connection of its own, after its work is counted.
private final class MeteredFunction {
  private let function: SlowFunction
  private let own: SQLiteConnection
  private let meter: StatementMeter

  init(_ function: SlowFunction, _ own: SQLiteConnection, _ meter: StatementMeter) {
    (self.function, self.own, self.meter) = (function, own, meter)
  }

  func run(_ call: OpaquePointer, _ arguments: [AttributeValue]) {
    guard meter.count(function.steps(arguments)) else {
      // As the progress handler ends a statement.
      sqlite3_result_error_code(call, SQLITE_INTERRUPT)
      return
    }
    do throws(StoreError) {
      let places = Array(repeating: "?", count: arguments.count).joined(separator: ", ")
      let rows = try own.rows("SELECT \(function.rawValue)(\(places))", arguments)
      (rows.first?.first ?? .null).give(to: call)
    } catch {
      let words =
        if case .sqlite(_, let message, _) = error { message } else { "\(error)" }
      sqlite3_result_error(call, words, Int32(clamping: words.utf8.count))
    }
  }
}
