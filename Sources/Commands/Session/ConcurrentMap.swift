internal import Dispatch
internal import StrataArchives
internal import StrataBase
internal import Synchronization

/// Applies a function to many values on all cores and keeps the order of results.
///
/// Only commands divide their work among threads, for example that of a hundred model versions; what a migration reads
/// beside its work is ``SecondThread``'s.
enum ConcurrentMap {
  /// - Parameters:
  ///   - count: The maximum number of threads.
  ///   - what: What progress says of the work; nothing for work that never takes long.
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], atMost count: Int = .max, reporting what: String = "",
    _ body: @Sendable (Input) -> Output
  ) -> [Output] {
    let results = Mutex<[Output?]>(Array(repeating: nil, count: inputs.count))
    let next = Atomic(0)
    // The readable folders also apply to the other threads.
    let folders = ReadableFolders.current
    DispatchQueue.concurrentPerform(iterations: min(count, inputs.count)) { _ in
      ReadableFolders.$current.withValue(folders) {
        while true {
          let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard index < inputs.count else { return }
          if !what.isEmpty { WorkProgress.report(what, index, of: inputs.count) }
          let output = body(inputs[index])
          results.withLock { $0[index] = output }
        }
      }
    }
    return results.withLock { $0.compactMap { $0 } }
  }
}
