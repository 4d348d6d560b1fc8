extension Collection<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
  package var hex: String {
    func digit(_ value: UInt8) -> UInt8 {
      value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
    return String(unsafeUninitializedCapacity: 2 * count) { text in
      for (index, byte) in enumerated() {
        text[2 * index] = digit(byte >> 4)
        text[2 * index + 1] = digit(byte & 15)
      }
      return 2 * count
    }
  }
}
