internal import StrataMigration

extension MigrationPayload {
  /// What a rehearsed migration loses of the store's objects, in words: rows, values, links and numbers.
  /// Empty where it loses nothing.
  ///
  /// `expect loses nothing` judges by this alone. Links that lead nowhere in the source are not lost, and
  /// what lies outside the model is not counted.
  var rehearsedLosses: [String] {
    let rows = lost + hops.reduce(0) { $0 + $1.strayRows }
    let links = hops.flatMap(\.links).reduce(0) { $0 + $1.lost }
    let values = hops.flatMap(\.losses).map { loss in
      "\(loss.entity).\(loss.property) in \(Words.count(loss.objects, "object", "objects"))"
    }
    return [
      rows == 0 ? nil : Words.count(rows, "row", "rows"),
      links == 0 ? nil : Words.count(links, "link", "links"),
    ].compactMap { $0 } + values
  }
}
