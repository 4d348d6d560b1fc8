internal import Synchronization

/// The work that a command has done, counted against its budgets.
///
/// Work that may not terminate is counted here, a thousand steps at a time:
///
/// ```swift
/// let work = Work(Budgets(), within: Work.current)
/// try Work.$current.withValue(work) {
///   try Work.current?.spend(1000, of: .sql)
/// }
/// ```
///
/// The work of a command also counts for the replay that runs it.
package final class Work: Sendable {
  /// The work of the running command; `nil` outside of one, where each counter is separate.
  @TaskLocal package static var current: Work?

  package let budgets: Budgets
  private let outer: Work?
  /// Whether it is the work of a whole document, whose commands count together.
  private let isReplay: Bool
  private let deadline: ContinuousClock.Instant?
  private let state = Mutex(State())

  private struct State {
    var spent: [Budget: Int] = [:]
    var granted: [Budget: Int] = [:]
    var isOutOfTime = false
  }

  /// - Parameters:
  ///   - outer: The work that this is a part of.
  ///   - isReplay: Whether it is that of a whole document.
  package init(_ budgets: Budgets = Budgets(), within outer: Work? = nil, isReplay: Bool = false) {
    self.budgets = outer.map { budgets.inherited(from: $0.budgets) } ?? budgets
    self.outer = outer
    self.isReplay = isReplay
    // The time limit belongs to the command that runs the document.
    deadline = isReplay ? nil : budgets[.time].map { ContinuousClock.now + .seconds($0) }
  }

  /// Counts work.
  ///
  /// - Throws: ``BudgetSpent`` if a budget or the time limit is exceeded.
  package func spend(_ amount: Int, of budget: Budget) throws(BudgetSpent) {
    try add(amount, of: budget)
    try outer?.addToReplay(amount * budget.weight)
    try checkTime()
  }

  /// Counts work that has a counter of its own: for the replay, and for the time limit.
  package func note(_ amount: Int, of budget: Budget) throws(BudgetSpent) {
    try outer?.addToReplay(amount * budget.weight)
    try checkTime()
  }

  /// Increases a budget by the allowance for the data.
  package func grant(_ amount: Int, of budget: Budget) {
    state.withLock { $0.granted[budget, default: 0] += amount }
  }

  /// - Throws: ``BudgetSpent`` if the time is over, or the replay that this is a part of has spent its budget.
  package func check() throws(BudgetSpent) {
    if isReplay { try add(0, of: .replay) }
    try outer?.addToReplay(0)
    try checkTime()
  }

  /// Whether a time limit has ended something in it: then its answer depends on the machine, even if the error was
  /// handled.
  package var isOutOfTime: Bool {
    state.withLock { $0.isOutOfTime } || (outer?.isOutOfTime ?? false)
  }

  private func add(_ amount: Int, of budget: Budget) throws(BudgetSpent) {
    guard let limit = budgets[budget] else { return }
    let isSpent = state.withLock { state in
      let (spent, overflows) = state.spent[budget, default: 0].addingReportingOverflow(amount)
      state.spent[budget] = overflows ? .max : spent
      return overflows || spent - limit > state.granted[budget, default: 0]
    }
    if isSpent { throw BudgetSpent(budget, limit: limit) }
  }

  private func addToReplay(_ steps: Int) throws(BudgetSpent) {
    if isReplay { try add(steps, of: .replay) }
    try outer?.addToReplay(steps)
  }

  private func checkTime() throws(BudgetSpent) {
    if let deadline, let limit = budgets[.time], ContinuousClock.now > deadline {
      state.withLock { $0.isOutOfTime = true }
      throw BudgetSpent(.time, limit: limit)
    }
    try outer?.checkTime()
  }
}
