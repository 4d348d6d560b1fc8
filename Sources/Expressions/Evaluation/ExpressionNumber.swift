internal import StrataValues

/// A number as NSNumber has it: whole as long as it can be.
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
    // SQLite has no such values either.
    case .real(let number): number.isNaN ? .null : .value(.real(number))
    }
  }

  /// Whole where both are and the result is; beyond 64 bits, a real number.
  static func combine(
    _ a: Self, _ b: Self, whole: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
    real: (Double, Double) -> Double
  ) -> Self {
    if case .integer(let first) = a, case .integer(let second) = b {
      let (result, overflow) = whole(first, second)
      if !overflow { return .integer(result) }
    }
    return .real(real(a.real, b.real))
  }

  static func + (a: Self, b: Self) -> Self {
    combine(a, b, whole: { $0.addingReportingOverflow($1) }, real: +)
  }

  static func - (a: Self, b: Self) -> Self {
    combine(a, b, whole: { $0.subtractingReportingOverflow($1) }, real: -)
  }

  static func * (a: Self, b: Self) -> Self {
    combine(a, b, whole: { $0.multipliedReportingOverflow(by: $1) }, real: *)
  }

  /// Whole numbers divide without a rest, towards zero. `nil` for a division by zero.
  static func / (a: Self, b: Self) -> Self? {
    guard b.real != 0 else { return nil }
    return combine(a, b, whole: { $0.dividedReportingOverflow(by: $1) }, real: /)
  }

  static func % (a: Self, b: Self) -> Self? {
    guard b.real != 0 else { return nil }
    return combine(
      a, b, whole: { $0.remainderReportingOverflow(dividingBy: $1) },
      real: { $0.truncatingRemainder(dividingBy: $1) })
  }

  /// Whole numbers and reals are compared as they are, not by what a real can hold of a whole number.
  static func isAscending(_ a: Self, _ b: Self) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)): a < b
    case (.integer(let a), .real(let b)): order(a, b) < 0
    case (.real(let a), .integer(let b)): order(b, a) > 0
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
      order(whole, real) == 0
    }
  }

  /// Negative where the whole number is the smaller, 0 where both are equal.
  private static func order(_ whole: Int64, _ real: Double) -> Int {
    guard real < 0x1p63 else { return -1 }
    guard real >= -0x1p63 else { return 1 }
    let floor = real.rounded(.down)
    let below = Int64(floor)
    if whole != below { return whole < below ? -1 : 1 }
    return real > floor ? -1 : 0
  }
}
