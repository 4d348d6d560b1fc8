import Foundation

/// Runs what mostly waits for another program, while other tests compute.
///
/// Tests share as many threads as there are cores: one that waits would leave its core idle. Here a few wait at the same
/// time, each on a thread of its own.
package func waiting<Answer: Sendable>(
  _ body: @escaping @Sendable () throws -> Answer
) async throws -> Answer {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      lanes.wait()
      let answer = Result { try body() }
      lanes.signal()
      continuation.resume(with: answer)
    }
  }
}

private let lanes = DispatchSemaphore(value: 4)
