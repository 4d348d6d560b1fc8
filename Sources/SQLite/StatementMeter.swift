internal import StrataBase

/// Counts the steps of a connection's statements, and stops them where the budget is spent.
///
/// SQLite's progress handler calls ``count()`` in each ``interval`` steps: the same statement on the same file ends at
/// the same step on every machine.
final class StatementMeter {
  /// What the statement that is running may use up.
  struct Limit {
    var budget = Budget.reading
    /// Bytes of the file, for which the budget of reading grows; `nil` where reading has no budget.
    var size: Int?
  }

  var running: Limit
  /// That of the connection's statements, unless they have one of their own.
  var limit: Limit {
    didSet { running = limit }
  }

  /// Who counts where no command is running.
  private let own = Work()
  /// The command that was running when ``spent`` began.
  private var last: Work?
  private var spent = 0
  /// Why a statement was stopped.
  private var stop: BudgetSpent?

  /// Steps of SQLite's virtual machine between two looks at the budgets.
  static let interval = 1000

  /// - Parameter size: Bytes of the file; `nil` where it is Strata's own, and reading has no budget.
  init(size: Int?) {
    limit = Limit(size: size)
    running = limit
  }

  /// Counts steps.
  ///
  /// - Returns: Whether the statement goes on.
  func count(_ steps: Int = interval) -> Bool {
    let work = Work.current ?? own
    if work !== last { (last, spent) = (work, 0) }
    do throws(BudgetSpent) {
      guard running.budget == .reading else {
        try work.spend(steps, of: running.budget)
        return true
      }
      try work.note(steps, of: .reading)
      guard let size = running.size, let limit = work.budgets[.reading] else { return true }
      spent += steps
      guard (spent - limit) / Budget.reading.allowance <= size else {
        throw BudgetSpent(.reading, limit: limit)
      }
      return true
    } catch {
      stop = error
      return false
    }
  }

  /// Why SQLite has interrupted a statement: asked once, by who reports it.
  func takeStop() -> BudgetSpent? {
    defer { stop = nil }
    return stop
  }
}
