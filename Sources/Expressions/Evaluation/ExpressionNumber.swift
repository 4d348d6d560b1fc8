internal import StrataBase
internal import StrataEssentials

/// A number like NSNumber: an integer as long as possible.
enum ExpressionNumber {
  case integer(Int64)
  case real(Double)

  init?(_ value: ExpressionValue) {
    switch value {
    case .value(.integer(let number)): self = .integer(number)
    case .value(.real(let number)): self = .real(number)
    default: return nil
    }
  }

  var real: Double {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    }
  }

  var value: ExpressionValue {
    switch self {
    case .integer(let number): .value(.integer(number))
    // SQLite does not store such values either.
    case .real(let number): number.isNaN ? .null : .value(.real(number))
    }
  }

  /// An integer if both operands are.
  ///
  /// - Throws: ``ExpressionError/Problem/integerOverflow(_:)`` if the result of integers does not fit in 64 bits.
  private static func combine(
    _ a: Self, _ b: Self, _ operation: String,
    whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    real: (Double, Double) -> Double
  ) throws(ExpressionError) -> Self {
    guard case .integer(let first) = a, case .integer(let second) = b else {
      return .real(real(a.real, b.real))
    }
    let (result, overflow) = whole(first, second)
    guard !overflow else { throw ExpressionError(.integerOverflow(operation)) }
    return .integer(result)
  }

  /// - Parameter operation: The name of the addition in messages.
  static func sum(_ a: Self, _ b: Self, _ operation: String = "+") throws(ExpressionError) -> Self {
    try combine(a, b, operation, whole: { $0.addingReportingOverflow($1) }, real: +)
  }

  static func - (a: Self, b: Self) throws(ExpressionError) -> Self {
    try combine(a, b, "-", whole: { $0.subtractingReportingOverflow($1) }, real: -)
  }

  static func * (a: Self, b: Self) throws(ExpressionError) -> Self {
    try combine(a, b, "*", whole: { $0.multipliedReportingOverflow(by: $1) }, real: *)
  }

  /// Integer division truncates toward zero. `nil` for a division by zero.
  static func / (a: Self, b: Self) throws(ExpressionError) -> Self? {
    guard b.real != 0 else { return nil }
    return try combine(a, b, "/", whole: { $0.dividedReportingOverflow(by: $1) }, real: /)
  }

  static func % (a: Self, b: Self) throws(ExpressionError) -> Self? {
    guard b.real != 0 else { return nil }
    return try combine(
      a, b, "modulus:by:",
      // The quotient of the smallest integer and -1 overflows, its remainder does not.
      whole: { $1 == -1 ? (0, false) : $0.remainderReportingOverflow(dividingBy: $1) },
      real: { $0.truncatingRemainder(dividingBy: $1) })
  }

  /// An integer if both operands and the result are.
  static func power(_ a: Self, _ b: Self) throws(ExpressionError) -> Self {
    guard case .integer(let base) = a, case .integer(var exponent) = b else {
      return .real(pow(a.real, b.real))
    }
    guard exponent >= 0 else {
      let power = pow(a.real, b.real)
      return Int64(exactly: power).map { .integer($0) } ?? .real(power)
    }
    // By repeated squaring: a * a^2 * a^4 …
    var result: Int64 = 1
    var square: (partialValue: Int64, overflow: Bool) = (base, false)
    while exponent > 0 {
      if exponent & 1 == 1 {
        let (product, overflow) = result.multipliedReportingOverflow(by: square.partialValue)
        guard !overflow, !square.overflow else { throw ExpressionError(.integerOverflow("**")) }
        result = product
      }
      exponent >>= 1
      let (next, overflow) = square.partialValue.multipliedReportingOverflow(
        by: square.partialValue)
      square = (next, overflow || square.overflow)
    }
    return .integer(result)
  }

  static func absolute(_ number: Self) throws(ExpressionError) -> Self {
    switch number {
    case .integer(.min): throw ExpressionError(.integerOverflow("abs:"))
    case .integer(let whole): .integer(abs(whole))
    case .real(let real): .real(abs(real))
    }
  }

  /// The number truncated to an integer.
  ///
  /// - Throws: ``ExpressionError/Problem/integerOverflow(_:)`` if it does not fit in 64 bits.
  func whole(for operation: String) throws(ExpressionError) -> Int64 {
    switch self {
    case .integer(let whole): return whole
    case .real(let real):
      guard let whole = Int64(exactly: real.rounded(.towardZero)) else {
        throw ExpressionError(.integerOverflow(operation))
      }
      return whole
    }
  }

  /// Integers and reals are compared exactly, without converting the integer to a real.
  static func isAscending(_ a: Self, _ b: Self) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)): a < b
    case (.integer(let a), .real(let b)): a.isLess(than: b)
    case (.real(let a), .integer(let b)): b.isGreater(than: a)
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
      Int64(exactly: real) == whole
    }
  }
}
