internal import StrataArchives
internal import StrataBase

/// Arguments that are not a valid command: what is wrong, and the most likely fix.
///
/// ArgumentParser's message has the problem in its first line, and the form of the command in its usage line.
struct UsageError {
  private let arguments: [String]
  private let command: String
  /// The problem, in ArgumentParser's words.
  private let what: String
  /// Its words outside and inside of quotes.
  private let parts: [Substring]
  /// The fix if there is no better one.
  private let form: String

  init(_ message: String, of arguments: [String]) {
    self.arguments = arguments
    command = arguments.first { CommandTable.named($0) != nil } ?? "strata"
    let lines = message.split(separator: "\n").map(String.init)
    // The values of an argument are listed in lines of their own.
    let values = lines.dropFirst().filter { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
    what = OptionalValues.corrected(
      usage: (lines.first.map { $0.hasPrefix("Error: ") ? String($0.dropFirst(7)) : $0 } ?? message)
        + values.map { " \($0)" }.joined(separator: ","))
    parts = what.split(separator: "'")
    let usage = lines.first { $0.hasPrefix("Usage: strata ") && !$0.hasSuffix("<subcommand>") }
      .map { OptionalValues.corrected(usage: String($0.dropFirst("Usage: strata ".count))) }
    let help =
      command == "strata" ? "`help` lists the commands" : "`help \(command)` shows its form"
    form = usage.map { "write it as: \($0)" } ?? help
  }

  /// The error if ArgumentParser shows help because it reads a word with one dash as one option for each letter; -h is
  /// the only one that there is.
  init?(misread arguments: [String]) {
    guard let word = Self.dashedWord(in: arguments),
      !arguments.contains(where: { ["-h", "--help", "--version"].contains($0) })
    else { return nil }
    self.init("Error: Unknown option '\(word)'", of: arguments)
  }

  var diagnostic: Diagnostic {
    let (what, fix) =
      shellOperator ?? negativeNumber ?? unknownOption ?? missing ?? unexpectedText
      ?? unexpectedName ?? (what, form)
    return Diagnostic(id: "command.usage", what: what, fix: fix)
  }

  private typealias Advice = (what: String, fix: String)

  // MARK: Options

  private static func dashedWord(in arguments: [String]) -> String? {
    arguments.prefix { $0 != "--" }.first { word in
      word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 1 && word != "-h"
        && Double(word) == nil
    }
  }

  /// A number below 0, which begins like an option.
  private var negativeNumber: Advice? {
    guard parts.count > 1 else { return nil }
    if parts[0] == "Unknown option ", Double(parts[1]) != nil {
      return ("\(parts[1]) is read as an option", "write -- before it: \(command) … -- \(parts[1])")
    }
    guard parts[0] == "Missing value for " else { return nil }
    let option = String(parts[1].prefix { $0 != " " })
    guard let value = zip(arguments, arguments.dropFirst()).first(where: { $0.0 == option })?.1,
      Double(value) != nil
    else { return nil }
    return ("\(value) is read as an option", "write it as: \(option)=\(value)")
  }

  private var unknownOption: Advice? {
    guard parts.count > 1, parts[0] == "Unknown option " else { return nil }
    let named = String(parts[1])
    let dashed = Self.dashedWord(in: arguments)
    let option = dashed.flatMap { $0.hasPrefix(named) ? $0 : nil } ?? named
    let options = CommandShape.named(command)?.options.map(\.name) ?? Self.rootOptions
    if let index = arguments.firstIndex(of: command), index > 0, options.contains(option) {
      let line = [command] + arguments[..<index] + arguments[(index + 1)...]
      return (
        "options of a command follow it", "did you mean `\(CommandLineLexer.line(of: line))`?"
      )
    }
    let what = "\(command) has no option \(option)"
    if option == dashed, FileStatus(String(option.prefix { $0 != "/" })) != nil {
      let file = CommandLineLexer.argument(forFile: option)
      return (what, "a name that begins with a dash is written with its folder: \(file)")
    }
    let other = Self.otherOptions[option].flatMap { options.contains($0.option) ? $0.fix : nil }
    let meant = option == dashed ? "-\(option)" : option
    let near = options.contains(meant) ? meant : NearestName.of(meant, in: options)
    return (what, other ?? near.map(NearestName.question) ?? form)
  }

  private static let rootOptions = [
    "--version", "--help", "--no-startup", "--generate-completion-script",
  ]

  /// Options of other tools, with the option here and how to write it.
  private static let otherOptions = [
    "--desc": ("--sort", "write the order after the key: --sort <key>:desc"),
    "--descending": ("--sort", "write the order after the key: --sort <key>:desc"),
    "--filter": ("--where", "did you mean --where?"),
    "--order": ("--sort", "did you mean --sort?"),
    "-v": ("--version", "did you mean --version?"),
    "-V": ("--version", "did you mean --version?"),
  ].mapValues { (option: $0.0, fix: $0.1) }

  // MARK: Arguments

  /// Operators of a shell, which work only there.
  private var shellOperator: Advice? {
    if arguments.contains(where: { ["&", "&&", "||"].contains($0) || $0.hasSuffix(";") }) {
      return (
        what,
        "use one command per line: ; & && and || work only in a shell (strata \(command) …)"
      )
    }
    guard arguments.contains(where: ["|", ">", ">>", "<"].contains), !arguments.contains("--where")
    else { return nil }
    return (
      what,
      "leave them out: | and > work only at the prompt and in a shell (strata \(command) …)"
    )
  }

  private var missing: Advice? {
    guard parts.count > 1, parts[0] == "Missing expected argument " else { return nil }
    if parts[1].hasPrefix("--to "), arguments.count == 3, !arguments[2].hasPrefix("-") {
      let line = [command, arguments[1], "--to", arguments[2]]
      return (
        "\(command): missing option --to",
        "did you mean `\(CommandLineLexer.line(of: line))`?"
      )
    }
    return CommandShape.named(command)?.arguments
      .first { parts[1].hasPrefix("<\($0.name)>") }
      .map {
        ("\(command): missing argument <\($0.name)>", "\(form); see `help \(command)`")
      }
  }

  /// A query or a predicate without quotes.
  private var unexpectedText: Advice? {
    guard what.lowercased().contains("unexpected argument"),
      arguments.contains("--where") || command == "sql"
    else { return nil }
    return (
      what,
      command == "sql"
        ? "the query is one argument, in quotes: sql <store> 'SELECT …'"
        : "a predicate is one argument, in quotes: --where \"name == 'a'\""
    )
  }

  private var unexpectedName: Advice? {
    guard what.hasPrefix("Unexpected argument"), let word = parts.last.map(String.init) else {
      return nil
    }
    if let option = zip(arguments, arguments.dropFirst())
      .first(where: { $1 == word && OptionalValues.contains($0) })?.0
    {
      return (what, "write it as: \(option)=\(word)")
    }
    if let flag = zip(arguments, arguments.dropFirst())
      .first(where: { $1 == word && $0.hasPrefix("--") })?.0
    {
      return (what, "\(flag) takes no value")
    }
    let first = CommandShape.named(command)?.arguments.first
    if arguments.count == 3, [.element, .reference].contains(first?.kind),
      !arguments[1].hasPrefix("-"), arguments[2].allSatisfy({ $0.isLetter || $0.isNumber })
    {
      // A name does not begin with a digit, but the name of a version can have a number at its end.
      let mark = arguments[2].first?.isNumber == true ? " " : "."
      let line = [command, arguments[1] + mark + arguments[2]]
      return (what, "did you mean `\(CommandLineLexer.line(of: line))`?")
    }
    guard let first else { return nil }
    // The folder of a project, or a file, is in quotes already if the shell needs them.
    return first.kind == .folder || first.kind == .file
      ? nil : (what, "quote names with spaces: 'Moody 2'; \(form)")
  }
}
