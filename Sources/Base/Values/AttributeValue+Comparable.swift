extension AttributeValue {
  /// The form in which equal stored values are equal: SQLite stores a whole real in a column of dates or decimals as an
  /// integer.
  ///
  /// ```swift
  /// AttributeValue.real(86400).comparable  // .integer(86400)
  /// ```
  package var comparable: AttributeValue {
    guard case .real(let number) = self, let integer = Int64(exactly: number) else { return self }
    return .integer(integer)
  }
}
