internal import ArgumentParser
internal import StrataRendering

/// `explain`
struct Explain: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explains the purpose of the next step in a few sentences.")
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @OptionGroup var output: OutputOptions

  func run(in session: Session) throws -> Outcome {
    let text = try StepExplanation(session.steppingSession()).text
    return Outcome(
      .lines(text.map { StyledText($0) }), payload: ["text": text.joined(separator: "\n")])
  }
}
