/// An error: work was stopped because it exceeded its budget.
package struct BudgetSpent: Error, Sendable, Hashable {
  package var budget: Budget
  /// The limit, without the allowance for the size of the data.
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
        ? "\(budget.subject) was stopped: it exceeded its limit of \(budget.amount(limit))"
        : "\(budget.subject) was stopped: it exceeded its budget of \(budget.amount(limit))",
      fix:
        "raise it with \(budget.option)\(raised), or reduce the work; `help budgets` lists all budgets"
    )
    diagnostic.dependsOnTime = budget == .time
    return diagnostic
  }
}
