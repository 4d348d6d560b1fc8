import StrataBase
import Testing

@Suite("Budgets")
struct BudgetTests {
  @Test("a budget is set by name and number")
  func choice() throws {
    var budgets = Budgets()
    try budgets.choose("sql=5000")
    #expect(budgets[.sql] == 5000)
    #expect(budgets[.reading] == Budget.reading.standard)
    #expect(budgets[.time] == nil)
  }

  @Test(
    "an invalid budget is refused",
    arguments: [
      ("sqk=1", "command.unknownBudget"), ("sql", "command.badBudget"),
      ("sql=", "command.badBudget"), ("sql=0", "command.badBudget"),
      ("sql=-1", "command.badBudget"), ("sql=1e9", "command.badBudget"),
      ("sql=1000000000000001", "command.badBudget"), ("", "command.unknownBudget"),
    ])
  func badChoice(text: String, id: String) {
    var budgets = Budgets()
    let error = #expect(throws: Diagnostic.self) { try budgets.choose(text) }
    #expect(error?.id == id)
    #expect(budgets == Budgets())
  }

  @Test("the error names the budget, its limit and the option that raises it")
  func error() {
    let diagnostic = BudgetSpent(.sql, limit: 500).diagnostic
    #expect(diagnostic.id == "budget.sql")
    #expect(diagnostic.what.contains("500 steps of SQLite"))
    #expect(diagnostic.fix?.contains("--budget sql=5000") == true)
  }

  @Test("only the time budget depends on time")
  func dependence() {
    for budget in Budget.allCases {
      #expect(BudgetSpent(budget, limit: 1).diagnostic.dependsOnTime == (budget == .time))
    }
  }

  @Test("work ends with the first unit beyond its budget")
  func spending() throws {
    var budgets = Budgets()
    budgets[.predicate] = 10
    let work = Work(budgets)
    try work.spend(10, of: .predicate)
    for _ in 1...2 {
      #expect(throws: BudgetSpent(.predicate, limit: 10)) { try work.spend(1, of: .predicate) }
    }
    work.grant(2, of: .predicate)
    try work.spend(0, of: .predicate)
  }

  @Test("the work of all commands of a replay is counted together, for all budgets")
  func replay() throws {
    var budgets = Budgets()
    budgets[.replay] = 3000
    let replay = Work(budgets, isReplay: true)
    for _ in 1...3 { try Work(within: replay).spend(1000, of: .sql) }
    try replay.check()
    #expect(throws: BudgetSpent(.replay, limit: 3000)) {
      try Work(within: replay).spend(1, of: .sql)
    }
    #expect(throws: BudgetSpent(.replay, limit: 3000)) { try replay.check() }
    let other = Work(budgets, isReplay: true)
    #expect(throws: BudgetSpent(.replay, limit: 3000)) {
      try Work(within: other).spend(1000, of: .predicate)
    }
  }

  @Test("a command that another command runs inherits the budgets that it does not set")
  func inheritance() {
    var outer = Budgets()
    (outer[.sql], outer[.predicate], outer[.time]) = (1, 2, 3)
    var own = Budgets()
    own[.sql] = 5
    let work = Work(own, within: Work(outer))
    #expect(work.budgets[.sql] == 5)
    #expect(work.budgets[.predicate] == 2)
    #expect(work.budgets[.time] == nil)
  }

  @Test("the time limit of a command ends the commands that it runs, and marks its answer")
  func time() throws {
    var budgets = Budgets()
    budgets[.time] = 1
    let work = Work(budgets)
    let inner = Work(within: work)
    try inner.check()
    #expect(!work.isOutOfTime)
    let error = #expect(throws: BudgetSpent.self) { while true { try inner.check() } }
    #expect(error == BudgetSpent(.time, limit: 1))
    #expect(work.isOutOfTime && inner.isOutOfTime)
  }
}
