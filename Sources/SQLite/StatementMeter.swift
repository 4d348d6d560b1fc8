internal import StrataBase

/// Counts the steps of a connection's statements, and stops them when the budget is exceeded.
///
/// SQLite's progress handler calls ``count(_:)`` in each ``interval`` steps: the same statement on the same file ends at
/// the same step on every machine.
final class StatementMeter {
  /// The budget of the running statement.
  struct Limit {
    var budget = Budget.reading
    /// The size of the file in bytes, by which the reading budget grows; `nil` if reading has no budget.
    var size: Int?
  }

  var running: Limit
  /// The budget of the connection's statements, unless they have one of their own.
  var limit: Limit {
    didSet { running = limit }
  }

  /// The counter outside of a command.
  private let own = Work()
  /// The command that was running when ``spent`` was reset.
  private var last: Work?
  private var spent = 0
  /// The exceeded budget for which a statement was stopped.
  private var stop: BudgetSpent?

  /// Steps of SQLite's virtual machine between two checks of the budgets.
  static let interval = 1000
  /// The steps that an interval counts as.
  var stepsOfInterval = interval

  /// Whether Ctrl-C ends statements.
  var isInterruptible = true
  var isInterrupted: Bool { isInterruptible && Interruption.isRequested }

  /// - Parameter size: The size of the file in bytes; `nil` for Strata's own file, which has no reading budget.
  init(size: Int?) {
    limit = Limit(size: size)
    running = limit
  }

  /// Counts steps.
  ///
  /// - Returns: Whether the statement continues.
  func count(_ steps: Int) -> Bool {
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

  /// Increases the budget of a query.
  func grant(_ steps: Int) { (Work.current ?? own).grant(steps, of: .sql) }

  /// The reason of an interruption; cleared by this call.
  func takeStop() -> BudgetSpent? {
    defer { stop = nil }
    return stop
  }
}
