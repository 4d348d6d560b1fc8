/// The exit status of the program.
///
/// Strata returns one of the four below; a document may expect any number.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// Success; for a question, the answer is yes.
  package static let done: Self = 0
  /// The answer is no: incompatible, not inferable, a replay that differs.
  package static let no: Self = 1
  /// The command failed: an unreadable file, a failed migration.
  package static let failed: Self = 2
  /// The command line is wrong.
  package static let usage: Self = 64

  /// The status of a command that fails with an error: ``usage`` if its domain is `command`.
  package init(of error: Diagnostic) {
    self = error.id.prefix { $0 != "." } == "command" ? .usage : .failed
  }

  /// The status that a shell reports for a program ended by a signal.
  package init(ofSignal number: Int32) { self = Self(rawValue: 128 + number) }
}

extension ExitStatus: Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  package init(integerLiteral number: Int32) { self.init(rawValue: number) }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  /// The number: `64`.
  package var description: String { "\(rawValue)" }
}
