extension String {
  /// Whether this name comes first when runs of digits are compared by their value.
  ///
  /// Versions have no order in Core Data; their names give one. Equal but for leading zeros falls
  /// back to byte order, so that the order is total.
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
  /// Takes the leading run of digits away and returns it without its leading zeros.
  fileprivate mutating func dropLeadingNumber() -> Self {
    let number = prefix(while: \.isDigit)
    self = self[number.endIndex...]
    return number.drop { $0 == UInt8(ascii: "0") }
  }
}
