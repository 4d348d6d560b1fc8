internal import Synchronization

/// Whether the user wants the command that is running to stop: Ctrl-C.
///
/// A signal comes to the whole process, so this is one flag for the process. Whatever may take long asks
/// between two pieces of work; the front end that installed a handler clears the flag before each
/// command.
public enum Interruption {
  private static let flag = Atomic(false)

  /// All that a signal handler may do.
  public static func request() { flag.store(true, ordering: .relaxed) }

  public static func clear() { flag.store(false, ordering: .relaxed) }

  public static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// - Throws: A diagnostic that says so, where the user wants to stop.
  public static func check() throws(Diagnostic) {
    if isRequested { throw interrupted }
  }

  public static let interrupted = Diagnostic(
    id: "session.interrupted", what: "interrupted")
}
