internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

extension DocumentReplay {
  /// Why there is no report, or what is strange about it.
  var problem: Diagnostic? {
    if let updateProblem { return updateProblem }
    switch report {
    case .failure(let diagnostic): return diagnostic
    case .success(let report) where report.results.isEmpty && !source.isOfFolder:
      return Diagnostic(
        id: "script.empty", severity: .warning, what: "there is no command in this document",
        location: Location(file: source.name),
        mend:
          "a script has a command a line; a notebook has blocks ```strata with lines `> command`"
      )
    case .success: return nil
    }
  }

  /// What the user reads of it.
  func lines(by rules: ReplayRules, isQuiet: Bool) -> [StyledText] {
    guard case .success(let report) = report else { return [] }
    let isGood = status(by: rules) == .done
    guard !isQuiet || !isGood else { return [] }
    var lines: [StyledText] = []
    for result in report.results {
      let finding = ReplayFinding(result)
      guard let words = finding.words, !finding.isGood(by: rules) else {
        continue
      }
      lines.append(.place(of: result, in: source.name, note: words))
      lines += finding.difference?.unified().map(StyledText.changed) ?? result.shown
    }
    let count = report.results.count
    lines.append(
      StyledText("replayed \(source.name): \(Words.count(count, "command", "commands")), ")
        + StyledText(ReplayCounts(report).words, isGood ? .good : .error)
        + StyledText(rules.refusal(of: ReplayCounts(report)) ?? "", .error)
        + StyledText(updated == 0 ? "" : ", \(updated) taken over"))
    return lines
  }
}

extension ReplayReport.Result {
  /// The first lines of what came out.
  fileprivate var shown: [StyledText] {
    let limit = 10
    return actual.lines.prefix(limit).map { StyledText("  \($0)") }
      + (actual.lines.count > limit ? [StyledText("  …", .faint)] : [])
  }
}

extension StyledText {
  /// A line of a difference.
  static func changed(_ line: String) -> StyledText {
    StyledText(
      "  \(line)", line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .plain)
  }

  /// `topics.md:12  compare phone Model5  (the answer differs)`
  static func place(
    of result: ReplayReport.Result, in file: String, note: String
  ) -> StyledText {
    StyledText("\(file):\(result.entry.line)", .faint)
      + StyledText("  \(result.entry.command)", .name) + StyledText("  (\(note))", .faint)
  }
}
