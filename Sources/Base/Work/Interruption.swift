internal import Synchronization

/// Whether the user wants the command that is running to stop: Ctrl-C.
///
/// A signal comes to the whole process, so this is one flag for the process. Whatever may take long asks
/// between two pieces of work; the front end that installed a handler clears the flag before each
/// command.
package enum Interruption {
  private static let flag = Atomic(false)

  /// All that a signal handler may do.
  package static func request() { flag.store(true, ordering: .relaxed) }

  package static func clear() { flag.store(false, ordering: .relaxed) }

  package static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// - Throws: A diagnostic that says so, where the user wants to stop, the command's limit of time has passed, or
  ///   the replay that it is a part of has spent its budget.
  package static func check() throws(Diagnostic) {
    if isRequested { throw interrupted }
    guard let work = Work.current else { return }
    do throws(BudgetSpent) {
      try work.check()
    } catch {
      throw error.diagnostic
    }
  }

  /// Runs work that a signal must not break off: the first one asks it to stop, the second ends the program.
  package static func inOrder<Result>(_ work: () throws -> Result) rethrows -> Result {
    orderly.add(1, ordering: .relaxed)
    defer { orderly.subtract(1, ordering: .relaxed) }
    return try work()
  }

  /// Whether such work is under way.
  package static var isOrderly: Bool { orderly.load(ordering: .relaxed) > 0 }

  private static let orderly = Atomic(0)

  /// What is said where work on something ended early and changed nothing.
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
