internal import StrataBase
internal import StrataMigration

extension [HopResult] {
  /// The losses of a rehearsed migration in words, from the receipts of its hops and the rows of no
  /// entity; empty if it loses nothing.
  ///
  /// Used by `expect loses nothing`. Dangling links in the source do not count as lost, and
  /// content outside the model is not counted.
  var rehearsedLosses: [String] {
    let lost = losses.objects
    return (lost == 0 ? [] : [Phrase.count(lost, "row")])
      + flatMap(\.report.receipt.properties).flatMap(\.lossClauses)
  }
}

extension Receipt.PropertyFate {
  /// `Topic.title in 3 objects (removed)`; values of lost objects are included.
  ///
  /// Numbers that do not fit are included in the lost values.
  fileprivate var lossClauses: [String] {
    guard !isLostWithObjects else { return [] }
    let name = (sources.first ?? destinations.first)?.description ?? ""
    func clause(_ count: Int, _ fate: String) -> String? {
      count <= 0 ? nil : "\(name) in \(Phrase.count(count, "object")) (\(fate))"
    }
    let others =
      isRelationship
      ? (lost.count == 0 ? nil : "\(name) in \(Phrase.count(lost.count, "link"))")
      : clause(lost.count - unfitting.count, destinations.isEmpty ? "removed" : "lost")
    return [
      others, clause(unfitting.count, "out of range"), clause(truncated.count, "truncated"),
      clause(rounded.count, "rounded"),
    ].compactMap { $0 } + unordered.map { "the order of \($0.relationship)" }
  }
}
