internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

extension DocumentReplay {
  /// What came of it, for reports.
  ///
  /// - Parameter isRevealing: Whether values out of stores are in it.
  func checked(by rules: ReplayRules, revealing isRevealing: Bool) -> CheckedFile {
    switch report {
    case .failure(let diagnostic):
      CheckedFile(
        name: source.name, cases: [],
        error: CheckedCase.Failure(
          message: diagnostic.what, details: [diagnostic.mend].compactMap { $0 },
          line: diagnostic.location?.line))
    case .success(let report):
      CheckedFile(
        name: source.name,
        cases: report.results.map { result in
          CheckedCase(
            name: result.entry.command, line: result.entry.line,
            result: Self.checked(result, by: rules, revealing: isRevealing))
        })
    }
  }

  private static func checked(
    _ result: ReplayReport.Result, by rules: ReplayRules, revealing isRevealing: Bool
  ) -> CheckedCase.Result {
    let finding = ReplayFinding(result)
    guard let words = finding.words, !finding.isGood(by: rules) else {
      if case .notRecorded = finding { return .skipped("nothing was recorded") }
      return .passed
    }
    let details =
      switch finding {
      case .reworded(let difference), .differs(let difference, _): difference.unified()
      default: result.actual.lines
      }
    return .failed(
      CheckedCase.Failure(
        message: words,
        details: ReplayFinding.reported(details, of: result, revealing: isRevealing)))
  }
}
