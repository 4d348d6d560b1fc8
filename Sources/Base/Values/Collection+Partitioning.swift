extension RandomAccessCollection {
  /// The first place from which on a condition holds, found by halves; `endIndex` where it holds nowhere.
  ///
  /// ```swift
  /// [1, 3, 3, 7].partitioningIndex { $0 >= 3 }  // 1
  /// ```
  ///
  /// - Parameter belongsInSecond: Holds for no element, or for all from some place on.
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
