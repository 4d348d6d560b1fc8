internal import Dispatch
internal import Synchronization

/// Applies a function to many values on all cores, the results in order.
///
/// The engine below starts no threads; a command that asks the same question of a hundred model
/// versions may.
enum ConcurrentMap {
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ body: @Sendable (Input) -> Output
  ) -> [Output] {
    let results = Mutex<[Output?]>(Array(repeating: nil, count: inputs.count))
    DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
      let output = body(inputs[index])
      results.withLock { $0[index] = output }
    }
    return results.withLock { $0.compactMap { $0 } }
  }
}
