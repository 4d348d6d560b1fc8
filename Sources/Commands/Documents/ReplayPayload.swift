internal import StrataDiagnostics
internal import StrataNotebook
internal import StrataRendering

extension DocumentReplay {
  var payload: ReplayPayload {
    switch report {
    case .success(let report): ReplayPayload(file: source.name, report, updated: updated)
    case .failure(let diagnostic): ReplayPayload(file: source.name, error: diagnostic)
    }
  }
}

/// The JSON shape of `replay`, one for each file.
struct ReplayPayload: Encodable, Sendable {
  struct Difference: Encodable, Sendable {
    var line: Int
    var command: String
    /// `wording` or `answer`, where that is known.
    var kind: ReplayReport.Change?
    var difference: [String]
  }

  var file: String
  var commands = 0
  var same = 0
  var differing = 0
  /// How many of these differ in words alone.
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

  init(file: String, error: Diagnostic) {
    self.file = file
    self.error = DiagnosticPayload(error)
  }

  init(file: String, _ report: ReplayReport, updated: Int) {
    self.file = file
    self.updated = updated
    commands = report.results.count
    same = report.same
    differing = report.differing
    reworded = report.reworded
    notRecorded = report.notRecorded
    failing = report.failures.count
    unmet = report.unmet.count
    differences = report.results.compactMap { result in
      guard case .differs(let difference, let change) = result.verdict else { return nil }
      return Difference(
        line: result.entry.line, command: result.entry.command, kind: change,
        difference: difference.unified())
    }
  }
}
