internal import StrataNotebook

/// How many commands of a document came out how; each is counted once.
struct ReplayCounts: Encodable {
  private(set) var same = 0
  /// Expectations that were met, of which no answer was recorded.
  private(set) var met = 0
  private(set) var differing = 0
  /// The same data in other words.
  private(set) var reworded = 0
  private(set) var notRecorded = 0
  /// Commands that were not recorded and failed, or whose answers depend on time.
  private(set) var failing = 0
  /// Expectations that were not met.
  private(set) var unmet = 0

  init(_ verdicts: some Sequence<Verdict>) {
    for verdict in verdicts {
      switch verdict {
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
  var summary: String {
    [
      (same, "same"), (met, "as expected"), (differing, differing == 1 ? "differs" : "differ"),
      (reworded, "in other words"), (notRecorded, "not recorded"), (failing, "failed"),
      (unmet, "not as expected"),
    ].enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
      .map { "\($0.element.0) \($0.element.1)" }.joined(separator: ", ")
  }
}
