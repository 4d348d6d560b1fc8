extension StringProtocol {
  /// The text without white space and line ends at its beginning and end.
  ///
  /// ```swift
  /// " a b\n".trimmed  // "a b"
  /// ```
  package var trimmed: String {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(self[first..<scalars.index(after: last)])
  }
}
