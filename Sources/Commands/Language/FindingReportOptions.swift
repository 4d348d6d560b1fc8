internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataRendering

/// Options of the commands that answer with findings: reports for build servers.
struct FindingReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(.file, "Write the findings in JUnit's XML."),
    completion: .file())
  var junit: String?
  @Flag(help: "Replace a file that exists.") var force = false
  @Flag(help: "Print the findings as annotations of a GitHub workflow too.") var annotate = false

  /// Whether a report is asked for.
  var isUsed: Bool { junit != nil || annotate }

  /// The outcome with the annotations, and the report written.
  ///
  /// - Parameters:
  ///   - fixed: Findings that were fixed, each with what was done.
  ///   - name: What was checked.
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
    guard let junit else { return outcome }
    // What was found is told, whatever becomes of the report.
    do {
      var update = FolderUpdate()
      update.write(
        JUnitReport.encoded(files, name: "strata"),
        to: try session.newPath(junit, as: .report, force: force))
      try update.commit()
    } catch let error as any DiagnosticError {
      outcome.warnings.append(error.diagnostic)
      outcome.status = .failed
    }
    return outcome
  }
}
