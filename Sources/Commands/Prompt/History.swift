internal import ArgumentParser
internal import StrataRendering

/// The command `history [TEXT] [--limit N]`.
struct History: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "history", abstract: "Lists the typed lines, including those of earlier sessions.",
    discussion: """
      Ctrl-R searches the history at the prompt. A line that begins with a space is not saved.
      """)
  static let examples: [CommandExample] = []

  @Argument(help: "Only lines that contain this text.") var text: String?
  @Option(help: ArgumentHelp("Number of most recent lines.", valueName: "n")) var limit = 50
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit must be at least 1") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let lines = session.typed.lines.filter { line in text.map { line.contains($0) } ?? true }
    let shown = lines.suffix(limit)
    let left = lines.count - shown.count
    return Outcome(
      .stack([
        .lines(
          left == 0 ? [] : [StyledText("… \(left) older: history --limit \(lines.count)", .faint)]),
        .lines(shown.map { StyledText($0) }),
      ]),
      json: Array(shown).json)
  }
}
