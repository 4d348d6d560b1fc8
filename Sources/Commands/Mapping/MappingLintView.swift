internal import StrataBase
internal import StrataMapping
internal import StrataRendering

/// The result of `mapping lint`.
struct MappingLintView {
  let findings: [Finding]
  private let names: [String]
  private let direction: String
  private let warnings: [Diagnostic]

  init(
    _ findings: [Finding], names: [String], from source: String, to destination: String,
    warnings: [Diagnostic] = []
  ) {
    self.warnings = warnings
    self.findings = findings
    self.names = names
    direction = "from \(source) to \(destination)"
  }

  /// The findings as a suite of a report.
  var checked: CheckedFile {
    CheckedFile(name: names.joined(separator: ", "), findings: findings)
  }

  var payload: [FindingPayload] {
    findings.map { FindingPayload($0, formerKeys: FormerLintKeys($0)) }
  }

  var outcome: Outcome {
    let subject = StyledText(Phrase.list(names), .heading) + StyledText("  \(direction): ")
    guard !findings.isEmpty else {
      return Outcome(
        .line(
          subject
            + (warnings.isEmpty
              ? StyledText("no problems found", .good)
              : StyledText(Phrase.count(warnings.count, "warning", "warnings"), .warning))),
        payload: payload,
        warnings: warnings)
    }
    return Outcome(
      .stack([.line(subject + StyledText(findings.counts)), findings.view]),
      payload: payload, status: findings.contains { $0.severity == .error } ? .no : .done,
      warnings: warnings)
  }
}

/// The former JSON keys of a finding, from before all findings had one shape.
private struct FormerLintKeys: Encodable, Sendable {
  var mapping: String?
  var property: String?
  var what: String
  var legacyFix: String

  enum CodingKeys: String, CodingKey {
    case mapping, property, what
    case legacyFix = "mend"
  }

  init(_ finding: Finding) {
    mapping = finding.location.mapping
    property = finding.property
    what =
      mapping == nil && !finding.entity.isEmpty
      ? "\(finding.entity): \(finding.reason)" : finding.reason
    legacyFix = finding.fixes.first?.text ?? ""
  }
}
