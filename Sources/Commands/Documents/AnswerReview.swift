internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// Asks the user about each change of a replay, like `git add --patch`.
struct AnswerReview {
  private let report: ReplayReport
  private let file: String
  private let renderer: Renderer

  init(of report: ReplayReport, in file: String, _ renderer: Renderer) {
    self.report = report
    self.file = file
    self.renderer = renderer
  }

  /// The user's decision about the remaining changes.
  private enum Decision {
    case prompting, acceptingAll, rejectingAll, hasQuit
  }

  private static let meanings = """
    y  accept this change
    n  reject it
    a  accept it and all later changes in this document
    d  reject it and all later changes in this document
    q  reject it and all later changes in all documents

    """

  /// The accepted outputs, by index of the entry, and whether the user has quit.
  func acceptedOutputs(prompting prompt: Session.Prompt) -> (
    outputs: [Int: RecordedOutput], hasQuit: Bool
  ) {
    var outputs: [Int: RecordedOutput] = [:]
    var decision = Decision.prompting
    let changes = report.commands.enumerated().flatMap { index, command in
      Self.changes(of: command).map { (index, command, $0) }
    }
    var acceptedHunks: [Int: Set<Int>] = [:]
    for (offset, (index, command, change)) in changes.enumerated() {
      let question = "accept this change (\(offset + 1) of \(changes.count))? [y,n,a,d,q,?] "
      if accepts(command, change, question, &decision, prompt) {
        acceptedHunks[index, default: []].insert(change.hunk)
      }
    }
    for (index, hunks) in acceptedHunks {
      let command = report.commands[index]
      guard let difference = command.verdict.difference else {
        outputs[index] = command.answer.output
        continue
      }
      outputs[index] =
        difference.hasSameStatus
        ? difference.rewritten(accepting: hunks, takesStatus: false)
        : difference.rewritten(
          accepting: Set(difference.hunks().indices), takesStatus: true)
    }
    return (outputs, decision == .hasQuit)
  }

  /// The subject of one question.
  private struct Change {
    /// The index of the hunk in the difference; if the exit status differs, all hunks are one change.
    var hunk = 0
    var lines: [String]
    var note: String
  }

  private static func changes(of command: ReplayedCommand) -> [Change] {
    switch command.verdict {
    case .same, .failed, .dependsOnTime, .unfulfilled: return []
    case .notRecorded, .fulfilled:
      return [
        Change(
          lines: command.answer.output.lines.map { "+" + $0 }
            + (command.answer.output.status == .done ? [] : ["+? \(command.answer.output.status)"]),
          note: "nothing was recorded")
      ]
    case .reworded(let difference), .differs(let difference, _):
      let note = command.verdict.message ?? ""
      guard difference.hasSameStatus else {
        return [Change(lines: difference.unified(), note: note)]
      }
      return difference.hunks().enumerated().map {
        Change(hunk: $0.offset, lines: $0.element.unified, note: note)
      }
    }
  }

  private func accepts(
    _ command: ReplayedCommand, _ change: Change, _ question: String, _ decision: inout Decision,
    _ prompt: Session.Prompt
  ) -> Bool {
    guard decision == .prompting else { return decision == .acceptingAll }
    var shown = renderer.text(
      .lines(
        [.location(of: command, in: file, note: change.note)] + change.lines.map(StyledText.changed)
      ))
    while true {
      switch prompt(shown, question)?.lowercased() {
      case "y", "yes": return true
      case "n", "no": return false
      case "a":
        decision = .acceptingAll
        return true
      case "d":
        decision = .rejectingAll
        return false
      case "q", nil:
        decision = .hasQuit
        return false
      default: shown = Self.meanings
      }
    }
  }
}
