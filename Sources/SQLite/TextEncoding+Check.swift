internal import CSQLite
internal import StrataBase

extension TextEncoding {
  /// The SQL function that a connection has after ``SQLiteConnection/registerTextCheck()``: whether a blob is a text
  /// in the encoding of the database.
  package static let checkFunction = "strata_is_text"

  fileprivate func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard self != .utf8 else { return String(validating: bytes, as: UTF8.self) != nil }
    guard bytes.count.isMultiple(of: 2) else { return false }
    let (low, high) = self == .utf16LittleEndian ? (0, 1) : (1, 0)
    let units = stride(from: 0, to: bytes.count, by: 2).lazy.map {
      UInt16(bytes[$0 + low]) | UInt16(bytes[$0 + high]) << 8
    }
    return String(validating: units, as: UTF16.self) != nil
  }
}

extension SQLiteConnection {
  /// Defines ``TextEncoding/checkFunction``.
  ///
  /// - Returns: The encoding of the database.
  package func registerTextCheck() throws(StoreError) -> TextEncoding {
    var encoding = TextEncoding.utf8
    if case .text(let name)? = try rows("PRAGMA encoding").first?.first {
      encoding = TextEncoding(rawValue: name) ?? .utf8
    }
    // Each entity is validated by itself; to define the function again would compile all statements anew.
    let (isNew, _) = guardState.pointee.functions.insert(TextEncoding.checkFunction)
    guard isNew else { return encoding }
    let context = Unmanaged.passRetained(CheckedEncoding(encoding)).toOpaque()
    sqlite3_create_function_v2(
      handle, TextEncoding.checkFunction, 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, context,
      { call, _, arguments in
        guard let call, let data = sqlite3_user_data(call), let value = arguments?[0] else {
          return
        }
        let bytes = UnsafeRawBufferPointer(
          start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
        let encoding = Unmanaged<CheckedEncoding>.fromOpaque(data).takeUnretainedValue().encoding
        sqlite3_result_int(call, encoding.isText(bytes) ? 1 : 0)
      }, nil, nil,
      { data in
        if let data { Unmanaged<CheckedEncoding>.fromOpaque(data).release() }
      })
    return encoding
  }
}

/// The encoding that SQLite holds for the function.
private final class CheckedEncoding {
  let encoding: TextEncoding

  init(_ encoding: TextEncoding) { self.encoding = encoding }
}
