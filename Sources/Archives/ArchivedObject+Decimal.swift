/// A decimal number as `NSDecimalNumber` archives it: up to 38 digits and a power of ten.
///
/// Source: the open-source Foundation, and a compiled model of Xcode.
package struct ArchivedDecimal: Equatable {
  package var isNegative: Bool
  package var mantissa: UInt128
  package var exponent: Int

  /// - Parameter text: Digits with at most one point: `-12.50` has the exponent -2.
  package init?(_ text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = UInt128(parts.joined()), parts.count == 1 || parts[1].utf8.count <= 127,
      digits.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) })
    else { return nil }
    self.mantissa = mantissa
    exponent = parts.count == 1 ? 0 : -parts[1].utf8.count
    isNegative = text.hasPrefix("-") && mantissa > 0
  }

  /// - Returns: `nil` if the object is no number.
  init?(_ object: ArchivedObject) throws(ArchiveError) {
    guard let bytes = try object.plain("NS.mantissa")?.data, bytes.count == 16,
      let exponent = try object.integer("NS.exponent"), (-128...127).contains(exponent),
      let length = try object.integer("NS.length"), (0...8).contains(length)
    else { return nil }
    isNegative = try object.flag("NS.negative")
    // Zero length with a sign is not a number.
    guard length > 0 || !isNegative else { return nil }
    self.exponent = Int(exponent)
    let isBigEndian = try object.integer("NS.mantissa.bo") == 2
    mantissa = (0..<Int(length)).reversed().reduce(0) { number, index in
      let (first, second) = (UInt128(bytes[2 * index]), UInt128(bytes[2 * index + 1]))
      return number << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
    }
  }

  /// The digits, such as `-12.50`.
  package var text: String {
    var digits = String(mantissa)
    if exponent >= 0 {
      digits += mantissa == 0 ? "" : String(repeating: "0", count: exponent)
    } else {
      let zeros = max(0, 1 - exponent - digits.utf8.count)
      digits = String(repeating: "0", count: zeros) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
    }
    return (isNegative ? "-" : "") + digits
  }

  /// The values of the archived object.
  package var archived: [String: PropertyList] {
    let bytes = (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> (8 * UInt128($0))) }
    let length = (8 - mantissa.leadingZeroBitCount / 16)
    return [
      "NS.mantissa": .data(bytes), "NS.negative": .boolean(isNegative),
      "NS.exponent": .integer(Int64(exponent)), "NS.mantissa.bo": .integer(1),
      "NS.length": .integer(Int64(length)), "NS.compact": .boolean(false),
    ]
  }
}

extension ArchivedObject {
  /// Whether it is an `NSDecimalNumber`, of any of its classes.
  package var isDecimal: Bool { className?.hasPrefix("NSDecimalNumber") == true }

  /// The digits of an `NSDecimalNumber`; `nil` if it is not a number.
  package func decimalText() throws(ArchiveError) -> String? { try ArchivedDecimal(self)?.text }
}
