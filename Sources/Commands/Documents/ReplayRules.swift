internal import StrataBase
internal import StrataNotebook

/// The rules by which a replay passes or fails.
struct ReplayRules: Sendable {
  /// Whether an answer may differ in wording only.
  var ignoresWording = false
  /// Whether every answer must be recorded, except those of expectations.
  var isComplete = false

  /// Whether a replay with this verdict can pass.
  func accept(_ verdict: ReplayVerdict) -> Bool {
    switch verdict {
    case .same, .fulfilled: true
    case .notRecorded: !isComplete
    case .reworded: ignoresWording
    case .differs, .failed, .dependsOnTime, .unfulfilled: false
    }
  }

  /// `; --complete refuses 2 answers that were never recorded`
  func refusal(of counts: ReplayCounts) -> String? {
    guard isComplete, counts.notRecorded > 0 else { return nil }
    let answers = Phrase.count(
      counts.notRecorded, "answer that was never recorded", "answers that were never recorded")
    return "; --complete refuses \(answers)"
  }
}

extension ReplayReport {
  /// Whether all commands pass.
  func passes(by rules: ReplayRules = ReplayRules()) -> Bool {
    commands.allSatisfy { rules.accept($0.verdict) }
  }
}

extension ReplayVerdict {
  /// The message of a verdict in lists and reports; `nil` if there is none.
  var message: String? {
    switch self {
    case .same, .fulfilled: nil
    case .notRecorded: "not recorded"
    case .reworded: "only the wording differs"
    case .differs(_, isKnown: true): "the answer differs"
    case .differs: "the output differs"
    case .failed: "not recorded, and failed"
    case .dependsOnTime: "depends on time: cannot be recorded"
    case .unfulfilled: "not as expected"
    }
  }

  var isReworded: Bool { if case .reworded = self { true } else { false } }
}

extension ReplayedCommand {
  /// The lines of the answer in a report. For a command that shows values of stores, only their number,
  /// unless values are revealed.
  func reported(_ lines: [String], revealing isRevealing: Bool) -> [String] {
    guard !isRevealing, !lines.isEmpty, answer.showsValues else { return lines }
    let count = Phrase.count(lines.count, "line is", "lines are")
    return ["\(count) hidden because of possible values of a store: replay with --reveal"]
  }
}
