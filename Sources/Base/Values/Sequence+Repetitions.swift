extension Sequence where Element: Hashable {
  /// The elements without repetitions, in the order in which each is first.
  package var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Dictionary {
  /// A dictionary of pairs; of pairs with equal keys, the first counts.
  package init(first pairs: some Sequence<(Key, Value)>) {
    self.init(pairs, uniquingKeysWith: { first, _ in first })
  }
}
