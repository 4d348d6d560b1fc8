internal import StrataNotebook
internal import StrataRendering

/// The number of commands of a document per verdict; each command is counted once.
struct ReplayCounts {
  private(set) var same = 0
  /// Fulfilled expectations without a recorded answer.
  private(set) var fulfilled = 0
  private(set) var differing = 0
  /// Answers with the same data but different wording.
  private(set) var reworded = 0
  private(set) var notRecorded = 0
  /// Commands that failed without a recorded answer, or whose answers depend on time.
  private(set) var failing = 0
  /// Unfulfilled expectations.
  private(set) var unfulfilled = 0

  init(_ verdicts: some Sequence<ReplayVerdict>) {
    for verdict in verdicts {
      switch verdict {
      case .same: same += 1
      case .fulfilled: fulfilled += 1
      case .reworded: reworded += 1
      case .differs: differing += 1
      case .notRecorded: notRecorded += 1
      case .failed, .dependsOnTime: failing += 1
      case .unfulfilled: unfulfilled += 1
      }
    }
  }

  var members: JSONValue.Members {
    [
      "same": same, "met": fulfilled, "differing": differing, "reworded": reworded,
      "notRecorded": notRecorded, "failing": failing, "unmet": unfulfilled,
    ]
  }

  /// `8 same, 3 differ`
  var summary: String {
    [
      (same, "same"), (fulfilled, "as expected"),
      (differing, differing == 1 ? "differs" : "differ"),
      (reworded, "reworded"), (notRecorded, "not recorded"), (failing, "failed"),
      (unfulfilled, "not as expected"),
    ].enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
      .map { "\($0.element.0) \($0.element.1)" }.joined(separator: ", ")
  }
}
