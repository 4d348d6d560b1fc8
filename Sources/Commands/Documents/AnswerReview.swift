internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// Goes through the changes of a replay with the user, as `git add --patch` goes through those of a
/// file.
struct AnswerReview {
  private let report: ReplayReport
  private let file: String
  private let renderer: Renderer

  init(of report: ReplayReport, in file: String, _ renderer: Renderer) {
    self.report = report
    self.file = file
    self.renderer = renderer
  }

  /// What the user said about the changes to come.
  private enum Mood {
    case asking, takingAll, takingNone, hasQuit
  }

  private static let meanings = """
    y  take this change
    n  leave it
    a  take it and all that follow in this document
    d  leave it and all that follow in this document
    q  leave it and all that follow in every document

    """

  /// The outputs to record, by index of the entry, and whether the user wants to be asked no more.
  func taken(asking ask: Session.Asking) -> (outputs: [Int: RecordedOutput], hasQuit: Bool) {
    var taken: [Int: RecordedOutput] = [:]
    var mood = Mood.asking
    let changes = report.commands.enumerated().flatMap { index, command in
      Self.changes(of: command).map { (index, command, $0) }
    }
    var accepted: [Int: Set<Int>] = [:]
    for (place, (index, command, change)) in changes.enumerated() {
      let question = "take this change (\(place + 1) of \(changes.count))? [y,n,a,d,q,?] "
      if takes(command, change, question, &mood, ask) {
        accepted[index, default: []].insert(change.hunk)
      }
    }
    for (index, hunks) in accepted {
      let command = report.commands[index]
      guard let difference = command.verdict.difference else {
        taken[index] = command.answer.output
        continue
      }
      taken[index] =
        difference.hasSameStatus
        ? difference.rewritten(accepting: hunks, takesStatus: false)
        : difference.rewritten(
          accepting: Set(difference.hunks().indices), takesStatus: true)
    }
    return (taken, mood == .hasQuit)
  }

  /// What is asked about at once.
  private struct Change {
    /// Which hunk of the difference; with the exit status all of them are one change.
    var hunk = 0
    var lines: [String]
    var note: String
  }

  private static func changes(of command: ReplayedCommand) -> [Change] {
    switch command.verdict {
    case .same, .failed, .dependsOnTime, .unmet: return []
    case .notRecorded, .met:
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

  private func takes(
    _ command: ReplayedCommand, _ change: Change, _ question: String, _ mood: inout Mood,
    _ ask: Session.Asking
  ) -> Bool {
    guard mood == .asking else { return mood == .takingAll }
    var shown = renderer.text(
      .lines(
        [.place(of: command, in: file, note: change.note)] + change.lines.map(StyledText.changed)))
    while true {
      switch ask(shown, question)?.lowercased() {
      case "y", "yes": return true
      case "n", "no": return false
      case "a":
        mood = .takingAll
        return true
      case "d":
        mood = .takingNone
        return false
      case "q", nil:
        mood = .hasQuit
        return false
      default: shown = Self.meanings
      }
    }
  }
}
