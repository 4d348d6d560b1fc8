internal import StrataBase
internal import StrataNotebook

extension Evaluation {
  /// Whether the document says that the command comes out so. What the user stopped, nobody expected.
  ///
  /// An expectation that is not met is left to the caller: `run` stops at one that could not be asked,
  /// though its status was recorded; `open` goes on.
  func isExpected(by entry: SessionEntry) -> Bool {
    entry.expects(status) && !Interruption.isRequested
  }
}

extension SessionEntry {
  /// Whether this exit status was recorded.
  func expects(_ status: ExitStatus) -> Bool { recorded?.status == status.rawValue }

  /// Whether a document takes an answer: a failure that it does not expect, a replay is to show.
  func takes(_ command: ExecutedCommand) -> Bool {
    !command.dependsOnTime && (command.status < .failed || expects(command.status))
  }
}
