internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// The command `forget [N]`.
struct Forget: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "forget",
    abstract: "Excludes the last lines of the session from `save`.",
    discussion: """
      The effects of the command remain. Lines that are already saved in a document remain there: \
      remove them with a text editor.
      """)
  static let examples = [
    CommandExample(
      "a mistake that is not saved", "load sample:Topics", "diff Model1 Model4", "forget",
      "diff Model1 Model2", "save topics.md")
  ]

  @Argument(help: ArgumentHelp("Number of lines; 1 by default.", valueName: "n")) var count = 1
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func validate() throws {
    guard count > 0 else { throw ValidationError("the number of lines must be at least 1") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let steps = session.record.steps
    guard !steps.isEmpty else {
      throw Diagnostic(
        id: "session.nothingToForget",
        what:
          "there are no new lines since \(session.hasDocument ? "the document was saved or opened" : "the session began")",
        fix: "remove lines that are already saved with a text editor")
    }
    let forgotten = steps.suffix(count).map(\.line)
    session.record.steps.removeLast(forgotten.count)
    let earlier = forgotten.dropLast(Self.shownCount).count
    let note = StyledText("forgot \(Phrase.count(earlier, "earlier line"))")
    let rest = StyledText(
      "there are no more new lines: remove lines that are already saved with a text editor", .faint)
    return Outcome(
      .lines(
        (earlier > 0 ? [note] : [])
          + forgotten.suffix(Self.shownCount).map { StyledText("forgot ") + StyledText($0, .name) }
          + (forgotten.count < count && session.hasDocument ? [rest] : [])),
      json: ["forgotten": forgotten])
  }

  /// The number of lines that are shown; of more, only the last ones.
  private static let shownCount = 10
}
