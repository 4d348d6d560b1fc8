internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

extension DocumentReplay {
  /// The errors and warnings of the replay.
  var problem: Diagnostic? {
    if let updateProblem { return updateProblem }
    switch report {
    case .failure(let diagnostic): return diagnostic
    case .success(let report) where report.commands.isEmpty && !source.isOfFolder:
      return Diagnostic(
        id: "script.empty", severity: .warning, what: "the document contains no commands",
        location: Location(file: source.name),
        fix:
          "a script has one command per line; a notebook has ```strata blocks with lines `> command`"
      )
    case .success: return nil
    }
  }

  /// The result as text.
  func lines(by rules: ReplayRules, isQuiet: Bool) -> [StyledText] {
    guard case .success(let report) = report else { return [] }
    let isGood = status(by: rules) == .done
    guard !isQuiet || !isGood else { return [] }
    var lines: [StyledText] = []
    for command in report.commands {
      guard let message = command.verdict.message, !rules.accept(command.verdict) else { continue }
      lines.append(.location(of: command, in: source.name, note: message))
      lines += command.verdict.difference?.unified().map(StyledText.changed) ?? command.shown
    }
    let count = report.commands.count
    let counts = ReplayCounts(report.commands.map(\.verdict))
    lines.append(
      StyledText("replayed \(source.name): \(Phrase.count(count, "command")), ")
        + StyledText(counts.summary, isGood ? .good : .error)
        + StyledText(rules.refusal(of: counts) ?? "", .error)
        + StyledText(updated == 0 ? "" : ", \(updated) updated")
        + StyledText(
          hidden == 0 ? "" : ", \(hidden) of them hidden: --reveal records their values", .faint))
    return lines
  }
}

extension ReplayedCommand {
  /// The first lines of the output.
  fileprivate var shown: [StyledText] {
    let limit = 10
    let lines = answer.output.lines
    return lines.prefix(limit).map { StyledText("  \($0)") }
      + (lines.count > limit ? [StyledText("  …", .faint)] : [])
  }
}

extension StyledText {
  /// A line of a difference.
  static func changed(_ line: String) -> StyledText {
    StyledText(
      "  \(line)", line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .plain)
  }

  /// `topics.md:12  compare phone Model5  (the answer differs)`
  static func location(
    of command: ReplayedCommand, in file: String, note: String
  ) -> StyledText {
    StyledText("\(file):\(command.entry.line)", .faint)
      + StyledText("  \(command.entry.command)", .name) + StyledText("  (\(note))", .faint)
  }
}
