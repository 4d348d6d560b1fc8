extension StringProtocol {
  /// The text without white space and line ends at its beginning and end.
  ///
  /// ```swift
  /// " a b\n".trimmed  // "a b"
  /// ```
  package var trimmed: String {
    let text = unicodeScalars.drop { $0.properties.isWhitespace }
    return String(
      String.UnicodeScalarView(text.reversed().drop { $0.properties.isWhitespace }.reversed()))
  }
}
