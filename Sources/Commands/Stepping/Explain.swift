internal import ArgumentParser
internal import StrataRendering

/// `explain [WORD]`
struct Explain: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "explain",
    abstract:
      "Explains the next step: what it is for, and what it will do with the current object.",
    discussion: """
      The step is run and undone, so the answer is about the objects at hand: the object that is created, \
      joined or skipped, each attribute with its expression and value, each relationship with the source \
      objects followed and the objects that the association table gives for them, and each statement of a \
      policy file with the values that decide.

      With a word, such as the id of an error, a rule, or a term, the answer is that of `help`.
      """)
  static let showsValues = true
  static let examples = [
    CommandExample.stepping(
      "an attribute and a relationship, worked out", "step", "explain", "pass", "step", "explain")
  ]

  @Argument(
    help: ArgumentHelp("A word that `help` explains; without it, the next step.", valueName: "word")
  )
  var word: String?
  @OptionGroup var output: OutputOptions

  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    Help.candidates(after: arguments, in: session)
  }

  func run(in session: Session) throws -> Outcome {
    if let word { return try Help.page(named: word) }
    let stepping = try session.steppingSession()
    let explanation = try StepExplanation(stepping.stepper, store: stepping.name)
    return Outcome(.lines(explanation.lines), json: explanation.json)
  }
}
