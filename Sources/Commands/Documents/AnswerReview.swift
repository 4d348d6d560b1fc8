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

  private static let question = "take this change? [y,n,a,d,q,?] "
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
    for (index, result) in report.results.enumerated() {
      switch result.verdict {
      case .same: continue
      case .notRecorded:
        let lines =
          result.actual.lines.map { "+" + $0 }
          + (result.actual.status == 0 ? [] : ["+? \(result.actual.status)"])
        if takes(result, "nothing was recorded", lines, &mood, ask) {
          taken[index] = result.actual
        }
      case .differs(let difference, let change):
        var accepted: Set<Int> = []
        for (number, hunk) in difference.hunks().enumerated()
        where takes(result, change?.words, hunk.unified, &mood, ask) {
          accepted.insert(number)
        }
        let takesStatus =
          !difference.hasSameStatus
          && takes(result, "the exit status", difference.unifiedStatus, &mood, ask)
        if takesStatus || !accepted.isEmpty {
          taken[index] = difference.rewritten(accepting: accepted, takesStatus: takesStatus)
        }
      }
    }
    return (taken, mood == .hasQuit)
  }

  private func takes(
    _ result: ReplayReport.Result, _ note: String?, _ lines: [String], _ mood: inout Mood,
    _ ask: Session.Asking
  ) -> Bool {
    guard mood == .asking else { return mood == .takingAll }
    var shown = renderer.text(
      .lines([.place(of: result, in: file, note: note)] + lines.map(StyledText.changed)))
    while true {
      switch ask(shown, Self.question)?.lowercased() {
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
