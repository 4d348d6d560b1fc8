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
    let driver: JSONValue = [
      "name": "strata", "version": version, "rules": rules.json(descriptor),
    ]
    let invocation: JSONValue = [
      "executionSuccessful": report.unchecked.isEmpty,
      "toolExecutionNotifications": report.unchecked.json(notification),
    ]
    let run: JSONValue = [
      "tool": ["driver": driver] as JSONValue, "invocations": [invocation], "results": results,
    ]
    let log: JSONValue = ["$schema": schema, "version": "2.1.0", "runs": [run]]
    return Array(log.text.utf8)
  }

  private static func descriptor(_ rule: FindingReport.Rule) -> JSONValue {
    [
      "id": rule.id, "shortDescription": text([rule.page.title]),
      "fullDescription": text([rule.page.explanation]),
      "help": text([rule.page.explanation, "", "`strata help \(rule.id)` shows this page."]),
      "defaultConfiguration": ["level": rule.severity.rawValue] as JSONValue,
    ]
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
    return .object(withoutNull: [
      "ruleId": finding.id, "ruleIndex": index, "level": finding.severity.rawValue,
      "message": text([message] + fixes),
      "locations": locations(
        finding.location.file, finding.location.line, element: entry.subject),
      "partialFingerprints": [
        "primaryLocationLineHash": "\(digest.hex):\(occurrence)",
        "strataFinding/v1": entry.identity,
      ] as JSONValue,
      "suppressions": finding.acceptance.map(suppressions),
    ])
  }

  /// That a result was accepted in a file, not in the source itself.
  private static func suppressions(_ acceptance: FindingAcceptance) -> JSONValue {
    [["kind": "external", "justification": shown(acceptance.text)] as JSONValue]
  }

  private static func notification(_ diagnostic: Diagnostic) -> JSONValue {
    let fix = diagnostic.fix.map { ["fix: \($0)"] } ?? []
    return [
      "descriptor": ["id": diagnostic.id] as JSONValue, "level": diagnostic.severity.rawValue,
      "message": text([diagnostic.what] + fix),
      "locations": locations(diagnostic.location?.file, diagnostic.location?.line, element: nil),
    ]
  }

  private static func locations(_ file: String?, _ line: Int?, element: String?) -> JSONValue {
    guard let file else { return [] }
    let region: JSONValue? = line.flatMap { $0 > 0 ? ["startLine": $0] : nil }
    let name: JSONValue? = element.map { ["fullyQualifiedName": shown($0)] }
    let place = JSONValue.object(withoutNull: [
      "artifactLocation": ["uri": uri(file)] as JSONValue, "region": region,
    ])
    return [
      JSONValue.object(withoutNull: [
        "physicalLocation": place, "logicalLocations": name.map { [$0] },
      ])
    ]
  }

  /// A message; line feeds within a line are shown as `\n`.
  private static func text(_ lines: [String]) -> JSONValue {
    ["text": lines.map(shown).joined(separator: "\n")]
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
      default: uri += "%\([byte].hex.uppercased())"
      }
    }
    return uri
  }
}
