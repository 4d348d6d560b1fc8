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

  /// Byte equality; `==` treats canonically equivalent strings as equal.
  ///
  /// ```swift
  /// "\u{E9}".hasSameBytes(as: "e\u{301}")  // false
  /// ```
  package func hasSameBytes(as other: String) -> Bool {
    // Finding a prepared statement by its text is a part of each step of a migration object by object.
    let isSame = utf8.withContiguousStorageIfAvailable { mine in
      other.utf8.withContiguousStorageIfAvailable { theirs in
        mine.hasSameBytes(as: theirs)
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func order(before other: Self) -> Bool {
    guard let mine = baseAddress, let theirs = other.baseAddress else { return count < other.count }
    let order = memcmp(mine, theirs, Swift.min(count, other.count))
    return order == 0 ? count < other.count : order < 0
  }

  fileprivate func hasSameBytes(as other: Self) -> Bool {
    guard count == other.count, let mine = baseAddress, let theirs = other.baseAddress else {
      return count == other.count
    }
    return memcmp(mine, theirs, count) == 0
  }
}
