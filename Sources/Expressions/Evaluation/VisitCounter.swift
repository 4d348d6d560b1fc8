internal import StrataBase

/// Counts the elements of collections that the expressions of a context visit, and the evaluations.
///
/// An expression without collections visits nothing; SUBQUERY in SUBQUERY visits the product of the sizes.
final class VisitCounter {
  /// Who counts where no command is running.
  private let own = Work()
  /// That of the command that is running: a context of the stepper outlives the one that made it.
  private var work: Work { Work.current ?? own }
  private var visits = 0
  private var evaluations = 0
  /// How deep the running evaluation is in itself.
  private var depth = 0

  /// Visits between two looks at the budget.
  private static let interval = 1000

  deinit { try? flush() }

  /// Runs an evaluation, which may be a part of another one.
  func evaluate<Result>(_ body: () throws -> Result) rethrows -> Result {
    if depth == 0 { evaluations += 1 }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  /// - Throws: ``BudgetSpent`` where these are too many.
  func visit(_ count: Int) throws(BudgetSpent) {
    visits += count
    if visits >= Self.interval { try flush() }
  }

  /// Steps that a regular expression may take on one text.
  var patternLimit: Int? { work.budgets[.pattern] }

  /// - Throws: ``BudgetSpent`` where the replay has spent its budget, or the time is over.
  func noteSteps(_ count: Int) throws(BudgetSpent) { try work.note(count, of: .pattern) }

  private func flush() throws(BudgetSpent) {
    let work = work
    work.grant(evaluations * Budget.predicate.allowance, of: .predicate)
    evaluations = 0
    defer { visits = 0 }
    try work.spend(visits, of: .predicate)
  }
}
