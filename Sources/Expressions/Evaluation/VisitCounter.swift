internal import StrataBase

/// Counts the elements of collections that the expressions of a context visit, and the evaluations.
///
/// An expression without collections visits nothing; a nested SUBQUERY visits the product of the sizes.
final class VisitCounter {
  /// The counter outside of a command.
  private let own = Work()
  /// The counter of the running command: a context of the stepper outlives the command that created it.
  private var work: Work { Work.current ?? own }
  private var visits = 0
  private var evaluations = 0
  /// The nesting depth of the running evaluation.
  private var depth = 0

  /// Visits between two checks of the budget.
  private static let interval = 1000

  deinit { try? flush() }

  /// Runs an evaluation, which may be nested in another one.
  func evaluate<Result>(_ body: () throws -> Result) rethrows -> Result {
    if depth == 0 { evaluations += 1 }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  /// - Throws: ``BudgetSpent`` if the budget is exceeded.
  func visit(_ count: Int) throws(BudgetSpent) {
    visits += count
    if visits >= Self.interval { try flush() }
  }

  /// The step limit of a regular expression on one text.
  var patternLimit: Int? { work.budgets[.pattern] }

  /// - Throws: ``BudgetSpent`` if the budget of the replay or the time limit is exceeded.
  func noteSteps(_ count: Int) throws(BudgetSpent) { try work.note(count, of: .pattern) }

  private func flush() throws(BudgetSpent) {
    let work = work
    work.grant(evaluations * Budget.predicate.allowance, of: .predicate)
    evaluations = 0
    defer { visits = 0 }
    try work.spend(visits, of: .predicate)
  }
}
