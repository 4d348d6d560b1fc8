extension String {
  /// Whether this name precedes another when runs of digits are compared by value.
  ///
  /// Versions have no order in Core Data; their names provide one. Names that differ only in leading zeros are
  /// compared by bytes, so that the order is total.
  ///
  /// ```swift
  /// "Model9".precedesByNumber("Model10")            // true
  /// "1.2.1 {2}".precedesByNumber("1.2.1 {10}")      // true
  /// ```
  package func precedesByNumber(_ other: String) -> Bool {
    var left = utf8[...]
    var right = other.utf8[...]
    while let a = left.first, let b = right.first {
      if a.isDigit, b.isDigit {
        let mine = left.dropLeadingNumber()
        let theirs = right.dropLeadingNumber()
        if mine.count != theirs.count { return mine.count < theirs.count }
        if !mine.elementsEqual(theirs) { return mine.lexicographicallyPrecedes(theirs) }
      } else {
        if a != b { return a < b }
        left.removeFirst()
        right.removeFirst()
      }
    }
    if left.isEmpty, right.isEmpty { return precedesInBytes(other) }
    return left.isEmpty
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

extension Substring.UTF8View {
  /// Removes the leading run of digits and returns it without leading zeros.
  fileprivate mutating func dropLeadingNumber() -> Self {
    let number = prefix(while: \.isDigit)
    self = self[number.endIndex...]
    return number.drop { $0 == UInt8(ascii: "0") }
  }
}
