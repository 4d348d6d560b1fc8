internal import StrataDiagnostics
internal import StrataNotebook
internal import StrataReports

extension DocumentReplay {
  /// What came of it, for reports.
  func checked(ignoringWording: Bool) -> CheckedFile {
    switch report {
    case .failure(let diagnostic):
      return CheckedFile(
        name: source.name, cases: [],
        error: CheckedCase.Failure(
          message: diagnostic.what, details: [diagnostic.mend].compactMap { $0 },
          line: diagnostic.location?.line))
    case .success(let report):
      let failing = Set((report.failures + report.unmet).map(\.entry.line))
      return CheckedFile(
        name: source.name,
        cases: report.results.map { result in
          CheckedCase(
            name: result.entry.command, line: result.entry.line,
            result: Self.checked(
              result, fails: failing.contains(result.entry.line),
              ignoringWording: ignoringWording))
        })
    }
  }

  private static func checked(
    _ result: ReplayReport.Result, fails: Bool, ignoringWording: Bool
  ) -> CheckedCase.Result {
    switch result.verdict {
    case .same where fails:
      .failed(
        CheckedCase.Failure(message: "not as expected", details: result.actual.lines))
    case .same: .passed
    case .differs(_, .wording) where ignoringWording && !fails: .passed
    case .differs(let difference, let change):
      .failed(
        CheckedCase.Failure(
          message: change?.words ?? "the output differs", details: difference.unified()))
    case .notRecorded where fails:
      .failed(
        CheckedCase.Failure(
          message: result.actual.status == ExitStatus.no.rawValue
            ? "not as expected" : "not recorded, and fails (\(result.actual.status))",
          details: result.actual.lines))
    case .notRecorded: .skipped("nothing was recorded")
    }
  }
}
