package import StrataBase
package import StrataNotebook

/// The result of evaluating a command line: the answer and its rendered texts.
package struct Evaluation: Sendable, Hashable {
  /// Standard output in the width and style of the session.
  package var output = ""
  /// Warnings and errors in the same style: standard error, or below the output in a document.
  package var diagnostics = ""
  /// The warnings, or the error.
  var problems: [Diagnostic] = []
  /// Whether lines may be wider than the terminal.
  package var isWide = false
  /// Whether files were written that are visible only in this session.
  package var wrotePrivately = false
  /// The answer that a document may record; empty in a session that keeps no answers.
  package var answer = Answer()
  /// The command with its answer, if answers are kept.
  var executed: ExecutedCommand?

  package var status: ExitStatus { answer.output.status }

  /// Whether the document expects this exit status. A command stopped by the user is never expected.
  ///
  /// Unmet expectations are handled by the caller: `run` stops at an expectation that could not be checked,
  /// even if its status was recorded; `open` continues.
  func isExpected(by entry: SessionEntry) -> Bool {
    entry.recorded?.status == status && !Interruption.isRequested
  }
}
