internal import Dispatch
internal import StrataArchives
internal import Synchronization

/// Applies a function to many values on all cores, the results in order.
///
/// The engine below starts no threads; a command that asks the same question of a hundred model
/// versions may.
enum ConcurrentMap {
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ body: @Sendable (Input) -> Output
  ) -> [Output] {
    map(inputs, atMost: inputs.count, body)
  }

  /// - Parameter count: How many to work on at a time.
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], atMost count: Int, _ body: @Sendable (Input) -> Output
  ) -> [Output] {
    let results = Mutex<[Output?]>(Array(repeating: nil, count: inputs.count))
    let next = Atomic(0)
    // What may be read holds for the threads that help too.
    let folders = ReadableFolders.current
    DispatchQueue.concurrentPerform(iterations: min(count, inputs.count)) { _ in
      ReadableFolders.$current.withValue(folders) {
        while true {
          let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard index < inputs.count else { return }
          let output = body(inputs[index])
          results.withLock { $0[index] = output }
        }
      }
    }
    return results.withLock { $0.compactMap { $0 } }
  }
}
