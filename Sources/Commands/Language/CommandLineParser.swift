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
      if let command = command(of: type, arguments) { return .command(command) }
    }
    do {
      let parsed: any ParsableCommand
      if arguments.first == "help" {
        parsed = try Help.parse(Array(arguments.dropFirst()))
      } else {
        parsed = try Root.parseAsRoot(OptionalValues.filled(arguments))
      }
      guard let command = parsed as? any StrataCommand else {
        return .text(Root.helpMessage(columns: columns) + "\n")
      }
      return .command(command)
    } catch {
      let message = Root.fullMessage(for: error, columns: columns)
      guard Root.exitCode(for: error) != .success else { return .text(message + "\n") }
      return .usage(diagnostic(message, of: arguments))
    }
  }

  /// The command of valid arguments; `nil` if the root command must parse them to produce the error.
  ///
  /// Parsing with one command is much faster than with the root command and all its subcommands: a script has
  /// thousands of lines.
  private static func command(
    of type: any StrataCommand.Type, _ arguments: [String]
  ) -> (any StrataCommand)? {
    if let type = type as? any RawArgumentsCommand.Type,
      let command = type.plain(arguments.dropFirst())
    {
      return command
    }
    return known.command(of: arguments) { line in
      let arguments = Array(OptionalValues.filled(line).dropFirst())
      return (try? type.parseAsRoot(arguments)) as? any StrataCommand
    }
  }

  private static let known = ParsedLines()

  /// The command after which the session continues: `open`, or `lesson` with a name; for existing files and samples
  /// without a command, `load` or `open`. `nil` if the arguments are anything else.
  package static func opening(_ arguments: [String]) -> [String]? {
    guard let first = arguments.first, !first.hasPrefix("-") else { return nil }
    if CommandTable.named(first) == nil {
      let areThere = arguments.allSatisfy { $0.hasPrefix("sample:") || FileStatus($0) != nil }
      guard areThere else { return nil }
      return [SessionForm.form(forPath: first) == nil ? "load" : "open"] + arguments
    }
    // Other commands need not be parsed.
    let names = [Open.configuration.commandName, LessonCommand.configuration.commandName]
    guard names.contains(first), case .command(let command) = parse(arguments),
      command is Open || (command as? LessonCommand)?.beginsLesson == true
    else { return nil }
    return arguments
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
    if Help.page(of: name) != nil { return "`help \(file)` explains it" }
    if name.dropFirst().contains(/[.\/:]/) { return "did you mean `load \(file)`?" }
    let meant = otherTools[name.lowercased()] ?? NearestName.of(name, in: CommandTable.names)
    return meant.map(NearestName.question) ?? "`help` lists the commands"
  }

  /// The option whose value is a separate argument but must be attached with `=`.
  private static func optionBefore(_ word: Substring?, in arguments: [String]) -> String? {
    zip(arguments, arguments.dropFirst()).first { $1 == word ?? "" && OptionalValues.contains($0) }?
      .0
  }

  /// Command names of other tools, with the equivalent here.
  private static let otherTools = [
    "?": "help", "ls": "loaded", "list": "loaded", "select": "sql", "update": "insert",
    ".exit": "quit", ".help": "help", ".open": "load", ".quit": "quit", ".schema": "sql",
    ".tables": "show",
    "undo": "back", "until": "goto", "n": "step", "s": "step", "p": "eval", "print": "eval",
    "strata": "help", "info": "show", "describe": "show", "version": "help",
  ]

  /// Options of other tools, with the option here and how to write it.
  private static let otherOptions = [
    "--desc": ("--sort", "write the order after the key: --sort <key>:desc"),
    "--descending": ("--sort", "write the order after the key: --sort <key>:desc"),
    "--filter": ("--where", "did you mean --where?"),
    "--order": ("--sort", "did you mean --sort?"),
  ].mapValues { (option: $0.0, fix: $0.1) }

  /// Converts ArgumentParser's message to a diagnostic: the first line is the message, the usage line the
  /// fix.
  private static func diagnostic(_ message: String, of arguments: [String]) -> Diagnostic {
    let command = arguments.first ?? ""
    let lines = message.split(separator: "\n").map(String.init)
    // The values of an argument are listed in lines of their own.
    let values = lines.dropFirst().filter { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
    let what = OptionalValues.corrected(
      usage: (lines.first.map { $0.hasPrefix("Error: ") ? String($0.dropFirst(7)) : $0 } ?? message)
        + values.map { " \($0)" }.joined(separator: ","))
    let usage = lines.first { $0.hasPrefix("Usage: strata ") }
      .map { OptionalValues.corrected(usage: String($0.dropFirst("Usage: strata ".count))) }
    let form = usage.map { "write it as: \($0)" } ?? "see `help`"
    let parts = what.split(separator: "'")
    if arguments.contains(where: { ["&", "&&", "||"].contains($0) || $0.hasSuffix(";") }) {
      return Diagnostic(
        id: "command.usage", what: what,
        fix: "use one command per line: ; & && and || work only in a shell (strata \(command) …)")
    }
    if arguments.contains(where: ["|", ">", ">>", "<"].contains), !arguments.contains("--where") {
      return Diagnostic(
        id: "command.usage", what: what,
        fix: "leave them out: | and > work only at the prompt and in a shell (strata \(command) …)")
    }
    if parts.count > 1, parts[0] == "Unknown option " {
      let options = CommandShape.named(command)?.options.map(\.name) ?? []
      return Diagnostic(
        id: "command.usage", what: "\(command) has no option \(parts[1])",
        fix: otherOptions[String(parts[1])].flatMap { options.contains($0.option) ? $0.fix : nil }
          ?? NearestName.of(String(parts[1]), in: options).map(NearestName.question) ?? form)
    }
    if parts.count > 1, parts[0] == "Missing expected argument ", parts[1].hasPrefix("--to "),
      arguments.count == 3, !arguments[2].hasPrefix("-")
    {
      let line = [command, arguments[1], "--to", arguments[2]]
      return Diagnostic(
        id: "command.usage", what: "\(command): missing option --to",
        fix: "did you mean `\(CommandLineLexer.line(of: line))`?")
    }
    if parts.count > 1, parts[0] == "Missing expected argument ",
      let argument = CommandShape.named(command)?.arguments.first(where: {
        parts[1].hasPrefix("<\($0.valueName)>")
      })
    {
      return Diagnostic(
        id: "command.usage", what: "\(command): missing argument <\(argument.valueName)>",
        fix: "\(form); see `help \(command)`")
    }
    if what.lowercased().contains("unexpected argument"),
      arguments.contains("--where") || command == "sql"
    {
      return Diagnostic(
        id: "command.usage", what: what,
        fix: command == "sql"
          ? "the query is one argument, in quotes: sql <store> 'SELECT …'"
          : "a predicate is one argument, in quotes: --where \"name == 'a'\"")
    }
    if what.hasPrefix("Unexpected argument"), let option = optionBefore(parts.last, in: arguments) {
      return Diagnostic(
        id: "command.usage", what: what, fix: "write it as: \(option)=\(parts.last ?? "")")
    }
    if what.hasPrefix("Unexpected argument"), arguments.count == 3,
      [.element, .reference].contains(CommandShape.named(command)?.arguments.first?.kind),
      !arguments[1].hasPrefix("-"), arguments[2].allSatisfy({ $0.isLetter || $0.isNumber })
    {
      let line = [command, "\(arguments[1]).\(arguments[2])"]
      return Diagnostic(
        id: "command.usage", what: what,
        fix: "did you mean `\(CommandLineLexer.line(of: line))`?")
    }
    let takesNames = CommandShape.named(command)?.arguments.isEmpty == false
    return Diagnostic(
      id: "command.usage", what: what,
      fix: what.hasPrefix("Unexpected argument") && takesNames
        ? "quote names with spaces: 'Moody 2'; \(form)" : form)
  }
}
