internal import StrataBase

/// What a replay finds of one command: decided here alone, and read by lists, reports and counts.
package enum Verdict: Sendable, Hashable {
  /// The output fits the recorded one, or there is none and nothing to record.
  case same
  /// Nothing was recorded, and it is an expectation that is met.
  case met
  /// The same data in other words.
  case reworded(OutputDifference)
  /// Another answer; or other words, and no fingerprints tell whether the data are the same.
  case differs(OutputDifference, isKnown: Bool)
  /// Nothing was recorded, and nothing is wrong.
  case notRecorded
  /// Nothing was recorded, and the command has failed.
  case failed
  /// It was ended by a limit of time, another program or the user: whatever was recorded, it is no
  /// answer of the document.
  case dependsOnTime
  /// An expectation that is not met, perhaps in a document that the command ran: an error whatever was
  /// recorded.
  case unmet(OutputDifference?)

  /// - Parameter entry: What the document says of the command.
  init(on answer: Answer, to entry: SessionEntry) {
    let difference = entry.recorded.flatMap { $0.compare(to: answer.output) }
    if answer.dependsOnTime {
      self = .dependsOnTime
    } else if answer.expectation == .unmet {
      self = .unmet(difference)
    } else if let difference {
      self =
        if let before = entry.digest, let now = answer.digest {
          before == now ? .reworded(difference) : .differs(difference, isKnown: true)
        } else {
          .differs(difference, isKnown: false)
        }
    } else if entry.recorded == nil, answer.output.status >= .failed {
      self = .failed
    } else if entry.recorded == nil, answer.expectation == .met {
      self = .met
    } else {
      // A remark or `quit` has no output: there is nothing to record.
      self = entry.recorded == nil && answer.output != RecordedOutput() ? .notRecorded : .same
    }
  }

  /// How the answer differs from the recorded one; `nil` where it does not, or nothing was recorded.
  package var difference: OutputDifference? {
    switch self {
    case .reworded(let difference), .differs(let difference, _): difference
    case .unmet(let difference): difference
    case .same, .met, .notRecorded, .failed, .dependsOnTime: nil
    }
  }

  /// Whether the document can record the answer instead of what it has.
  package var isUpdate: Bool {
    switch self {
    case .reworded, .differs, .notRecorded, .met: true
    case .same, .failed, .dependsOnTime, .unmet: false
    }
  }
}
