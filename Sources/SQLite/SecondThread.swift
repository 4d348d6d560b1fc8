internal import Dispatch
internal import StrataArchives
internal import StrataBase
internal import Synchronization

/// Work on another thread during other work on this one. It counts as work of the running command, with its time, and
/// may read what the command may.
///
/// ```swift
/// let product = SecondThread { 2 + 3 }
/// let sum = 2 * 3
/// try product.value()  // 5
/// ```
package final class SecondThread<Value: Sendable>: Sendable {
  private final class Outcome: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  private let outcome = Outcome()
  private let group = DispatchGroup()

  /// Begins the work.
  ///
  /// - Parameter work: It shares nothing with this thread, so no connection either.
  package init(_ work: @escaping @Sendable () throws -> Value) {
    let (current, moment) = (Work.current, Moment.current)
    let (folders, outcome) = (ReadableFolders.current, outcome)
    DispatchQueue.global().async(group: group) {
      let result = Moment.$current.withValue(moment) {
        Work.$current.withValue(current) {
          ReadableFolders.$current.withValue(folders) { Result { try work() } }
        }
      }
      outcome.result.withLock { $0 = result }
    }
  }

  /// Whoever does not wait for the value waits here: files that the work reads may be deleted next.
  deinit { group.wait() }

  /// The result, for which it waits.
  ///
  /// - Throws: The error of the work.
  package func value() throws -> Value {
    group.wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}

extension SecondThread {
  /// Runs both and waits for both.
  ///
  /// - Throws: The error of `here`, otherwise that of `there`.
  package static func run<Here>(
    _ there: @escaping @Sendable () throws -> Value, during here: () throws -> Here
  ) throws -> (here: Here, there: Value) {
    let second = SecondThread(there)
    return (try here(), try second.value())
  }
}
