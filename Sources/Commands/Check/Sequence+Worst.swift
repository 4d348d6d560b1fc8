internal import StrataBase

extension Sequence {
  /// One element for each key, the first of the most severe ones, in the order of the first of each key.
  func worst<Key: Hashable>(
    _ severity: (Element) -> Diagnostic.Severity, by key: (Element) -> Key
  ) -> [Element] {
    var worst: [Element] = []
    var indices: [Key: Int] = [:]
    for element in self {
      if let index = indices[key(element)] {
        if severity(element).isWorse(than: severity(worst[index])) { worst[index] = element }
      } else {
        indices[key(element)] = worst.count
        worst.append(element)
      }
    }
    return worst
  }
}

extension Diagnostic.Severity {
  func isWorse(than other: Diagnostic.Severity) -> Bool {
    switch (self, other) {
    case (.error, .warning), (.error, .note), (.warning, .note): true
    default: false
    }
  }
}
