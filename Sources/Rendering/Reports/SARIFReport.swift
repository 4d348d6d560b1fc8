internal import StrataArchives
internal import StrataBase

/// A report in SARIF 2.1.0, the format of GitHub's code scanning.
///
/// It contains no times, so that equal results give equal bytes.
///
/// Source: the OASIS standard SARIF 2.1.0; GitHub's documentation of its support.
package enum SARIFReport {
  /// The URI of the schema, with which a report begins.
  package static let schema = "https://json.schemastore.org/sarif-2.1.0.json"

  /// - Parameters:
  ///   - rules: All rules that were checked.
  ///   - version: The version of the program.
  package static func encoded(
    _ report: FindingReport, rules: [FindingReport.Rule], version: String
  ) -> [UInt8] {
    let indexes = Dictionary(first: rules.enumerated().map { ($1.id, $0) })
    var seen: [String: Int] = [:]
    let results = report.entries.map { entry in
      seen[entry.identity, default: 0] += 1
      return result(entry, rule: indexes[entry.finding.id], occurrence: seen[entry.identity] ?? 1)
    }
    let driver = JSONValue.object([
      ("name", "strata"), ("version", .string(version)), ("rules", .array(rules.map(descriptor))),
    ])
    let invocation = JSONValue.object([
      ("executionSuccessful", .bool(report.unchecked.isEmpty)),
      ("toolExecutionNotifications", .array(report.unchecked.map(notification))),
    ])
    let run = JSONValue.object([
      ("tool", .object([("driver", driver)])), ("invocations", .array([invocation])),
      ("results", .array(results)),
    ])
    let log = JSONValue.object([
      ("$schema", .string(schema)), ("version", "2.1.0"), ("runs", .array([run])),
    ])
    return Array(JSONText.of(log).utf8)
  }

  private static func descriptor(_ rule: FindingReport.Rule) -> JSONValue {
    .object([
      ("id", .string(rule.id)), ("shortDescription", text([rule.page.title])),
      ("fullDescription", text([rule.page.explanation])),
      ("help", text([rule.page.explanation, "", "`strata help \(rule.id)` shows this page."])),
      ("defaultConfiguration", .object([("level", .string(rule.severity.rawValue))])),
    ])
  }

  /// - Parameters:
  ///   - index: The index of its rule.
  ///   - occurrence: 1 for the first result with this identity.
  private static func result(
    _ entry: FindingReport.Entry, rule index: Int?, occurrence: Int
  ) -> JSONValue {
    let finding = entry.finding
    let fixes = finding.fixes.flatMap { ["fix: \($0.text)"] + $0.commands }
    let message = "\(entry.subject): \(finding.shownMessage)"
    // Only the first is known to GitHub, which otherwise identifies a result by the text of its line.
    let digest = SHA2.digest256(of: Array(entry.identity.utf8)).prefix(8)
    let fingerprints = JSONValue.object([
      ("primaryLocationLineHash", .string("\(digest.map(\.hex).joined()):\(occurrence)")),
      ("strataFinding/v1", .string(entry.identity)),
    ])
    return .object(
      [("ruleId", .string(finding.id))] + (index.map { [("ruleIndex", .integer(Int64($0)))] } ?? [])
        + [
          ("level", .string(finding.severity.rawValue)),
          ("message", text([message] + fixes)),
          (
            "locations",
            locations(finding.location.file, finding.location.line, element: entry.subject)
          ), ("partialFingerprints", fingerprints),
        ]
        + (finding.acceptance.map { [("suppressions", suppressions($0))] } ?? []))
  }

  /// That a result was accepted in a file, not in the source itself.
  private static func suppressions(_ acceptance: FindingAcceptance) -> JSONValue {
    .array([
      .object([("kind", "external"), ("justification", .string(shown(acceptance.text)))])
    ])
  }

  private static func notification(_ diagnostic: Diagnostic) -> JSONValue {
    let fix = diagnostic.fix.map { ["fix: \($0)"] } ?? []
    return .object([
      ("descriptor", .object([("id", .string(diagnostic.id))])),
      ("level", .string(diagnostic.severity.rawValue)),
      ("message", text([diagnostic.what] + fix)),
      ("locations", locations(diagnostic.location?.file, diagnostic.location?.line, element: nil)),
    ])
  }

  private static func locations(_ file: String?, _ line: Int?, element: String?) -> JSONValue {
    guard let file else { return .array([]) }
    var place: [(key: String, value: JSONValue)] = [
      ("artifactLocation", .object([("uri", .string(uri(file)))]))
    ]
    if let line, line > 0 {
      place.append(("region", .object([("startLine", .integer(Int64(line)))])))
    }
    let logical = element.map { [("fullyQualifiedName", JSONValue.string(shown($0)))] }
    return .array([
      .object(
        [("physicalLocation", .object(place))]
          + (logical.map { [("logicalLocations", .array([.object($0)]))] } ?? []))
    ])
  }

  /// A message; line feeds within a line are shown as `\n`.
  private static func text(_ lines: [String]) -> JSONValue {
    .object([("text", .string(lines.map(shown).joined(separator: "\n")))])
  }

  private static func shown(_ text: String) -> String { text.escapingControlCharacters }

  /// A relative reference: everything but unreserved characters and slashes is percent-encoded.
  private static func uri(_ path: String) -> String {
    var uri = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      switch UInt8(byte) {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      default: uri += "%\(byte.hex.uppercased())"
      }
    }
    return uri
  }
}

extension UInt8 {
  /// Two hexadecimal digits.
  fileprivate var hex: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
