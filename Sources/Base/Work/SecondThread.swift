internal import Dispatch
internal import Synchronization

/// Work on another thread during other work on this one.
///
/// ```swift
/// let (product, sum) = try SecondThread.run { 2 + 3 } during: { 2 * 3 }
/// ```
package enum SecondThread {
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs both and waits for both.
  ///
  /// - Parameters:
  ///   - there: The work of the other thread, which counts as work of the running command. It shares nothing with this
  ///     thread, so no connection either.
  ///   - here: The work of this thread.
  /// - Throws: The error of `here`, otherwise that of `there`.
  package static func run<There: Sendable, Here>(
    _ there: @escaping @Sendable () throws -> There, during here: () throws -> Here
  ) throws -> (here: Here, there: There) {
    let (outcome, group) = (Outcome<There>(), DispatchGroup())
    let (work, moment) = (Work.current, Moment.current)
    DispatchQueue.global().async(group: group) {
      let result = Moment.$current.withValue(moment) {
        Work.$current.withValue(work) { Result { try there() } }
      }
      outcome.result.withLock { $0 = result }
    }
    let result = Result { try here() }
    group.wait()
    let value = try result.get()
    guard let other = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return (value, try other.get())
  }
}
