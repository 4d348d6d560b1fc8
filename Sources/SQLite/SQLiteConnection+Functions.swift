internal import CSQLite
package import StrataBase

extension SQLiteConnection {
  /// Defines a deterministic SQL function in Swift.
  ///
  /// An error that it throws ends the statement with its message.
  ///
  /// It takes any number of arguments, and views and triggers of the file cannot call it.
  package func addFunction(
    _ name: String, _ body: @escaping ([AttributeValue]) throws -> AttributeValue
  ) {
    let context = Unmanaged.passRetained(FunctionBody(body)).toOpaque()
    sqlite3_create_function_v2(
      handle, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, context,
      { call, count, arguments in
        guard let call, let data = sqlite3_user_data(call) else { return }
        let function = Unmanaged<FunctionBody>.fromOpaque(data).takeUnretainedValue()
        do {
          var values: [AttributeValue] = []
          values.reserveCapacity(Int(count))
          for index in 0..<Int(count) { values.append(AttributeValue(arguments?[index])) }
          try function.body(values).give(to: call)
        } catch {
          let message = "\(error)"
          sqlite3_result_error(call, message, Int32(message.utf8.count))
        }
      }, nil, nil,
      { data in
        if let data { Unmanaged<FunctionBody>.fromOpaque(data).release() }
      })
  }
}

/// The Swift function that SQLite holds.
private final class FunctionBody {
  let body: ([AttributeValue]) throws -> AttributeValue

  init(_ body: @escaping ([AttributeValue]) throws -> AttributeValue) { self.body = body }
}

extension AttributeValue {
  fileprivate init(_ value: OpaquePointer?) {
    guard let value else {
      self = .null
      return
    }
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let text = sqlite3_value_text(value)
      let count = Int(sqlite3_value_bytes(value))
      self = .text(
        String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_value_blob(value)
      let count = Int(sqlite3_value_bytes(value))
      self = .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    default: self = .null
    }
  }

  fileprivate func give(to call: OpaquePointer) {
    switch self {
    case .null: sqlite3_result_null(call)
    case .integer(let number): sqlite3_result_int64(call, number)
    case .real(let number): sqlite3_result_double(call, number)
    case .text(var text):
      text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          strata_sqlite3_result_text(call, $0.baseAddress, UInt64($0.count))
        }
      }
    case .bytes(let bytes):
      bytes.withUnsafeBytes {
        strata_sqlite3_result_blob(call, $0.baseAddress, UInt64($0.count))
      }
    }
  }
}
