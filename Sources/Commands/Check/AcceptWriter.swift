internal import StrataArchives
internal import StrataBase

/// Appends acceptances to the configuration of `check`.
struct AcceptWriter {
  /// The text in place of a reason.
  static let reason = "found on the first day: say why"

  /// The bytes of the file with a table for each finding, in byte order; existing bytes are kept.
  ///
  /// - Throws: ``Diagnostic`` if the file would not be valid, such as with `accept = []`.
  static func appending(
    _ findings: [String], to bytes: [UInt8], named file: String
  ) throws -> [UInt8] {
    let lineEnd = bytes.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
    var text = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : lineEnd
    for (index, finding) in findings.sorted(by: { $0.precedesInBytes($1) }).enumerated() {
      if index > 0 || !bytes.isEmpty { text += lineEnd }
      text += ["[[accept]]", "finding = \(quoted(finding))", "reason = \(quoted(reason))"]
        .map { $0 + lineEnd }.joined()
    }
    let result = bytes + Array(text.utf8)
    do {
      _ = try ConfigurationReader.read(result, named: file)
    } catch let error as any DiagnosticError {
      throw error.diagnostic.asError(
        "the findings cannot be added: ", fix: "write `accept` as tables [[accept]]")
    }
    return result
  }

  /// A basic string of TOML.
  private static func quoted(_ text: String) -> String {
    let inner = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"", "\\": return "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: return String(scalar)
      }
    }
    return "\"\(inner.joined())\""
  }
}
