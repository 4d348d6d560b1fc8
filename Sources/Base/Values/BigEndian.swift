extension Collection<UInt8> {
  /// The unsigned integer that these bytes are, the highest first; of more than eight bytes the last eight count.
  ///
  /// ```swift
  /// [UInt8]([0x01, 0x00]).bigEndianNumber  // 256
  /// ```
  package var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
