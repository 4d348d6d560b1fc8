internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

extension DocumentReplay {
  /// The result for a JUnit report or annotations.
  ///
  /// - Parameter isRevealing: Whether values of stores are included.
  func checked(by rules: ReplayRules, revealing isRevealing: Bool) -> CheckedFile {
    switch report {
    case .failure(let diagnostic):
      CheckedFile(name: source.name, unchecked: diagnostic)
    case .success(let report):
      CheckedFile(
        name: source.name,
        cases: report.commands.map { command in
          CheckedCase(
            name: command.entry.command, line: command.entry.line,
            result: Self.checked(command, by: rules, revealing: isRevealing))
        })
    }
  }

  private static func checked(
    _ command: ReplayedCommand, by rules: ReplayRules, revealing isRevealing: Bool
  ) -> CheckedCase.Result {
    let verdict = command.verdict
    guard let message = verdict.message, !rules.accept(verdict) else {
      return verdict == .notRecorded ? .skipped("nothing was recorded") : .passed
    }
    let details =
      switch verdict {
      case .reworded(let difference), .differs(let difference, _): difference.unified()
      default: command.answer.output.lines
      }
    return .found(
      .error,
      CheckedCase.Failure(
        message: message, details: command.reported(details, revealing: isRevealing)))
  }
}
