extension String {
  /// Whether this text comes first in UTF-8 byte order: the order in which Core Data sorts names
  /// before it hashes them.
  ///
  /// ```swift
  /// ["b", "B", "a"].sorted { $0.precedesInBytes($1) }  // ["B", "a", "b"]
  /// ```
  public func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
