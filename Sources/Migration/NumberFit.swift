internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite

/// Which numbers an attribute type has room for: what has none is lost, and never written as it is.
///
/// Whole types lose fractions, toward zero. A Boolean is whether a number is not 0.
enum NumberFit {
  case fits
  /// The fraction is lost.
  case truncated
  /// The last digits are lost.
  case rounded
  /// The whole number is lost.
  case outside

  func loss(in type: AttributeType) -> LossRule? {
    switch self {
    case .fits: nil
    case .truncated: .truncated(to: type)
    case .rounded: .rounded(to: type)
    case .outside: .outOfRange(type)
    }
  }
}

extension AttributeType {
  /// The largest magnitude of a fractional type; Decimal has 38 digits and exponents up to 127.
  fileprivate var largest: Double? {
    switch self {
    case .float: Double(Float.greatestFiniteMagnitude)
    case .double: .greatestFiniteMagnitude
    case .decimal: 3.4028236692093846e165
    default: nil
    }
  }

  /// Whether it holds as many digits as a double.
  private var isBinary: Bool { self == .double || self == .float }

  /// How a number fits; what is no number always does.
  func fit(of value: AttributeValue) -> NumberFit {
    switch value {
    case .integer, .real:
      guard self != .boolean else { return value.isZeroOrOne ? .fits : .outside }
      return fitOfNumber(value)
    default: return .fits
    }
  }

  private func fitOfNumber(_ value: AttributeValue) -> NumberFit {
    switch value {
    case .integer(let number):
      guard let range = wholeNumbers else {
        return isBinary && Int64(exactly: Double(number)) != number ? .rounded : .fits
      }
      return range.contains(number) ? .fits : .outside
    case .real(let number):
      if let largest { return abs(number) <= largest ? .fits : .outside }
      guard let range = wholeNumbers else { return .fits }
      guard let whole = Int64(exactly: number.rounded(.towardZero)), range.contains(whole) else {
        return .outside
      }
      return number == number.rounded() ? .fits : .truncated
    default: return .fits
    }
  }

  /// The condition that a number, in SQL, has room.
  private func hasRoom(_ sql: String) -> String? {
    if let largest { return "\(sql) BETWEEN -\(largest) AND \(largest)" }
    switch self {
    case .boolean: return "\(sql) IN (0, 1)"
    // 2 to the power of 63 is no integer to SQLite.
    case .integer64: return "\(sql) >= \(Int64.min) AND \(sql) < 9223372036854775808.0"
    case .integer16, .integer32:
      return wholeNumbers.map {
        "\(sql) > \($0.lowerBound - 1) AND \(sql) < \($0.upperBound + 1)"
      }
    default: return nil
    }
  }

  /// The conditions, in SQL, under which a number that is given to this type loses something.
  func losses(of sql: String) -> [(kind: LossRule, condition: String)] {
    guard let hasRoom = hasRoom(sql) else { return [] }
    let outside = (LossRule.outOfRange(self), "\(sql) IS NOT NULL AND NOT (\(hasRoom))")
    if isWhole {
      return [(.truncated(to: self), "\(hasRoom) AND \(sql) <> CAST(\(sql) AS INTEGER)"), outside]
    }
    // SQLite compares an integer with a double exactly.
    return isBinary
      ? [(.rounded(to: self), "\(hasRoom) AND \(sql) <> CAST(\(sql) AS REAL)"), outside]
      : [outside]
  }

  /// SQL for a number as this type stores it; `NULL` where it has no room.
  func stored(_ sql: String) -> String {
    guard self != .boolean else { return "\(sql) <> 0" }
    guard let hasRoom = hasRoom(sql) else { return sql }
    let value =
      isWhole ? "CAST(\(sql) AS INTEGER)" : self == .decimal ? sql : "CAST(\(sql) AS REAL)"
    return "CASE WHEN \(hasRoom) THEN \(value) END"
  }
}

extension AttributeValue {
  /// A number as a number type stores it; nothing where the type has no room for it.
  func converted(to type: AttributeType) -> AttributeValue {
    guard type != .boolean else { return isNumber ? .integer(isZero ? 0 : 1) : self }
    guard type.fit(of: self) != .outside else { return .null }
    switch (self, type) {
    case (.real(let number), _) where type.isWhole:
      return Int64(exactly: number.rounded(.towardZero)).map { .integer($0) } ?? .null
    case (.integer(let number), .double), (.integer(let number), .float):
      return .real(Double(number))
    default: return self
    }
  }

  private var isNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }

  fileprivate var isZero: Bool { self == .integer(0) || self == .real(0) }
  fileprivate var isZeroOrOne: Bool { isZero || self == .integer(1) || self == .real(1) }
}
