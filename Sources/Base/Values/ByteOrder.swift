internal import StrataEssentials

extension String {
  /// Whether this text precedes another in UTF-8 byte order, in which Core Data sorts names before hashing.
  ///
  /// ```swift
  /// ["b", "B", "a"].sorted { $0.precedesInBytes($1) }  // ["B", "a", "b"]
  /// ```
  package func precedesInBytes(_ other: String) -> Bool {
    // Sorting names takes much of the time of hashing a large model: compare contiguous UTF-8 where possible, which
    // is the case for every native Swift string.
    let order = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        mine.order(before: theirs)
      }
    }
    return (order ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func order(before other: Self) -> Bool {
    guard let mine = baseAddress, let theirs = other.baseAddress else { return count < other.count }
    let order = memcmp(mine, theirs, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }
}
