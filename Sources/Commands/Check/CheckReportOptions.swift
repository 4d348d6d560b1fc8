internal import ArgumentParser
internal import StrataBase
internal import StrataPages
internal import StrataRendering

/// Options of `check`: reports for people and build servers.
struct CheckReportOptions: ParsableArguments {
  @Option(.file, "Write the results as a JUnit XML report.") var junit: String?
  @Option(.file, "Write the results as a Markdown report.") var markdown: String?
  @Option(.file, "Write the findings as a SARIF report, for code scanning.") var sarif: String?
  @Option(.file, "Write the results as a page, with what became of the objects.") var html: String?
  @Flag(help: "Replace files that exist.") var force = false
  @Flag(
    help:
      "Also print the worst findings as annotations of a GitHub workflow, and add the Markdown report to its summary."
  ) var annotate = false

  var isUsed: Bool { annotate || junit != nil || markdown != nil || sarif != nil || html != nil }

  /// The outcome with the annotations, and the reports written.
  func reporting(
    _ report: CheckReport, _ outcome: Outcome, in session: Session
  ) throws -> Outcome {
    var outcome = outcome
    let (findings, files) = (report.findingReport(in: session), report.files(in: session))
    if annotate {
      let lines = WorkflowAnnotations.worst(files).map { StyledText($0) }
      outcome.view = .stack([outcome.view, .lines(lines)])
      do {
        try session.addToSummary(MarkdownReport.encoded(findings))
      } catch let error as any DiagnosticError {
        outcome.warnings.append(error.diagnostic.asWarning)
      }
    }
    return try ReportFile.writing(
      [
        ReportFile(junit, .report, JUnitReport.encoded(files, name: "strata check")),
        ReportFile(markdown, .markdownReport, MarkdownReport.encoded(findings)),
        ReportFile(
          sarif, .sarifReport,
          SARIFReport.encoded(findings, rules: CheckRule.reported, version: Release.version)),
        ReportFile(html, .page, report.page.bytes),
      ], force: force, outcome, in: session)
  }
}

extension CheckRule {
  /// All rules of `check`, for reports.
  fileprivate static let reported = zip(Kind.allCases, pages).map {
    FindingReport.Rule($0.rawValue, $1, CheckRule($0, "").severity)
  }
}
