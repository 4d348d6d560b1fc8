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
  /// - Parameter name: What was checked.
  func reporting(
    _ findings: [Finding], of name: String, _ outcome: Outcome, in session: Session
  ) throws -> Outcome {
    let checked = CheckedFile(name: name, findings: findings)
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
