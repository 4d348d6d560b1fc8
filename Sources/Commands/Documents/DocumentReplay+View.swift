internal import StrataDiagnostics
internal import StrataNotebook
internal import StrataRendering

extension DocumentReplay {
  /// Why there is no report, or what is strange about it.
  var problem: Diagnostic? {
    switch report {
    case .failure(let diagnostic): return diagnostic
    case .success(let report) where report.results.isEmpty:
      return Diagnostic(
        id: "script.empty", severity: .warning, what: "there is no command in this document",
        location: Location(file: source.name),
        mend:
          "a script has a command a line; a notebook has blocks ```strata with lines `> command`"
      )
    case .success: return nil
    }
  }

  func lines(ignoringWording: Bool) -> [StyledText] {
    guard case .success(let report) = report else { return [] }
    var lines: [StyledText] = []
    for result in report.results {
      guard case .differs(let difference, let change) = result.verdict,
        !ignoringWording || change != .wording
      else { continue }
      lines.append(heading(result, note: change?.words))
      lines += difference.styled
    }
    for result in report.failures {
      lines.append(
        heading(result) + StyledText("  not recorded, and fails (\(result.actual.status))", .error))
    }
    for result in report.unmet where result.verdict == .same || result.verdict == .notRecorded {
      lines.append(heading(result) + StyledText("  not as expected", .error))
    }
    let isGood = status(ignoringWording: ignoringWording) == .done
    let count = report.results.count
    let words = [
      "\(report.same) same",
      report.differing == 0 ? nil : "\(report.differing) differ",
      report.reworded == 0 ? nil : "\(report.reworded) of these in words alone",
      report.notRecorded == 0 ? nil : "\(report.notRecorded) not recorded",
      report.failures.isEmpty ? nil : "\(report.failures.count) failed",
      report.unmet.isEmpty ? nil : "\(report.unmet.count) not as expected",
      updated == 0 ? nil : "\(updated) taken over",
    ].compactMap { $0 }.joined(separator: ", ")
    lines.append(
      StyledText("replayed \(source.name): \(Words.count(count, "command", "commands")), ")
        + StyledText(words, isGood ? .good : .error))
    return lines
  }

  private func heading(_ result: ReplayReport.Result, note: String? = nil) -> StyledText {
    .place(of: result, in: source.name, note: note)
  }
}

extension ReplayReport.Change {
  var words: String {
    switch self {
    case .wording: "the same in other words"
    case .answer: "the answer differs"
    }
  }
}

extension OutputDifference {
  /// The difference to look at.
  var styled: [StyledText] { unified().map(StyledText.changed) }
}

extension StyledText {
  /// A line of a difference.
  static func changed(_ line: String) -> StyledText {
    StyledText(
      "  \(line)", line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .plain)
  }

  /// `topics.md:12  compare phone Model5`
  static func place(
    of result: ReplayReport.Result, in file: String, note: String? = nil
  ) -> StyledText {
    StyledText("\(file):\(result.entry.line)", .faint)
      + StyledText("  \(result.entry.command)", .name)
      + StyledText(note.map { "  (\($0))" } ?? "", .faint)
  }
}
