internal import StrataBase

/// The result of replaying one command, used by lists, reports and counts.
package enum ReplayVerdict: Sendable, Hashable {
  /// The output matches the recorded one, or there is no output and nothing to record.
  case same
  /// A fulfilled expectation without a recorded output.
  case fulfilled
  /// The data are the same, but the wording differs.
  case reworded(OutputDifference)
  /// The answer differs, or the output differs and there are no fingerprints to compare the data.
  case differs(OutputDifference, isKnown: Bool)
  /// Nothing was recorded, and the command has not failed.
  case notRecorded
  /// Nothing was recorded, and the command has failed.
  case failed
  /// The command was ended by a time limit, another program or the user; its answer is not recorded.
  case dependsOnTime
  /// An unfulfilled expectation, possibly in a document that the command ran; an error regardless of what was
  /// recorded.
  case unfulfilled(OutputDifference?)

  /// - Parameter entry: The entry of the command in the document.
  init(on answer: Answer, to entry: SessionEntry) {
    let difference = entry.recorded.flatMap { $0.compare(to: answer.output) }
    if answer.dependsOnTime {
      self = .dependsOnTime
    } else if answer.expectation == .unfulfilled {
      self = .unfulfilled(difference)
    } else if let difference {
      self =
        if let before = entry.digest, let now = answer.digest {
          before == now ? .reworded(difference) : .differs(difference, isKnown: true)
        } else {
          .differs(difference, isKnown: false)
        }
    } else if entry.isOpen, let before = entry.digest, let now = answer.digest, before != now {
      self = .differs(OutputDifference(hidden: entry.recorded, now: answer.output), isKnown: true)
    } else if entry.recorded == nil, answer.output.status >= .failed {
      self = .failed
    } else if entry.recorded == nil, answer.expectation == .fulfilled {
      self = .fulfilled
    } else {
      // A comment or `quit` has no output and nothing to record.
      self = entry.recorded == nil && answer.output != RecordedOutput() ? .notRecorded : .same
    }
  }

  /// The difference from the recorded answer; `nil` if there is none or nothing was recorded.
  package var difference: OutputDifference? {
    switch self {
    case .reworded(let difference), .differs(let difference, _): difference
    case .unfulfilled(let difference): difference
    case .same, .fulfilled, .notRecorded, .failed, .dependsOnTime: nil
    }
  }

  /// Whether the answer can be recorded in the document.
  package var isUpdate: Bool {
    switch self {
    case .reworded, .differs, .notRecorded, .fulfilled: true
    case .same, .failed, .dependsOnTime, .unfulfilled: false
    }
  }
}
