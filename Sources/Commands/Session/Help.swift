internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataRendering

/// `help [COMMAND]`
struct Help: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Lists the commands, or shows one with its examples.")
  static let effect = CommandEffect.reads
  static let examples = [CommandExample("a command", "help hash")]

  @Argument(help: "The command to show.") var command: String?
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    guard let command else { return Self.overview }
    guard let type = CommandTable.named(command) else {
      throw Diagnostic(
        id: "command.unknown", what: "there is no command \(command)",
        mend: NearestName.of(command, in: CommandTable.names).map { "did you mean \($0)?" }
          ?? "`help` lists the commands")
    }
    return Self.page(type)
  }

  private static var overview: Outcome {
    let rows: [[StyledText]] = CommandTable.all.map {
      [StyledText($0.configuration.commandName ?? "", .name), StyledText($0.configuration.abstract)]
    }
    return Outcome(
      .stack([
        .table(Table(rows: rows)),
        .line(""),
        .line("`help <command>` shows its options and examples. Start with: load sample:Topics"),
      ]),
      payload: Dictionary(
        CommandTable.all.map { ($0.configuration.commandName ?? "", $0.configuration.abstract) },
        uniquingKeysWith: { $1 }))
  }

  private static func page(_ type: any StrataCommand.Type) -> Outcome {
    let text = Root.helpMessage(for: type, columns: 80)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      StyledText(String($0))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    var views: [View] = [.lines(lines)]
    if !type.examples.isEmpty {
      views.append(
        .stack([
          .line("EXAMPLES:"),
          .lines(
            type.examples.flatMap { example in
              [StyledText("  \(example.shows):", .faint)]
                + example.lines.map { StyledText("    \($0)") }
            }),
        ]))
    }
    return Outcome(
      .sections(views),
      payload: ["help": text, "examples": type.examples.flatMap(\.lines).joined(separator: "\n")])
  }
}
