import Dispatch

/// Runs what mostly waits for another program, while other tests compute.
///
/// Tests share as many threads as there are cores: one that waits would leave its core idle. Here one after
/// the other waits on a thread of its own.
package func waiting<Answer: Sendable>(
  _ body: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
  try await withCheckedThrowingContinuation { continuation in
    lane.async { continuation.resume(with: Result { try body() }) }
  }
}

private let lane = DispatchQueue(label: "tests that wait")
