internal import StrataBase
internal import StrataMigration

extension MigrationPayload {
  /// What a rehearsed migration loses of the store's objects, in words: by the receipts of its hops, and rows of no
  /// entity. Empty where it loses nothing.
  ///
  /// `expect loses nothing` judges by this alone. Links that lead nowhere in the source are not lost, and
  /// what lies outside the model is not counted.
  var rehearsedLosses: [String] {
    (lost == 0 ? [] : [Words.count(lost, "row", "rows")])
      + hops.flatMap(\.properties).flatMap(\.lossWords)
  }
}

extension PropertyFatePayload {
  /// `Topic.title in 3 objects (removed)`; what is lost with whole objects is counted with them.
  ///
  /// Numbers that do not fit are among the lost values.
  fileprivate var lossWords: [String] {
    guard withObjects != true else { return [] }
    let name = sources.first ?? destinations.first ?? ""
    func words(_ count: Int, _ fate: String) -> String? {
      count <= 0 ? nil : "\(name) in \(Words.count(count, "object", "objects")) (\(fate))"
    }
    let unfitting = outOfRange?.objects ?? 0
    let others =
      isRelationship == true
      ? (lost == 0 ? nil : "\(name) in \(Words.count(lost, "link", "links"))")
      : words(lost - unfitting, destinations.isEmpty ? "removed" : "lost")
    return [
      others, words(unfitting, "out of range"), words(truncated?.objects ?? 0, "truncated"),
      words(rounded?.objects ?? 0, "rounded"),
      orderLost == true ? "the order of \(name)" : nil,
    ].compactMap { $0 }
  }
}
