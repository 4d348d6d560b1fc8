/// An error of reading or writing a session document; the messages are in `NotebookError+Diagnostic.swift`.
///
/// Lines count from 1 and refer to the document that was read or would be written.
package enum NotebookError: Error, Hashable, Sendable {
  case documentTooLarge(bytes: Int, limit: Int)
  case lineTooLong(line: Int, bytes: Int, limit: Int)
  case tooManyLines(limit: Int)
  /// An unclosed fence; `line` is its opening line.
  case unclosedFence(line: Int)
  /// A recorded line without a command directly above it, or text below a recorded exit status.
  case strayOutput(line: Int, form: SessionForm)
  /// A `#? ` line of a script without a number.
  case badStatus(line: Int, found: String)
  /// A backslash at the end of a line without a continuation line.
  case unfinishedCommand(line: Int)
  /// A command to write contains a line break; `entry` counts from 0.
  case lineBreakInCommand(entry: Int)
  /// A script would have to start a new session at a command; `entry` counts from 0.
  case severalSessions(entry: Int)
}
