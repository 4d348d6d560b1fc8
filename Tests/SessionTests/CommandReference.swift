import ArgumentParser
import Foundation
import StrataBase
import StrataCommands
import StrataNotebook
import TestSupport

/// A command as reference pages tell it, out of its definition.
struct ReferencePage {
  let type: any StrataCommand.Type

  static var all: [ReferencePage] { CommandTable.all.map { ReferencePage(type: $0) } }

  var name: String { type._commandName }
  var abstract: String { type.configuration.abstract }

  /// `hash <ref> [--all] …`
  var usage: String {
    let usage = OptionalValues.corrected(usage: Root.usageString(for: type))
    return usage.replacing("Usage: ", with: "").replacing("USAGE: ", with: "")
      .replacing("strata ", with: "")
  }

  /// Paragraphs; those of lines that are laid out begin with two spaces.
  var discussion: [String] {
    type.configuration.discussion.components(separatedBy: "\n\n").filter { !$0.isEmpty }
  }

  /// Arguments and options with what they mean.
  var parameters: [(term: String, summary: String)] {
    guard let shape = CommandShape.named(name) else { return [] }
    return shape.arguments.map { ("<\($0.name)>", $0.summary) }
      + shape.options.map { ($0.usage, $0.summary) }
  }

  var examples: [CommandExample] { type.examples }
}

/// `Docs/COMMANDS.md`: every command with its examples and what they answer.
enum CommandReference {
  private static let introduction = """
    # Commands

    Every command works at the prompt, in a script or notebook, and in a shell
    (`strata hash App.xcdatamodeld`). `strata help references` describes `<ref>` and `<store>`, and
    [EXPRESSIONS.md](EXPRESSIONS.md) predicates. With `--json` a command prints JSON:
    [JSON.md](JSON.md). The exit status is 0 for success, 1 if the answer is no, 2 if the command failed,
    64 if the command line is wrong.

    This page is generated from the definitions of the commands; each example is a new session.
    """

  /// No answer of an example has more lines on the page.
  private static let longestAnswer = 24

  static func markdown() throws -> String {
    var parts = [introduction, index, documents]
    for page in ReferencePage.all { parts.append(try section(page)) }
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static var index: String {
    let rows = ReferencePage.all.map { "| [`\($0.name)`](#\($0.name)) | \(cell($0.abstract)) |" }
    return (["| command | what it does |", "|---|---|"] + rows).joined(separator: "\n")
  }

  /// How scripts and notebooks are written.
  private static var documents: String {
    let help = CommandEvaluator(session: Session(folder: "/")).evaluate(line: "help documents")
    return
      "## Documents\n\nHow a session is written, in the two forms:\n\n````text\n\(help.output)````"
  }

  private static func section(_ page: ReferencePage) throws -> String {
    var parts = ["## \(page.name)", page.abstract, "```text\n\(page.usage)\n```"]
    parts += page.discussion.map { paragraph in
      paragraph.hasPrefix("  ") ? "```text\n\(unindented(paragraph))\n```" : escaped(paragraph)
    }
    if !page.parameters.isEmpty {
      let rows = page.parameters.map { "| `\(cell($0.term))` | \(cell($0.summary)) |" }
      parts.append((["| | |", "|---|---|"] + rows).joined(separator: "\n"))
    }
    for example in page.examples {
      parts.append("Example: \(example.shows).")
      parts.append(try recorded(example))
    }
    return parts.joined(separator: "\n\n")
  }

  /// The example as a block with its answers.
  private static func recorded(_ example: CommandExample) throws -> String {
    let folder = try TemporaryFolder()
    let evaluator = CommandEvaluator(
      session: try Session(replayingIn: folder.url.path, below: [folder.url.path]))
    let entries = example.lines.enumerated().map { index, line in
      let output = evaluator.evaluate(line: line).answer.output
      var entry = SessionEntry(command: line, recorded: shortened(output.expectation))
      entry.startsFresh = index == 0
      return entry
    }
    return try SessionDocument(parts: entries.map(SessionPart.command), form: .markdown).text
      .trimmingCharacters(
        in: .newlines)
  }

  private static func shortened(_ output: RecordedOutput) -> RecordedOutput {
    guard output.lines.count > longestAnswer else { return output }
    return RecordedOutput(
      lines: Array(output.lines.prefix(longestAnswer - 4)) + ["..."], status: output.status)
  }

  private static func unindented(_ paragraph: String) -> String {
    let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false)
    let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { $0.dropFirst(margin) }.joined(separator: "\n")
  }

  /// Text in which nothing is taken for a tag.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .map { index, part in
        let text = String(part)
        return index.isMultiple(of: 2)
          ? text.replacing("<", with: "&lt;").replacing("*", with: "\\*") : text
      }
      .joined(separator: "`")
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
