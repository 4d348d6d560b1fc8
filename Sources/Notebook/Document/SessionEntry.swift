internal import StrataBase

/// A command of a session with its recorded output.
package struct SessionEntry: Sendable, Hashable {
  /// The command in one line, with continuation lines joined, without the marks of the document's form.
  ///
  /// It is unchanged, including spaces at both ends.
  package var command: String
  /// The line at which the command begins, from 1; 0 for an entry that was not read from a document.
  package internal(set) var line: Int
  /// The recorded output; `nil` if nothing was recorded, as opposed to an empty output.
  package var recorded: RecordedOutput?
  /// The fingerprint of the data behind the recorded output, if the document contains it.
  package var digest: AnswerDigest?
  /// Whether a new session begins here: at the first command of a block ` ```strata fresh `.
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

  /// Whether the recorded output is `...` alone, which matches any answer.
  var isOpen: Bool { recorded?.lines == ["..."] }

  /// Whether any data are expected. With a fingerprint, `...` is a hidden answer.
  package var expectsAnyData: Bool { isOpen && digest == nil }

  package static func == (a: Self, b: Self) -> Bool {
    a.line == b.line && a.command.hasSameBytes(as: b.command) && a.recorded == b.recorded
      && a.digest == b.digest && a.startsFresh == b.startsFresh
  }
}
