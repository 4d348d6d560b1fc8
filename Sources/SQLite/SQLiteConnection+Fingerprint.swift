internal import CSQLite

extension SQLiteConnection {
  /// Defines the SQL function `fingerprint(value, …)`: a 32-bit hash of values in order, equal for values that
  /// compare equal. A sum of two billion hashes fits in 64 bits.
  package func addFingerprint() {
    sqlite3_create_function_v2(
      handle, "fingerprint", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { call, count, arguments in
        var print: UInt64 = 0
        for index in 0..<Int(count) {
          print =
            (print ^ SQLiteConnection.fingerprint(of: arguments?[index])) &* 0x9E37_79B9_7F4A_7C15
          print ^= print >> 29
        }
        sqlite3_result_int64(call, Int64(print >> 32))
      }, nil, nil, nil)
  }

  /// 0 for NULL.
  private static func fingerprint(of value: OpaquePointer?) -> UInt64 {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return 0
    case SQLITE_INTEGER: return fingerprint(bits: sqlite3_value_int64(value))
    case SQLITE_FLOAT:
      let number = sqlite3_value_double(value)
      return fingerprint(bits: Int64(exactly: number) ?? Int64(bitPattern: number.bitPattern))
    default:
      // A text is hashed by its UTF-8 bytes.
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
      var print = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15 ^ 0x51
      var offset = 0
      while offset + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        print = (print ^ word) &* 0x2545_F491_4F6C_DD1D
        print ^= print >> 32
        offset += 8
      }
      for byte in bytes[offset...] { print = (print ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      return print ^ (print >> 29) | 1
    }
  }

  private static func fingerprint(bits: Int64) -> UInt64 {
    var print = UInt64(bitPattern: bits) &+ 0x9E37_79B9_7F4A_7C15
    print = (print ^ (print >> 30)) &* 0xBF58_476D_1CE4_E5B9
    print = (print ^ (print >> 27)) &* 0x94D0_49BB_1331_11EB
    return (print ^ (print >> 31)) | 1
  }
}
