internal import Synchronization

/// Whether the user has interrupted the running command (Ctrl-C).
///
/// A signal goes to the whole process, so this is one flag per process. Long work checks it regularly; the front
/// end that installed a handler clears the flag before each command.
package enum Interruption {
  private static let flag = Atomic(false)

  /// Sets the flag: all that a signal handler may do.
  package static func request() { flag.store(true, ordering: .relaxed) }

  package static func clear() { flag.store(false, ordering: .relaxed) }

  package static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// - Throws: A diagnostic if the user has interrupted the command, its time limit is exceeded, or its replay has
  ///   exceeded its budget.
  package static func check() throws(Diagnostic) {
    if isRequested { throw interrupted }
    guard let work = Work.current else { return }
    do throws(BudgetSpent) {
      try work.check()
    } catch {
      throw error.diagnostic
    }
  }

  /// Runs work that a signal must not interrupt: the first signal requests a stop, the second ends the program.
  package static func inOrder<Result>(_ work: () throws -> Result) rethrows -> Result {
    orderly.add(1, ordering: .relaxed)
    defer { orderly.subtract(1, ordering: .relaxed) }
    return try work()
  }

  /// Whether such work is running.
  package static var isOrderly: Bool { orderly.load(ordering: .relaxed) > 0 }

  private static let orderly = Atomic(0)

  /// The diagnostic of work that was interrupted and changed nothing.
  package static func leaving(_ name: String) -> Diagnostic {
    var diagnostic = interrupted
    diagnostic.what = "interrupted; \(name) is unchanged"
    return diagnostic
  }

  package static let interrupted: Diagnostic = {
    var diagnostic = Diagnostic(id: "session.interrupted", what: "interrupted")
    diagnostic.dependsOnTime = true
    return diagnostic
  }()
}
