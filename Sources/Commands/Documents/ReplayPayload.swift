internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The JSON shape of `replay`, one for each file. Each command is counted once.
struct ReplayPayload: Encodable, Sendable {
  struct Difference: Encodable, Sendable {
    var line: Int
    var command: String
    /// In words what is wrong: `the answer differs`, `not as expected` …
    var finding: String
    /// What came out, or how it differs from what was recorded.
    var difference: [String]
  }

  var file: String
  var commands = 0
  var same = 0
  /// Expectations that were met, of which no answer was recorded.
  var met = 0
  var differing = 0
  /// The same data in other words.
  var reworded = 0
  var notRecorded = 0
  /// Commands that were not recorded and could not be done.
  var failing = 0
  /// Expectations that were not met.
  var unmet = 0
  /// Answers that the document took over.
  var updated = 0
  var differences: [Difference] = []
  /// Why nothing was replayed.
  var error: DiagnosticPayload?

  /// - Parameter isRevealing: Whether values out of stores are in it.
  init(_ replay: DocumentReplay, by rules: ReplayRules, revealing isRevealing: Bool) {
    file = replay.source.name
    updated = replay.updated
    switch replay.report {
    case .failure(let diagnostic): error = DiagnosticPayload(diagnostic)
    case .success(let report):
      let counts = ReplayCounts(report)
      commands = report.results.count
      same = counts.same
      met = counts.met
      differing = counts.differing
      reworded = counts.reworded
      notRecorded = counts.notRecorded
      failing = counts.failing
      unmet = counts.unmet
      differences = report.results.compactMap { result in
        let finding = ReplayFinding(result)
        guard let words = finding.words, !finding.isGood(by: rules) || finding.isReworded else {
          return nil
        }
        return Difference(
          line: result.entry.line, command: result.entry.command, finding: words,
          difference: ReplayFinding.reported(
            finding.difference?.unified() ?? result.actual.lines, of: result,
            revealing: isRevealing))
      }
    }
  }
}
