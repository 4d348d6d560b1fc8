/// A command of a session, and what it answered when it was recorded.
///
/// ```swift
/// let entry = SessionEntry(command: "count phone Topic", recorded: RecordedOutput(text: "12"))
/// ```
package struct SessionEntry: Sendable, Hashable {
  /// The command in one line, continuation lines joined, without any mark of the document's form.
  ///
  /// It is kept as written, spaces at both ends included.
  package var command: String
  /// The line of the document where the command begins, from 1; 0 for an entry of no document.
  package internal(set) var line: Int
  /// `nil` where nothing was recorded, which is not the same as an empty output.
  package var recorded: RecordedOutput?
  /// The fingerprint of the data behind the recorded output, where the document keeps it.
  package var digest: AnswerDigest?
  /// Whether a new session begins here: the first command of a block ` ```strata fresh `.
  package var startsFresh = false

  package init(command: String, recorded: RecordedOutput? = nil, digest: AnswerDigest? = nil) {
    self.init(command: command, line: 0, recorded: recorded)
    self.digest = digest
  }

  init(command: String, line: Int, recorded: RecordedOutput?) {
    self.command = command
    self.line = line
    self.recorded = recorded
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.line == b.line && a.command.hasSameBytes(as: b.command) && a.recorded == b.recorded
      && a.digest == b.digest && a.startsFresh == b.startsFresh
  }
}
