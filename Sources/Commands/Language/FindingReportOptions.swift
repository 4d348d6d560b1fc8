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
    var checked = session.checkedFile(name, findings, in: name)
    checked.cases += fixed.map { CheckedCase($0.finding, fixedBy: $0.done) }
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

/// A command that reports findings. A report of it is written also if the command fails, so that none of an earlier run
/// stays.
protocol FindingsCommand: StrataCommand {
  var reports: FindingReportOptions { get }
}

extension FindingReportOptions {
  /// The error of a command, after the report has it too; otherwise with a note why it has not.
  func reporting(
    _ error: Diagnostic, of command: String, in session: Session
  ) -> Diagnostic {
    guard isUsed else { return error }
    let failed = CheckedFile(name: error.location?.file ?? command, unchecked: error)
    var error = error
    let outcome = try? reporting([failed], Outcome(.nothing, json: [:]), in: session)
    error.notes += (outcome?.warnings ?? []).map { "the report is not written: \($0.what)" }
    return error
  }
}

extension Finding {
  /// The finding with the name of the program in the commands of its fixes, which are run in a shell.
  func namingProgram() -> Finding {
    var finding = self
    for index in fixes.indices {
      finding.fixes[index].commands = fixes[index].commands.map { command in
        CommandTable.shellForm(of: command) ?? command
      }
    }
    return finding
  }
}
