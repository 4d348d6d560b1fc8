/// A decimal number as Core Data's Decimal attributes hold it: 38 digits and a power of ten from -128 to
/// 127.
///
/// ```swift
/// if let tenth = DecimalNumber(0.1), let fifth = DecimalNumber(0.2) {
///   tenth.adding(fifth)?.value  // .real(0.3)
/// }
/// ```
///
/// Results with more than 38 digits are rounded, halves away from zero. An operation whose result is out of range
/// returns `nil`. Foundation's `Decimal` is not used: on Linux it traps on products below its range (1e-75 * 1e-90)
/// and loses most digits where the divisor has 38.
package struct DecimalNumber: Sendable {
  private var isNegative: Bool
  /// Below 10^38, without trailing zeros.
  private var digits: UInt128
  private var exponent: Int

  private static let digitCount = 38
  private static let exponents = -128...127

  /// 10^0 … 10^38.
  private static let powers = (0..<digitCount).reduce(into: [UInt128(1)]) { powers, exponent in
    powers.append(powers[exponent] * 10)
  }

  private static let limit = powers[digitCount]

  package init(_ number: Int64) {
    (isNegative, digits, exponent) = (number < 0, UInt128(number.magnitude), 0)
    stripZeros()
  }

  /// The shortest decimal number that reads as this one; `nil` if it is out of range, infinite or NaN.
  package init?(_ number: Double) {
    let parts = "\(number.magnitude)".split(separator: "e")
    let mantissa = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    let power = parts.count > 1 ? Int(parts[1]) : 0
    guard let power, let digits = UInt128(mantissa.joined()) else { return nil }
    let fractionDigits = mantissa.count > 1 ? mantissa[1].count : 0
    self.init(number < 0, high: 0, low: digits, exponent: power - fractionDigits)
  }

  /// A 256-bit number times a power of ten, rounded.
  private init?(_ isNegative: Bool, high: UInt128, low: UInt128, exponent: Int) {
    self.isNegative = isNegative
    let bits = 256 - (high == 0 ? 128 + low.leadingZeroBitCount : high.leadingZeroBitCount)
    // A number of n bits has at least 0.301 n digits.
    var dropped = max(0, bits * 301 / 1000 - Self.digitCount)
    while true {
      guard dropped <= Self.digitCount else { return nil }
      let divisor = Self.powers[dropped]
      if high < divisor {
        let (quotient, remainder) = divisor.dividingFullWidth((high, low))
        if quotient < Self.limit {
          digits = quotient + (dropped > 0 && remainder >= divisor / 2 ? 1 : 0)
          break
        }
      }
      dropped += 1
    }
    self.exponent = exponent + dropped
    stripZeros()
    guard isInRange else { return nil }
  }

  private mutating func stripZeros() {
    guard digits != 0 else {
      exponent = 0
      return
    }
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
  }

  private var isInRange: Bool {
    let excess = exponent - Self.exponents.upperBound
    guard excess > 0 else { return exponent >= Self.exponents.lowerBound }
    return excess < Self.digitCount && digits < Self.powers[Self.digitCount - excess]
  }

  /// The number with up to so many zeros behind its digits, as far as there is room.
  private func padded(atMost limit: Int = digitCount) -> Self {
    var padded = self
    let room = Self.powers.firstIndex { digits < $0 }.map { Self.digitCount - $0 } ?? 0
    let zeros = min(room, limit)
    padded.digits *= Self.powers[zeros]
    padded.exponent -= zeros
    return padded
  }

  /// An integer if it fits in 64 bits, otherwise the nearest floating-point number.
  package var value: AttributeValue {
    if (0...18).contains(exponent) {
      let (whole, overflow) = digits.multipliedReportingOverflow(by: Self.powers[exponent])
      if !overflow, let signed = Int128(exactly: whole),
        let number = Int64(exactly: isNegative ? -signed : signed)
      {
        return .integer(number)
      }
    }
    return Double("\(isNegative ? "-" : "")\(digits)e\(exponent)").map { .real($0) } ?? .null
  }

  package var isZero: Bool { digits == 0 }

  package func adding(_ other: Self) -> Self? {
    if isZero { return other }
    if other.isZero { return self }
    guard exponent >= other.exponent else { return other.adding(self) }
    let first = padded(atMost: exponent - other.exponent)
    let gap = first.exponent - other.exponent
    var (high, low) = first.digits.multipliedFullWidth(by: Self.powers[min(gap, Self.digitCount)])
    // Beyond 38 digits, the end of the smaller number only decides how the sum is rounded.
    let beyond = gap - Self.digitCount
    let divisor = beyond > 0 ? Self.powers[min(beyond, Self.digitCount)] : 1
    let (quotient, rest) = other.digits.quotientAndRemainder(dividingBy: divisor)
    var isNegative = isNegative
    if isNegative == other.isNegative {
      let (sum, carry) = low.addingReportingOverflow(quotient)
      (high, low) = (high + (carry ? 1 : 0), sum)
    } else {
      let second = quotient + (rest == 0 ? 0 : 1)
      if high == 0, low < second {
        (low, isNegative) = (second - low, !isNegative)
      } else {
        let (difference, borrow) = low.subtractingReportingOverflow(second)
        (high, low) = (high - (borrow ? 1 : 0), difference)
      }
    }
    return Self(
      isNegative, high: high, low: low, exponent: first.exponent - min(gap, Self.digitCount))
  }

  package func subtracting(_ other: Self) -> Self? {
    var negated = other
    negated.isNegative.toggle()
    return adding(negated)
  }

  package func multiplied(by other: Self) -> Self? {
    let (high, low) = digits.multipliedFullWidth(by: other.digits)
    return Self(
      isNegative != other.isNegative, high: high, low: low, exponent: exponent + other.exponent)
  }

  /// - Precondition: The other is not zero.
  package func divided(by other: Self) -> Self? {
    guard !isZero else { return self }
    let (first, second) = (padded(), other.padded())
    let isNegative = isNegative != other.isNegative
    let exponent = first.exponent - second.exponent - Self.digitCount
    let (whole, rest) = first.digits.quotientAndRemainder(dividingBy: second.digits)
    let (fraction, remainder) = second.digits.dividingFullWidth(
      rest.multipliedFullWidth(by: Self.limit))
    if whole == 0 {
      // 38 digits: the remainder decides how the last is rounded.
      let isUp = remainder >= second.digits - remainder
      return Self(isNegative, high: 0, low: fraction + (isUp ? 1 : 0), exponent: exponent)
    }
    let (high, low) = whole.multipliedFullWidth(by: Self.limit)
    let (sum, carry) = low.addingReportingOverflow(fraction)
    return Self(isNegative, high: high + (carry ? 1 : 0), low: sum, exponent: exponent)
  }
}
