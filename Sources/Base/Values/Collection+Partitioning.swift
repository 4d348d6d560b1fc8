extension RandomAccessCollection {
  /// The first index from which a condition holds, by binary search; `endIndex` if it never holds.
  ///
  /// ```swift
  /// [1, 3, 3, 7].partitioningIndex { $0 >= 3 }  // 1
  /// ```
  ///
  /// - Parameter belongsInSecond: False for all elements before some index, true from there on.
  @inlinable
  package func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Index {
    var (first, length) = (startIndex, count)
    while length > 0 {
      let half = length / 2
      let middle = index(first, offsetBy: half)
      if belongsInSecond(self[middle]) {
        length = half
      } else {
        first = index(after: middle)
        length -= half + 1
      }
    }
    return first
  }
}
