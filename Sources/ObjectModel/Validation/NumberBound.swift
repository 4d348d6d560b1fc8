internal import StrataBase

/// The least or the largest number of an attribute; whole numbers are exact, also beyond those that a Double has.
///
/// ```swift
/// NumberBound("9007199254740993")?.text  // "9007199254740993"
/// ```
package enum NumberBound: Sendable, Hashable {
  case whole(Int64)
  /// Not a whole number, or one outside of 64 bits.
  case real(Double)

  /// - Returns: `nil` if the text is not a finite number.
  package init?(_ text: String) {
    if let whole = Int64(text) {
      self = .whole(whole)
    } else if let number = Double(text), number.isFinite {
      self = Int64(exactly: number).map { .whole($0) } ?? .real(number)
    } else {
      return nil
    }
  }

  /// The nearest Double.
  package var real: Double {
    switch self {
    case .whole(let whole): Double(whole)
    case .real(let number): number
    }
  }

  /// The least whole number that is not below it; `nil` outside of 64 bits.
  package var roundedUp: Int64? {
    switch self {
    case .whole(let whole): whole
    case .real(let number): Int64(exactly: number.rounded(.up))
    }
  }

  /// The largest whole number that is not above it; `nil` outside of 64 bits.
  package var roundedDown: Int64? {
    switch self {
    case .whole(let whole): whole
    case .real(let number): Int64(exactly: number.rounded(.down))
    }
  }

  var value: AttributeValue {
    switch self {
    case .whole(let whole): .integer(whole)
    case .real(let number): .real(number)
    }
  }

  /// As a literal of SQLite and of predicates.
  package var text: String {
    switch self {
    case .whole(let whole): String(whole)
    case .real(let number): String(number)
    }
  }

  /// Whether a value is a number below it.
  func isAbove(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (.whole(let bound), .integer(let number)): number < bound
    case (.whole(let bound), .real(let number)): bound.isGreater(than: number)
    case (.real(let bound), .integer(let number)): number.isLess(than: bound)
    case (.real(let bound), .real(let number)): number < bound
    default: false
    }
  }

  /// Whether a value is a number above it.
  func isBelow(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (.whole(let bound), .integer(let number)): number > bound
    case (.whole(let bound), .real(let number)): bound.isLess(than: number)
    case (.real(let bound), .integer(let number)): number.isGreater(than: bound)
    case (.real(let bound), .real(let number)): number > bound
    default: false
    }
  }
}
