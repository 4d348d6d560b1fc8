internal import StrataBase
internal import StrataMigration

extension LossCounts {
  /// The losses, the objects that would be created twice and those that could not be saved: `2 rows and 1 link
  /// would be lost`.
  func sentence(of categories: Set<LossCategory>) -> String {
    let amounts = amounts(in: categories)
    let others: [Unit: String] = [
      .duplicate: "would be created twice", .invalidObject: "could not be saved",
    ]
    let lost = amounts.filter { others[$0.unit] == nil }.map(Self.text)
    return
      ((lost.isEmpty ? [] : ["\(Phrase.list(lost)) would be lost"])
      + amounts.compactMap { amount in
        others[amount.unit].map { "\(Self.text(amount)) \($0)" }
      }).joined(separator: ", ")
  }

  private static func text(_ amount: (unit: Unit, count: Int)) -> String {
    if amount.unit == .order {
      return "the order of links in \(Phrase.count(amount.count, "object"))"
    }
    if amount.unit == .digit { return "digits of \(Phrase.count(amount.count, "number"))" }
    let (one, several) =
      switch amount.unit {
      case .row: ("row", "rows")
      case .value: ("value", "values")
      case .number: ("number", "numbers")
      case .fraction: ("fraction", "fractions")
      case .link: ("link", "links")
      case .order, .digit, .invalidObject, .duplicate: ("object", "objects")
      case .extra: ("item outside the model", "items outside the model")
      }
    return Phrase.count(amount.count, one, several)
  }
}
