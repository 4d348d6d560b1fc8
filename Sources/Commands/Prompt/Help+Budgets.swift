internal import StrataBase
internal import StrataRendering

/// `help budgets`: what a command may use up, and the option that raises it.
extension Help {
  static var budgets: Outcome {
    let rows: [[StyledText]] = Budget.allCases.map { budget in
      [
        StyledText(budget.rawValue, .name),
        StyledText(budget.standard.map(String.init) ?? "none"), StyledText(budget.unit),
        StyledText(budget.summary),
      ]
    }
    return Outcome(
      .sections([
        .table(
          Table(
            columns: [.init("budget"), .init("default", .right), .init("unit"), .init("of")],
            rows: rows)),
        .lines([
          "Every command takes `--budget NAME=N`, more than once for several budgets; a command that runs others, such as",
          "`replay` and `run`, passes them on. A command whose budget is spent ends with status 2 and changes nothing. The",
          "budgets count work, not time: the same command on the same files ends at the same place on every machine.",
          "The defaults are about ten seconds of work. An answer that `time` has ended is never recorded in a document.",
        ]),
      ]),
      payload: Budget.allCases.map {
        BudgetPayload(
          name: $0.rawValue, standard: $0.standard, unit: $0.unit, allowance: $0.allowance,
          meaning: $0.summary)
      })
  }
}

/// The JSON shape of an entry of `help budgets`.
struct BudgetPayload: Encodable, Sendable {
  var name: String
  /// `nil` for no limit.
  var standard: Int?
  var unit: String
  /// What is given beyond it for each byte, evaluation or object.
  var allowance: Int
  var meaning: String
}
