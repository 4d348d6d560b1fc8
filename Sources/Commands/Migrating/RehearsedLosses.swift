internal import StrataBase
internal import StrataMigration

extension MigrationPayload {
  /// The losses of a rehearsed migration in words, from the receipts of its hops and the rows of no
  /// entity; empty if it loses nothing.
  ///
  /// Used by `expect loses nothing`. Dangling links in the source do not count as lost, and
  /// content outside the model is not counted.
  var rehearsedLosses: [String] {
    (lost == 0 ? [] : [Phrase.count(lost, "row", "rows")])
      + hops.flatMap(\.properties).flatMap(\.lossClauses)
  }
}

extension PropertyFatePayload {
  /// `Topic.title in 3 objects (removed)`; values of lost objects are included.
  ///
  /// Numbers that do not fit are included in the lost values.
  fileprivate var lossClauses: [String] {
    guard withObjects != true else { return [] }
    let name = sources.first ?? destinations.first ?? ""
    func clause(_ count: Int, _ fate: String) -> String? {
      count <= 0 ? nil : "\(name) in \(Phrase.count(count, "object", "objects")) (\(fate))"
    }
    let unfitting = outOfRange?.objects ?? 0
    let others =
      isRelationship == true
      ? (lost == 0 ? nil : "\(name) in \(Phrase.count(lost, "link", "links"))")
      : clause(lost - unfitting, destinations.isEmpty ? "removed" : "lost")
    return [
      others, clause(unfitting, "out of range"), clause(truncated?.objects ?? 0, "truncated"),
      clause(rounded?.objects ?? 0, "rounded"),
      orderLost == true ? "the order of \(name)" : nil,
    ].compactMap { $0 }
  }
}
