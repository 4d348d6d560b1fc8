package import StrataBase
package import StrataNotebook

/// What evaluating a command line gave: the answer, and the texts that show it to the user.
package struct Evaluation: Sendable, Hashable {
  /// Standard output, as wide and as coloured as the session shows it.
  package var output = ""
  /// Warnings and errors, shown likewise: standard error, or, in a document, below the output.
  package var diagnostics = ""
  /// Whether something was written that only this session sees.
  package var wrotePrivately = false
  /// What a document may record; without text in a session that keeps no answers.
  package var answer = Answer()
  /// The command with its answer, where answers are kept.
  var executed: ExecutedCommand?

  package var status: ExitStatus { answer.output.status }

  /// Whether the document says that the command comes out so. What the user stopped, nobody expected.
  ///
  /// An expectation that is not met is left to the caller: `run` stops at one that could not be asked,
  /// though its status was recorded; `open` goes on.
  func isExpected(by entry: SessionEntry) -> Bool {
    entry.recorded?.status == status && !Interruption.isRequested
  }
}
