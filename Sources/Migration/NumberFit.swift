package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite

/// How a number fits an attribute type; numbers out of range are lost and never written.
///
/// Integer types truncate fractions toward zero. A Boolean is true for numbers other than 0.
enum NumberFit {
  case fits
  /// The fraction is lost.
  case truncated
  /// The number is rounded.
  case rounded
  /// The number is out of range and lost.
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

  /// Whether it has the precision of a double.
  private var isBinary: Bool { self == .double || self == .float }

  /// Whether a value is stored as it is; values that are not numbers always are.
  package func keeps(_ value: AttributeValue) -> Bool { fit(of: value) == .fits }

  /// How a value fits; values that are not numbers always fit.
  func fit(of value: AttributeValue) -> NumberFit {
    switch value {
    case .integer(let number):
      guard let range = wholeNumbers else {
        return isBinary && Int64(exactly: Double(number)) != number ? .rounded : .fits
      }
      return range.contains(number) ? .fits : .outside
    case .real(let number):
      if self == .boolean { return number == 0 || number == 1 ? .fits : .outside }
      if let largest { return abs(number) <= largest ? .fits : .outside }
      guard let range = wholeNumbers else { return .fits }
      guard let whole = Int64(exactly: number.rounded(.towardZero)), range.contains(whole) else {
        return .outside
      }
      return number == number.rounded() ? .fits : .truncated
    default: return .fits
    }
  }

  /// The SQL condition that a number is in range.
  private func hasRoom(_ sql: String) -> String? {
    if let largest { return "\(sql) BETWEEN -\(largest) AND \(largest)" }
    switch self {
    case .boolean: return "\(sql) IN (0, 1)"
    // SQLite cannot represent 2 to the power of 63 as an integer.
    case .integer64: return "\(sql) >= \(Int64.min) AND \(sql) < 9223372036854775808.0"
    case .integer16, .integer32:
      return wholeNumbers.map {
        "\(sql) > \($0.lowerBound - 1) AND \(sql) < \($0.upperBound + 1)"
      }
    default: return nil
    }
  }

  /// The SQL conditions under which a number loses data when converted to this type.
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

  /// SQL for the stored form of a number in this type; `NULL` if it is out of range.
  func stored(_ sql: String) -> String {
    guard self != .boolean else { return "\(sql) <> 0" }
    guard let hasRoom = hasRoom(sql) else { return sql }
    let value =
      isWhole ? "CAST(\(sql) AS INTEGER)" : self == .decimal ? sql : "CAST(\(sql) AS REAL)"
    return "CASE WHEN \(hasRoom) THEN \(value) END"
  }
}

extension AttributeValue {
  /// The stored form of a number in a number type; null if it is out of range.
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
}
