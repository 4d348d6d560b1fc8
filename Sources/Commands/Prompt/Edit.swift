internal import ArgumentParser
internal import StrataBase
internal import StrataRendering

/// `edit [LINE]`, which only the prompt can run.
struct Edit: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "edit", abstract: "Takes a line into your editor, and runs what you save.",
    discussion: """
      The line is that behind `edit`, or the last one. The editor is VISUAL, EDITOR or vi. The lines of \
      the saved file are run, up to the first that fails; none if the editor fails or saves nothing.
      """)
  static let takesTypedText = true
  static let examples: [CommandExample] = []

  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("The line to edit.", valueName: "line"))
  var words: [String] = []
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  func run(in session: Session) throws -> Outcome {
    throw Diagnostic(
      id: "command.noTerminal", what: "edit needs a terminal", fix: "type the command itself")
  }
}
