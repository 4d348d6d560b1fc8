internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// Shows the parts of a document while its commands run: immediately if the session has a terminal, else as lines of the
/// answer.
struct ShownParts {
  /// The lines that were not shown yet.
  private(set) var lines: [StyledText] = []
  /// The number of lines on the terminal.
  private(set) var rowCount = 0
  let isSilent: Bool

  /// - Parameter isSilent: Whether nothing is shown, because the answer is JSON.
  init(isSilent: Bool) { self.isSilent = isSilent }

  mutating func add(
    _ lines: [StyledText], as view: ([StyledText]) -> View = View.lines, in session: Session
  ) {
    guard !isSilent else { return }
    if let deliver = session.deliver {
      show(Evaluation(output: session.renderer.text(view(lines))), by: deliver)
    } else {
      self.lines += lines
    }
  }

  /// Adds a command and its answer.
  mutating func add(
    _ command: String, _ answer: Answer, _ evaluation: Evaluation, in session: Session
  ) {
    guard !isSilent else { return }
    let echo = StyledText("> ", .faint) + StyledText(command, .name)
    if let deliver = session.deliver {
      var evaluation = evaluation
      evaluation.output = session.renderer.text(.line(echo)) + evaluation.output
      show(evaluation, by: deliver)
    } else {
      lines += [echo] + answer.output.lines.map { StyledText($0) }
    }
  }

  private mutating func show(_ evaluation: Evaluation, by deliver: (Evaluation) -> Void) {
    rowCount += (evaluation.output + evaluation.diagnostics).count { $0 == "\n" }
    deliver(evaluation)
  }
}
