internal import StrataEssentials

extension Double {
  /// The number with this many digits after the point, rounded as C does.
  ///
  /// ```swift
  /// 0.12345.text(digits: 3)  // "0.123"
  /// ```
  package func text(digits: Int) -> String {
    // The longest number has 309 digits before the point.
    var text = [CChar](repeating: 0, count: 330 + digits)
    _ = withVaList([Int32(digits), self]) { vsnprintf(&text, text.count, "%.*f", $0) }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
