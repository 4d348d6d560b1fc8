/// Work was stopped since its budget was spent: one error for all budgets.
package struct BudgetSpent: Error, Sendable, Hashable {
  package var budget: Budget
  /// The limit, without what was given beyond it for the size of the data.
  package var limit: Int

  package init(_ budget: Budget, limit: Int) {
    self.budget = budget
    self.limit = limit
  }
}

extension BudgetSpent: DiagnosticError {
  package var diagnostic: Diagnostic {
    let raised = limit > Budgets.highest / 10 ? Budgets.highest : limit * 10
    var diagnostic = Diagnostic(
      id: "budget.\(budget.rawValue)",
      what: budget == .time
        ? "\(budget.subject) was stopped: its limit of \(budget.amount(limit)) has passed"
        : "\(budget.subject) was stopped: the budget of \(budget.amount(limit)) is spent",
      fix:
        "raise it with \(budget.option)\(raised), or ask for less; `help budgets` lists all budgets"
    )
    diagnostic.dependsOnTime = budget == .time
    return diagnostic
  }
}
