internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// `forget [N]`
struct Forget: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Leaves the last line of the session out of what `save` writes.",
    discussion: """
      Nothing else changes: what the command did stays done. What is in a document already, an editor \
      takes out.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "a slip that is not saved", "load sample:Topics", "diff Model1 Model4", "forget",
      "diff Model1 Model2", "save topics.md")
  ]

  @Argument(help: ArgumentHelp("How many lines.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func validate() throws {
    guard count > 0 else { throw ValidationError("name how many lines: 1 or more") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let steps = session.record.steps
    guard !steps.isEmpty else {
      throw Diagnostic(
        id: "session.nothingToForget",
        what:
          "nothing was asked since \(session.hasDocument ? "the document was saved or opened" : "the session began")",
        fix: "what is in a document already, an editor takes out")
    }
    let forgotten = steps.suffix(count).map(\.line)
    session.record.steps.removeLast(forgotten.count)
    return Outcome(
      .lines(forgotten.map { StyledText("forgot ") + StyledText($0, .name) }),
      payload: ["forgotten": forgotten])
  }
}
