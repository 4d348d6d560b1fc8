internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// Options of commands that report findings: reports for build servers.
struct FindingReportOptions: ParsableArguments {
  @Option(.file, "Write the findings as a JUnit XML report.") var junit: String?
  @Flag(help: "Replace a file that exists.") var force = false
  @Flag(help: "Also print the findings as annotations of a GitHub workflow.") var annotate = false

  /// Whether a report or annotations are requested.
  var isUsed: Bool { junit != nil || annotate }

  /// The outcome with the annotations, and the report written.
  ///
  /// - Parameters:
  ///   - fixed: The fixed findings, each with the fix that was applied.
  ///   - name: The name of the checked item.
  func reporting(
    _ findings: [Finding], fixed: [(finding: Finding, done: String)] = [], of name: String,
    _ outcome: Outcome, in session: Session
  ) throws -> Outcome {
    let file = session.reportedFile(name)
    var checked = CheckedFile(name: name, findings: findings.map { file?.located($0) ?? $0 })
    checked.cases += fixed.map { CheckedCase($0.finding, fixedBy: $0.done) }
    checked.file = file?.path
    return try reporting([checked], outcome, in: session)
  }

  /// The outcome with the annotations, and the report written.
  func reporting(
    _ files: [CheckedFile], _ outcome: Outcome, in session: Session
  ) throws -> Outcome {
    var outcome = outcome
    if annotate {
      let lines = WorkflowAnnotations.lines(files).map { StyledText($0) }
      outcome.view = .stack([outcome.view, .lines(lines)])
    }
    return try ReportFile.writing(
      [ReportFile(junit, .report, JUnitReport.encoded(files, name: "strata"))], force: force,
      outcome, in: session)
  }
}
