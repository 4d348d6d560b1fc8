#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension String {
  /// Whether this text comes first in UTF-8 byte order: the order in which Core Data sorts names
  /// before it hashes them.
  ///
  /// ```swift
  /// ["b", "B", "a"].sorted { $0.precedesInBytes($1) }  // ["B", "a", "b"]
  /// ```
  package func precedesInBytes(_ other: String) -> Bool {
    // Sorting names takes a good part of hashing a large model: compare whole runs where that is
    // possible, which it is for every string that Swift made itself.
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
