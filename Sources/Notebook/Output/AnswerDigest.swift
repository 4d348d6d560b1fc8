internal import StrataArchives
package import StrataBase

/// The fingerprint of the data of an answer: two answers with the same fingerprint differ only in wording.
///
/// ```swift
/// AnswerDigest(of: #"{"count":12}"#, status: 0).text  // eight hexadecimal digits
/// ```
package struct AnswerDigest: Sendable, Hashable {
  /// The first four bytes of a SHA-256, as eight hexadecimal digits.
  package let text: String

  /// - Parameters:
  ///   - payload: The data of the answer, independent of its wording.
  ///   - status: The exit status.
  package init(of payload: String, status: ExitStatus) {
    text = Self.digits("\(status)\n\(payload)")
  }

  init?(_ text: Substring) {
    guard text.utf8.count == 8,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    self.text = String(text)
  }

  /// The fingerprint of a text.
  static func digits(_ text: String) -> String {
    SHA2.digest256(of: Array(text.utf8)).prefix(4).hex
  }
}
