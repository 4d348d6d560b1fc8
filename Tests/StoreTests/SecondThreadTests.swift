import StrataArchives
import StrataBase
import StrataSQLite
import Synchronization
import Testing

@Suite("Work on a second thread")
struct SecondThreadTests {
  private struct Failure: Error, Equatable { var name: String }

  @Test(
    "both pieces of work end, and the error of this thread is thrown first",
    arguments: [false, true], [false, true])
  func errors(failsHere: Bool, failsThere: Bool) {
    let ended = Ended()
    let result = Result {
      try SecondThread.run {
        ended.note("there")
        if failsThere { throw Failure(name: "there") }
        return 2
      } during: {
        ended.note("here")
        if failsHere { throw Failure(name: "here") }
        return 1
      }
    }
    #expect(ended.names == ["here", "there"])
    switch result {
    case .success(let values): #expect(!failsHere && !failsThere && values == (1, 2))
    case .failure(let error):
      #expect(error as? Failure == Failure(name: failsHere ? "here" : "there"))
    }
  }

  @Test("work of the other thread counts as work of the command")
  func budget() {
    var budgets = Budgets()
    budgets[.sql] = 10
    let work = Work(budgets)
    Work.$current.withValue(work) {
      #expect(throws: BudgetSpent.self) {
        try SecondThread.run {
          try Work.current?.spend(11, of: .sql)
        } during: {
        }
      }
    }
  }

  @Test("work that is begun ends before its owner does, also without its value")
  func lateValue() throws {
    let ended = Ended()
    let second = SecondThread {
      ended.note("there")
      return (Moment.current, ReadableFolders.current == nil)
    }
    #expect(try second.value() == (0, true))
    #expect(try second.value() == (0, true))
    let other = Ended()
    do {
      _ = SecondThread { other.note("there") }
    }
    #expect(ended.names == ["there"] && other.names == ["there"])
    let folders = ReadableFolders(["/"])
    let inherited = try folders.only {
      try Moment.$current.withValue(7) {
        try SecondThread { (Moment.current, ReadableFolders.current == nil) }.value()
      }
    }
    #expect(inherited == (7, false))
  }

  private final class Ended: Sendable {
    private let state = Mutex<Set<String>>([])
    func note(_ name: String) { state.withLock { _ = $0.insert(name) } }
    var names: [String] { state.withLock { $0.sorted() } }
  }
}
