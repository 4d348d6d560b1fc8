/// Why a session document cannot be read or written: facts only; the words are in
/// `NotebookError+Diagnostic.swift`.
///
/// Lines count from 1 and are those of the document read, or of the document that would be written.
package enum NotebookError: Error, Hashable, Sendable {
  case documentTooLarge(bytes: Int, limit: Int)
  case lineTooLong(line: Int, bytes: Int, limit: Int)
  case tooManyLines(limit: Int)
  /// A fence that no line closes; `line` is where it opens.
  case unclosedFence(line: Int)
  /// A recorded line with no command directly above it, or text below a recorded exit status.
  case strayOutput(line: Int, form: SessionForm)
  /// A script's `#? ` line with no number.
  case badStatus(line: Int, found: String)
  /// A backslash at the end of a line, and nothing below that continues the command.
  case unfinishedCommand(line: Int)
  /// A command to be written holds a line break; `entry` counts from 0.
  case lineBreakInCommand(entry: Int)
  /// A script would have to begin a new session at a command; `entry` counts from 0.
  case severalSessions(entry: Int)
}
