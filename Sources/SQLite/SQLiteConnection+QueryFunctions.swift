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
        addFunction(function.rawValue, argumentCount: count, isInnocuous: true) {
          [meter] arguments in
          guard meter.count(function.steps(arguments)) else { throw StatementStopped() }
          return try own.answer(of: function, arguments)
        }
      }
    }
  }

  /// The result of SQLite's own function.
  private func answer(
    of function: SlowFunction, _ arguments: [AttributeValue]
  ) throws -> AttributeValue {
    let parameters = Array(repeating: "?", count: arguments.count).joined(separator: ", ")
    do throws(StoreError) {
      return try rows("SELECT \(function.rawValue)(\(parameters))", arguments).first?.first ?? .null
    } catch {
      guard case .sqlite(_, let message, _) = error else { throw error }
      throw SQLiteMessage(description: message)
    }
  }
}

/// The message of SQLite, without the statement.
private struct SQLiteMessage: Error, CustomStringConvertible {
  let description: String
}

/// A function of SQLite whose time is not bounded by the size of its arguments.
enum SlowFunction: String, CaseIterable {
  case instr, replace, trim, ltrim, rtrim, like, glob
  case format, printf

  /// The argument counts with which SQLite defines it and it is slow; `nil` for any.
  fileprivate var argumentCounts: [Int32?] {
    switch self {
    case .instr, .trim, .ltrim, .rtrim, .glob: [2]
    case .replace: [3]
    case .like: [2, 3]
    case .format, .printf: [nil]
    }
  }

  /// The steps of the virtual machine that a call counts as.
  fileprivate func steps(_ arguments: [AttributeValue]) -> Int {
    switch self {
    case .instr, .replace, .trim, .ltrim, .rtrim, .like, .glob:
      let sizes = arguments.prefix(2).map(\.size)
      guard sizes.count == 2 else { return sizes.reduce(0, +) / 8 }
      let (product, overflows) = sizes[0].multipliedReportingOverflow(by: sizes[1])
      return overflows ? .max : product / 8
    case .format, .printf:
      // A width or a precision creates as many characters, in the format or as a value for `*`.
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

  /// The width that it is as an argument of a format.
  fileprivate var width: Int {
    switch self {
    case .integer(let number): Int(clamping: number.magnitude)
    case .real(let number): Int(exactly: number.magnitude.rounded()) ?? .max
    case .text(let text): Int(text) ?? 0
    case .bytes, .null: 0
    }
  }
}
