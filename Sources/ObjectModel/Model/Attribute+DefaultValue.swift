package import StrataBase

extension Attribute {
  /// Whether new objects get a value: a text that is no value of the type, such as any of a UUID, is no default.
  package var hasDefault: Bool { storedDefault != .null }

  /// The default value in its stored form; ``AttributeValue/null`` if there is none or its text is not a valid
  /// value of the type.
  ///
  /// Old models write `NO` on an integer and `0` on a Boolean: both are read.
  ///
  /// ```swift
  /// Attribute(name: "timeBudget", type: .integer32, defaultValue: "5").storedDefault  // .integer(5)
  /// ```
  package var storedDefault: AttributeValue {
    guard let text = defaultValue else { return .null }
    switch type {
    case .integer16, .integer32, .integer64, .boolean:
      switch text {
      case "YES", "true": return .integer(1)
      case "NO", "false": return .integer(0)
      default:
        let number = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        return number.map { .integer(type == .boolean && $0 != 0 ? 1 : $0) } ?? .null
      }
    case .decimal, .double, .float, .date: return Double(text).map { .real($0) } ?? .null
    case .string, .uri: return .text(text)
    default: return .null
    }
  }
}
