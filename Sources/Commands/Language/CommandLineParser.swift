internal import ArgumentParser
internal import StrataArchives
package import StrataBase
internal import StrataNotebook

/// Parses arguments into a command or a diagnostic.
package enum CommandLineParser {
  package enum Result {
    case command(any StrataCommand)
    /// Help or the version, as text to print.
    case text(String)
    /// The arguments are not a valid command.
    case usage(Diagnostic)
  }

  /// - Parameter columns: The width at which usage texts are wrapped.
  package static func parse(_ arguments: [String], columns: Int = 80) -> Result {
    // A command as the shell has it, at the prompt.
    if arguments.count > 1, arguments[0] == "strata" {
      return parse(Array(arguments.dropFirst()), columns: columns)
    }
    if let first = arguments.first, !first.hasPrefix("-") {
      guard let type = CommandTable.named(first) else { return .usage(unknownCommand(first)) }
      let options = arguments.prefix { $0 != "--" }
      if options.contains("--help") || options.contains("-h"), type != Help.self {
        return parse(["help", first], columns: columns)
      }
      if let command = command(of: type, arguments) {
        guard options.contains("--annotate"), command.output.json else { return .command(command) }
        let message = "--annotate and --json cannot be used together"
        return .usage(UsageError(message, of: arguments).diagnostic)
      }
    }
    do {
      let parsed: any ParsableCommand
      if arguments.first == "help" {
        parsed = try Help.parse(Array(arguments.dropFirst()))
      } else {
        parsed = try Root.parseAsRoot(OptionalValues.filled(arguments))
      }
      if let command = parsed as? any StrataCommand { return .command(command) }
      let help = Root.helpMessage(columns: columns) + "\n"
      return UsageError(misread: arguments).map { .usage($0.diagnostic) } ?? .text(help)
    } catch {
      let message = Root.fullMessage(for: error, columns: columns)
      guard Root.exitCode(for: error) != .success else { return .text(message + "\n") }
      return .usage(UsageError(message, of: arguments).diagnostic)
    }
  }

  /// The command of valid arguments; `nil` if the root command must parse them to produce the error.
  ///
  /// Parsing with one command is much faster than with the root command and all its subcommands: a script has
  /// thousands of lines. Generic, since a cast to a protocol looks up its conformance at run time.
  private static func command<Command: StrataCommand>(
    of type: Command.Type, _ arguments: [String]
  ) -> (any StrataCommand)? {
    if let command = type.plain(arguments.dropFirst()) { return command }
    return known.command(of: arguments) { line in
      let arguments = Array(OptionalValues.filled(line).dropFirst())
      return (try? type.parseAsRoot(arguments)) as? Command
    }
  }

  private static let known = ParsedLines()

  /// The command after which the session continues: `open`, `lesson` with a name or, on a terminal, `debug`; for existing
  /// files and samples without a command, `load` or `open`. `nil` if the arguments are anything else.
  package static func opening(_ arguments: [String], onTerminal: Bool) -> [String]? {
    guard let first = arguments.first, !first.hasPrefix("-") else { return nil }
    if CommandTable.named(first) == nil {
      let areThere = arguments.allSatisfy { $0.hasPrefix("sample:") || FileStatus($0) != nil }
      guard areThere else { return nil }
      return [SessionForm.form(forPath: first) == nil ? "load" : "open"] + arguments
    }
    // Other commands need not be parsed.
    let names = [Open.configuration, LessonCommand.configuration, Debug.configuration]
      .map(\.commandName)
    guard names.contains(first), case .command(let command) = parse(arguments) else { return nil }
    let continues =
      command is Open || (command as? LessonCommand)?.beginsLesson == true
      || command is Debug && onTerminal && !command.output.json
    return continues ? arguments : nil
  }

  private static func unknownCommand(_ name: String) -> Diagnostic {
    let longer = CommandTable.names.filter { $0.hasPrefix(name) }
    guard longer.count < 2 || name.isEmpty else {
      return Diagnostic(
        id: "command.unknown", what: "\(name) is ambiguous",
        fix: "write \(longer.joined(separator: " or "))")
    }
    return Diagnostic(
      id: "command.unknown", what: "there is no command \(name)", fix: suggestion(for: name))
  }

  private static func suggestion(for name: String) -> String {
    let file = CommandLineLexer.quoted(name)
    if SessionForm.form(forPath: name) != nil {
      return "did you mean `open \(file)`, `run \(file)` or `replay \(file)`?"
    }
    if name == "$" || name.hasSuffix(">") { return "leave out the prompt \(name)" }
    if name == "version" { return "did you mean --version? `help version` explains the word" }
    if Help.page(of: name) != nil { return "`help \(file)` explains it" }
    if name.dropFirst().contains(/[.\/:]/) { return "did you mean `load \(file)`?" }
    let meant = otherTools[name.lowercased()] ?? NearestName.of(name, in: CommandTable.names)
    return meant.map(NearestName.question) ?? "`help` lists the commands"
  }

  /// Command names of other tools, with the equivalent here.
  private static let otherTools = [
    "?": "help", "ls": "loaded", "list": "loaded", "select": "sql", "update": "insert",
    ".exit": "quit", ".help": "help", ".open": "load", ".quit": "quit", ".schema": "sql",
    ".tables": "show",
    "undo": "back", "until": "goto", "n": "step", "s": "step", "p": "eval", "print": "eval",
    "strata": "help", "info": "show", "describe": "show",
  ]
}
