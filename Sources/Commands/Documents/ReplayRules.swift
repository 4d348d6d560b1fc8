internal import StrataBase
internal import StrataNotebook

/// What a replay accepts.
struct ReplayRules: Sendable {
  /// Whether an answer may say the same in other words.
  var ignoresWording = false
  /// Whether every answer must have been recorded; an expectation needs no record.
  var isComplete = false

  /// Whether a replay may end well with a verdict.
  func accept(_ verdict: Verdict) -> Bool {
    switch verdict {
    case .same, .met: true
    case .notRecorded: !isComplete
    case .reworded: ignoresWording
    case .differs, .failed, .dependsOnTime, .unmet: false
    }
  }

  /// `; --complete refuses 2 answers that were never recorded`
  func refusal(of counts: ReplayCounts) -> String? {
    guard isComplete, counts.notRecorded > 0 else { return nil }
    let answers = Words.count(
      counts.notRecorded, "answer that was never recorded", "answers that were never recorded")
    return "; --complete refuses \(answers)"
  }
}

extension Verdict {
  /// What lists and reports say of it; `nil` where there is nothing to say.
  var message: String? {
    switch self {
    case .same, .met: nil
    case .notRecorded: "not recorded"
    case .reworded: "the same in other words"
    case .differs(_, isKnown: true): "the answer differs"
    case .differs: "the output differs"
    case .failed: "not recorded, and fails"
    case .dependsOnTime: "depends on time: no document records it"
    case .unmet: "not as expected"
    }
  }

  var isReworded: Bool { if case .reworded = self { true } else { false } }
}

extension ReplayedCommand {
  /// Lines of the answer for those who read a report: of a command that shows values of stores only how
  /// many there are, unless values are revealed.
  func reported(_ lines: [String], revealing isRevealing: Bool) -> [String] {
    guard !isRevealing, !lines.isEmpty, answer.showsValues else { return lines }
    let count = Words.count(lines.count, "line is", "lines are")
    return ["\(count) not shown, because values of a store may be in them: replay with --reveal"]
  }
}
