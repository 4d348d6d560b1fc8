extension Collection<UInt8> {
  /// The unsigned big-endian integer of these bytes; of more than eight bytes, only the last eight count.
  ///
  /// ```swift
  /// [UInt8]([0x01, 0x00]).bigEndianNumber  // 256
  /// ```
  package var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
