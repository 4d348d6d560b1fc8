package import StrataBase

extension NotebookError: DiagnosticError {
  package var diagnostic: Diagnostic {
    switch self {
    case .documentTooLarge(let bytes, let limit):
      Diagnostic(
        id: "notebook.documentTooLarge",
        what: "the document has \(bytes) bytes, more than the \(limit) allowed",
        fix: "split it, or replace long outputs with `...`")
    case .lineTooLong(let line, let bytes, let limit):
      Diagnostic(
        id: "notebook.lineTooLong",
        what: "the line has \(bytes) bytes, more than the \(limit) allowed",
        location: Location(line: line),
        fix: "replace the long part of an output with `[..]`, or break a command with `\\`")
    case .tooManyLines(let limit):
      Diagnostic(
        id: "notebook.tooManyLines", what: "the document has more than \(limit) lines",
        fix: "split it, or replace long outputs with `...`")
    case .unclosedFence(let line):
      Diagnostic(
        id: "notebook.unclosedFence", what: "the code block that begins here is never closed",
        location: Location(line: line),
        fix: "close it with a line of the same characters, at least as many")
    case .strayOutput(let line, .script):
      Diagnostic(
        id: "notebook.strayOutput", what: "this recorded line has no command directly above it",
        location: Location(line: line),
        fix: "put it below its command, outputs first and `#? ` last; begin a comment with `# `")
    case .strayOutput(let line, .markdown):
      Diagnostic(
        id: "notebook.strayOutput", what: "this line of the block belongs to no command",
        location: Location(line: line),
        fix: "begin a command with `> `; an output line that looks like one, with a backslash")
    case .badStatus(let line, let found):
      Diagnostic(
        id: "notebook.badStatus", what: "\"\(found)\" is not an exit status",
        location: Location(line: line),
        fix: "write a number, as in `#? 1`; begin a comment with `# `")
    case .unfinishedCommand(let line):
      Diagnostic(
        id: "notebook.unfinishedCommand",
        what: "the line ends with a backslash, but nothing continues it",
        location: Location(line: line),
        fix: "remove the backslash, or write the rest of the command on the next line")
    case .lineBreakInCommand(let entry):
      Diagnostic(
        id: "notebook.lineBreakInCommand",
        what:
          "command \(entry + 1) of the session contains a line break, which documents do not support",
        fix: "write the command on one line and save again")
    case .severalSessions(let entry):
      Diagnostic(
        id: "notebook.severalSessions",
        what: "command \(entry + 1) starts a new session, which only a notebook can do",
        fix: "save it as a notebook: end the name in .md")
    }
  }
}
