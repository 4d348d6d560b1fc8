extension Predicate {
  /// The canonical text, which ``init(parsing:)`` reads as the same predicate.
  package var text: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let predicate): "NOT \(predicate.operandText(above: 2))"
    case .and(let parts): parts.map { $0.operandText(above: 2) }.joined(separator: " AND ")
    case .or(let parts): parts.map { $0.operandText(above: 1) }.joined(separator: " OR ")
    case .comparison(let comparison): comparison.text
    }
  }

  /// 1 for OR, 2 for AND, 3 for NOT, 4 for the rest.
  private var precedence: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .not: 3
    case .constant, .comparison: 4
    }
  }

  private func operandText(above precedence: Int) -> String {
    self.precedence <= precedence ? "(\(text))" : text
  }
}

extension Comparison {
  /// The canonical text.
  package var text: String {
    let options = (ignoresCase ? "c" : "") + (ignoresDiacritics ? "d" : "")
    let modifier =
      switch modifier {
      case .direct: ""
      case .any: "ANY "
      case .all: "ALL "
      }
    let bracket = options.isEmpty ? "" : "[\(options)]"
    return "\(modifier)\(left.text) \(`operator`.rawValue)\(bracket) \(right.text)"
  }
}
