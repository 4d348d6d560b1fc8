/// The budgets of a command: the defaults, and those set by the user.
///
/// ```swift
/// var budgets = Budgets()
/// try budgets.choose("sql=5000000000")
/// budgets[.sql]      // 5_000_000_000
/// budgets[.reading]  // 600_000_000
/// ```
package struct Budgets: Sendable, Hashable {
  private var chosen: [Budget: Int] = [:]

  /// The default budgets.
  package init() {}

  /// The limit of a budget; `nil` if there is none.
  package subscript(budget: Budget) -> Int? {
    get { chosen[budget] ?? budget.standard }
    set { chosen[budget] = newValue }
  }

  /// The highest limit that can be set.
  package static let highest = 1_000_000_000_000_000

  /// Sets a budget as the user typed it.
  ///
  /// - Parameter text: The name of a budget and a number: `sql=5000000000`.
  /// - Throws: ``Diagnostic`` if the budget or the number is invalid.
  package mutating func choose(_ text: String) throws(Diagnostic) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = Budget.allCases.map(\.rawValue)
    guard let budget = Budget(rawValue: String(parts[0])) else {
      throw Diagnostic(
        id: "command.unknownBudget", what: "unknown budget \(parts[0])",
        fix: NearestName.of(String(parts[0]), in: names).map(NearestName.question)
          ?? "use one of \(names.joined(separator: ", "))")
    }
    guard parts.count == 2, let number = Int(parts[1]), (1...Self.highest).contains(number) else {
      throw Diagnostic(
        id: "command.badBudget", what: "invalid budget \(text)",
        fix: "give a number of \(budget.unit) from 1 to \(Self.highest): \(budget.option)1000000")
    }
    chosen[budget] = number
  }

  /// These budgets for a command that another command runs: it inherits those that it does not set itself. A time
  /// limit is not inherited.
  package func inherited(from outer: Budgets) -> Budgets {
    var inherited = self
    inherited.chosen.merge(outer.chosen.filter { $0.key != .time }) { own, _ in own }
    return inherited
  }
}
