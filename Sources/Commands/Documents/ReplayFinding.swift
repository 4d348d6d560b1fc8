internal import StrataBase
internal import StrataNotebook

/// What became of one command of a replayed document.
enum ReplayFinding {
  case same
  /// The same data in other words.
  case reworded(OutputDifference)
  /// Another answer; or other words, and nothing tells whether the data are the same.
  case differs(OutputDifference, isKnown: Bool)
  /// Nothing was recorded, and nothing is wrong.
  case notRecorded
  /// Nothing was recorded, and it is an expectation that is met.
  case met
  /// Nothing was recorded, and it could not be done.
  case failed
  /// It was ended by a limit of time, by another program or by the user: whatever was recorded, it is no answer of the
  /// document.
  case dependsOnTime
  /// An expectation that is not met, perhaps in a document that the command ran: that is wrong whatever
  /// was recorded.
  case unmet(OutputDifference?)

  init(_ result: ReplayReport.Result) {
    switch result.verdict {
    case _ where result.dependsOnTime: self = .dependsOnTime
    case .differs(let difference, _) where result.isFailure: self = .unmet(difference)
    case _ where result.isFailure: self = .unmet(nil)
    case .differs(let difference, .wording): self = .reworded(difference)
    case .differs(let difference, let change): self = .differs(difference, isKnown: change != nil)
    case .same: self = .same
    case .notRecorded where result.actual.status >= ExitStatus.failed.rawValue: self = .failed
    case .notRecorded where result.isMetExpectation: self = .met
    // A remark or `quit` says nothing: there is nothing to record.
    case .notRecorded: self = result.actual == RecordedOutput() ? .same : .notRecorded
    }
  }

  /// What is said of it in a list; `nil` where nothing is.
  var words: String? {
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

  /// How the answer differs from the recorded one; `nil` where it does not, or nothing was recorded.
  var difference: OutputDifference? {
    switch self {
    case .reworded(let difference), .differs(let difference, _): difference
    case .unmet(let difference): difference
    case .same, .met, .notRecorded, .failed, .dependsOnTime: nil
    }
  }

  /// Whether only the words differ.
  var isReworded: Bool { if case .reworded = self { true } else { false } }
  /// Lines of an answer for those who read a report: of a command that shows values out of stores only how
  /// many there are, unless values are revealed.
  static func reported(
    _ lines: [String], of result: ReplayReport.Result, revealing isRevealing: Bool
  ) -> [String] {
    guard !isRevealing, !lines.isEmpty, result.entry.showsValues else { return lines }
    let count = Words.count(lines.count, "line is", "lines are")
    return ["\(count) not shown, because values of a store may be in them: replay with --reveal"]
  }

  /// Whether a replay may end well with it.
  func isGood(by rules: ReplayRules) -> Bool {
    switch self {
    case .same, .met: true
    case .notRecorded: !rules.isComplete
    case .reworded: rules.ignoresWording
    case .differs, .failed, .dependsOnTime, .unmet: false
    }
  }

  /// Whether there is something that the document can take over.
  var isUpdate: Bool {
    switch self {
    case .reworded, .differs, .notRecorded, .met: true
    case .same, .failed, .dependsOnTime, .unmet: false
    }
  }
}

/// What a replay accepts.
struct ReplayRules: Sendable {
  /// Whether an answer may say the same in other words.
  var ignoresWording = false
  /// Whether every answer must have been recorded; an expectation needs no record.
  var isComplete = false

  /// `; --complete refuses 2 answers that were never recorded`
  func refusal(of counts: ReplayCounts) -> String? {
    guard isComplete, counts.notRecorded > 0 else { return nil }
    let answers = Words.count(
      counts.notRecorded, "answer that was never recorded", "answers that were never recorded")
    return "; --complete refuses \(answers)"
  }
}

extension SessionEntry {
  /// Whether the answer of the command holds values out of stores.
  fileprivate var showsValues: Bool {
    guard case .complete(let words) = CommandLineLexer.words(of: command), let name = words.first
    else { return false }
    return CommandTable.named(name.text)?.showsValues ?? false
  }
}

/// How many commands of a document came out how; each is counted once.
struct ReplayCounts {
  private(set) var same = 0
  private(set) var met = 0
  private(set) var reworded = 0
  private(set) var differing = 0
  private(set) var notRecorded = 0
  private(set) var failing = 0
  private(set) var unmet = 0

  init(_ report: ReplayReport) {
    for result in report.results {
      switch ReplayFinding(result) {
      case .same: same += 1
      case .met: met += 1
      case .reworded: reworded += 1
      case .differs: differing += 1
      case .notRecorded: notRecorded += 1
      case .failed, .dependsOnTime: failing += 1
      case .unmet: unmet += 1
      }
    }
  }

  /// `8 same, 3 differ`
  var words: String {
    [
      (same, "same"), (met, "as expected"), (differing, differing == 1 ? "differs" : "differ"),
      (reworded, "in other words"), (notRecorded, "not recorded"), (failing, "failed"),
      (unmet, "not as expected"),
    ].enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
      .map { "\($0.element.0) \($0.element.1)" }.joined(separator: ", ")
  }
}
