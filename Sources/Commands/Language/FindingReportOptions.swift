internal import ArgumentParser
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataRendering
internal import StrataReports

/// Options of the commands that answer with findings: reports for build servers.
struct FindingReportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write the findings in JUnit's XML.", valueName: "file"),
    completion: .file())
  var junit: String?
  @Flag(help: "Replace the report where one is there.") var force = false
  @Flag(help: "Print errors as annotations of a GitHub workflow too.") var annotate = false

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
    var outcome = outcome
    if annotate {
      let lines = WorkflowAnnotations.lines([checked]).map { StyledText($0) }
      outcome.view = .stack([outcome.view, .lines(lines)])
    }
    if let junit {
      var update = FolderUpdate()
      update.write(
        JUnitReport.encoded([checked], name: "strata"),
        to: try session.newPath(junit, force: force, isDocument: true))
      try update.commit()
    }
    return outcome
  }
}
