internal import StrataMigration

extension MigrationPayload {
  /// What a rehearsed migration loses of the store's objects, in words: by the receipts of its hops, and rows of no
  /// entity. Empty where it loses nothing.
  ///
  /// `expect loses nothing` judges by this alone. Links that lead nowhere in the source are not lost, and
  /// what lies outside the model is not counted.
  var rehearsedLosses: [String] {
    let stray = hops.reduce(0) { $0 + $1.strayRows }
    let properties = hops.flatMap(\.properties).flatMap(\.lossWords)
    return [
      lost + stray == 0 ? nil : Words.count(lost + stray, "row", "rows")
    ].compactMap { $0 } + properties
  }
}

extension PropertyFatePayload {
  /// `Topic.title in 3 objects`; what is lost with whole objects is counted with them.
  fileprivate var lossWords: [String] {
    guard withObjects != true else { return [] }
    let name = sources.first ?? destinations.first ?? ""
    func words(_ count: Int, _ one: String, _ several: String) -> String? {
      count == 0 ? nil : "\(name) in \(Words.count(count, one, several))"
    }
    return [
      isRelationship == true
        ? words(lost, "link", "links") : words(lost, "object", "objects"),
      words(truncated?.objects ?? 0, "object", "objects"),
      words(rounded?.objects ?? 0, "object", "objects"),
      orderLost == true ? "the order of \(name)" : nil,
    ].compactMap { $0 }
  }
}
