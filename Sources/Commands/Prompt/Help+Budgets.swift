internal import StrataBase
internal import StrataRendering

/// `help budgets`: the limits of commands and the option that raises them.
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
          columns: [.init("budget"), .init("default", .right), .init("unit"), .init("limits")],
          rows: rows),
        .lines([
          "Every command accepts `--budget NAME=N`, repeated for several budgets; commands that run others, such as",
          "`replay` and `run`, pass them on. A command that exceeds a budget ends with status 2 and changes nothing.",
          "Budgets count work, not time: the same command on the same files ends at the same point on every machine.",
          "The defaults are about ten seconds of work. An answer ended by the budget `time` is never recorded.",
        ]),
      ]),
      json: Budget.allCases.json {
        .object(withoutNull: [
          "name": $0.rawValue, "standard": $0.standard, "unit": $0.unit,
          "allowance": $0.allowance, "meaning": $0.summary,
        ])
      })
  }
}
