/// The budgets of a command: the standard ones, and those that the user has chosen.
///
/// ```swift
/// var budgets = Budgets()
/// try budgets.choose("sql=5000000000")
/// budgets[.sql]      // 5_000_000_000
/// budgets[.reading]  // 600_000_000
/// ```
package struct Budgets: Sendable, Hashable {
  private var chosen: [Budget: Int] = [:]

  /// The standard budgets.
  package init() {}

  /// The limit of a budget; `nil` where there is none.
  package subscript(budget: Budget) -> Int? {
    get { chosen[budget] ?? budget.standard }
    set { chosen[budget] = newValue }
  }

  /// The highest number that can be chosen.
  package static let highest = 1_000_000_000_000_000

  /// Takes a choice of the user.
  ///
  /// - Parameter text: The name of a budget and a number: `sql=5000000000`.
  /// - Throws: ``Diagnostic`` where there is no such budget, or no such number.
  package mutating func choose(_ text: String) throws(Diagnostic) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let names = Budget.allCases.map(\.rawValue)
    guard let budget = Budget(rawValue: String(parts[0])) else {
      throw Diagnostic(
        id: "command.unknownBudget", what: "there is no budget \(parts[0])",
        fix: NearestName.of(String(parts[0]), in: names).map(NearestName.question)
          ?? "it is one of \(names.joined(separator: ", "))")
    }
    guard parts.count == 2, let number = Int(parts[1]), (1...Self.highest).contains(number) else {
      throw Diagnostic(
        id: "command.badBudget", what: "\(text) sets no budget",
        fix: "a number of \(budget.unit) from 1 to \(Self.highest): \(budget.option)1000000")
    }
    chosen[budget] = number
  }

  /// These budgets for a command that another command runs: what it does not choose itself, the other one has chosen.
  /// A limit of time stays with the command that has it.
  package func inherited(from outer: Budgets) -> Budgets {
    var inherited = self
    inherited.chosen.merge(outer.chosen.filter { $0.key != .time }) { own, _ in own }
    return inherited
  }
}
