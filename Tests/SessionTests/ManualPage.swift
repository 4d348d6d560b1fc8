import ArgumentParser

@testable import StrataCommands

/// `Docs/strata.1`: the manual page, in the macros of man(7).
enum ManualPage {
  static func roff() -> String {
    var lines = [
      ".\\\" Made from the definitions of the commands: RECORD_SESSIONS=1 regenerates it.",
      ".TH STRATA 1 \"\" \"Strata \(Release.version)\" \"User Commands\"", ".SH NAME",
      "strata \\- inspect Core Data model versions, stores and migrations", ".SH SYNOPSIS",
      ".B strata", "[\\fB\\-\\-no\\-startup\\fR]", ".br", ".B strata", ".I command",
      "[\\fIargument\\fR ...]",
    ]
    lines += [".SH DESCRIPTION"] + paragraphs(Root.configuration.discussion)
    lines += [".SH COMMANDS"]
    for page in ReferencePage.all { lines += section(page) }
    for (heading, terms) in endings {
      lines.append(".SH \(heading)")
      for (term, meaning) in terms { lines += [".TP", ".B \(escaped(term))", text(meaning)] }
    }
    lines += [
      ".SH ERRORS",
      text(
        "An error ends with its id, such as [store.locked], and may name a code of Core Data; `strata help` with either explains it. The codes:"
      ),
    ]
    for error in CoreDataBook.errors {
      lines += [".TP", ".B \(error.code)", text(error.meaning)]
    }
    lines += [".SH DOCUMENTS"] + helpPage("documents")
    lines += [".SH NAMES"] + helpPage("references")
    lines += [".SH EXPRESSIONS"] + helpPage("expressions")
    lines += [".SH EXAMPLES"]
    for page in ReferencePage.all {
      for example in page.examples {
        lines += [".TP", text("\(page.name): \(example.shows)"), ".nf"]
        lines += example.lines.map { text("strata> \($0)") } + [".fi"]
      }
    }
    lines += [
      ".SH SEE ALSO", ".BR sqlite3 (1),", ".BR git (1)", ".PP",
      "The guide, the reference of commands and expressions, the JSON shapes and recipes for CI are in",
      "the folder Docs of the project and of its archive, and in /usr/share/doc/strata.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A page of help as it stands.
  private static func helpPage(_ topic: String) -> [String] {
    let evaluator = CommandEvaluator(session: Session(folder: "/"))
    let lines = evaluator.evaluate(line: "help \(topic)").output.split(
      separator: "\n", omittingEmptySubsequences: false)
    return [".nf"] + lines.map { text(String($0)) } + [".fi"]
  }

  private static func section(_ page: ReferencePage) -> [String] {
    var lines = [".SS \(escaped(page.usage))", text(page.abstract)]
    for paragraph in page.discussion {
      lines += [".PP"] + paragraphs(paragraph)
    }
    for (term, summary) in page.parameters where term != "--json" {
      lines += [".TP", ".B \(escaped(term))", text(summary)]
    }
    return lines
  }

  private static let endings: [(String, [(String, String)])] = [
    (
      "OPTIONS",
      [
        ("--json", "Print the answer as JSON; every command has this option."),
        ("--no-startup", "Do not run the start-up file."),
        ("--version", "Show the version, the commit, and the version of SQLite."),
        ("--generate-completion-script shell", "Print completions for bash, zsh or fish."),
        ("--help", "Show help; after a command, the help of that command."),
        (
          "-com.apple.CoreData.MigrationDebug level",
          "Log migrations, like the launch argument of an app."
        ),
      ]
    ),
    (
      "EXIT STATUS",
      [
        ("0", "Success."),
        (
          "1",
          "The answer is no: incompatible, not inferable, a replay that differs, an expectation that is not met."
        ),
        ("2", "The command failed: a file that cannot be read, a failed migration."),
        ("64", "The command is wrong."),
      ]
    ),
    (
      "ENVIRONMENT",
      [
        ("HOME", "The home folder, for ~; if it is not set, no history is saved."),
        ("NO_COLOR", "Set to anything: no colours."),
        ("XDG_CONFIG_HOME", "The folder of the start-up file, instead of ~/.config."),
        ("XDG_STATE_HOME", "The folder of the history, instead of ~/.local/state."),
        ("XDG_DATA_HOME", "The folder of the progress in lessons, instead of ~/.local/share."),
        ("STRATA_PAGER, PAGER", "The program that shows long answers at the prompt; empty: none."),
        ("VISUAL, EDITOR", "The editor of the command edit."),
        ("EDITRC", "The file of key bindings of the line editor."),
        ("TERM", "The terminal; dumb: no colours and no progress line."),
        ("TMPDIR", "The folder of private copies, instead of /tmp."),
        ("GITHUB_STEP_SUMMARY", "A file to which check adds its findings."),
      ]
    ),
    (
      "FILES",
      [
        ("~/.config/strata/startup.strata", "A script that is run before the first prompt."),
        ("~/.local/state/strata/history", "The typed lines."),
        ("~/.local/share/strata/lessons", "The progress and the files of lessons."),
        ("~/.editrc", "Key bindings of the line editor: see editrc(5)."),
        (
          "strata.toml, strata.lock",
          "The configuration and the shipped versions of a project: see check and lock."
        ),
      ]
    ),
  ]

  /// Paragraphs; lines that begin with spaces stay as they are.
  private static func paragraphs(_ discussion: String) -> [String] {
    Array(
      discussion.split(separator: "\n\n").map { paragraph -> [String] in
        let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false).map {
          text(String($0))
        }
        return paragraph.hasPrefix("  ") ? [".nf"] + lines + [".fi"] : lines
      }.joined(separator: [".PP"]))
  }

  private static func text(_ line: String) -> String {
    let escaped = escaped(line)
    // A line that begins with one of these is a command to roff.
    return [".", "'"].contains(escaped.first) ? "\\&" + escaped : escaped
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
  }
}
