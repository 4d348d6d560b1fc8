internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

extension DocumentReplay {
  /// The counts next to the other keys; a difference is the output, or its difference from the recorded output.
  ///
  /// - Parameter isRevealing: Whether values of stores are included.
  func json(by rules: ReplayRules, revealing isRevealing: Bool) -> JSONValue {
    let commands = (try? report.get())?.commands ?? []
    let error: JSONValue? = if case .failure(let problem) = report { problem.json } else { nil }
    let differences = commands.compactMap { command -> JSONValue? in
      let verdict = command.verdict
      guard let message = verdict.message, !rules.accept(verdict) || verdict.isReworded else {
        return nil
      }
      let difference = verdict.difference?.unified() ?? command.answer.output.lines
      return [
        "line": command.entry.line, "command": command.entry.command, "finding": message,
        "difference": command.reported(difference, revealing: isRevealing),
      ]
    }
    let members: JSONValue.Members = [
      "file": source.name, "commands": commands.count, "updated": updated,
      "differences": differences, "error": error,
    ]
    return .object(withoutNull: ReplayCounts(commands.map(\.verdict)).members + members)
  }
}
