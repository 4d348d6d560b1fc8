internal import StrataDiagnostics
internal import StrataMapping
internal import StrataRendering

/// What `mapping lint` found.
struct MappingLintView {
  private let findings: [MappingFinding]
  private let names: [String]
  private let direction: String

  init(_ findings: [MappingFinding], names: [String], from source: String, to destination: String) {
    self.findings = findings
    self.names = names
    direction = "from \(source) to \(destination)"
  }

  var outcome: Outcome {
    let errors = findings.count { $0.severity == .error }
    let payload = findings.map(FindingPayload.init)
    let subject = StyledText(Words.list(names), .heading) + StyledText("  \(direction): ")
    guard !findings.isEmpty else {
      return Outcome(.line(subject + StyledText("nothing to complain of", .good)), payload: payload)
    }
    let counts = [
      errors == 0 ? nil : Words.count(errors, "error", "errors"),
      findings.count == errors
        ? nil : Words.count(findings.count - errors, "warning", "warnings"),
    ].compactMap { $0 }
    return Outcome(
      .stack(
        [.line(subject + StyledText(Words.list(counts)))]
          + findings.map { finding in
            .lines([
              StyledText(
                "  \(finding.severity == .error ? "error" : "warning")  ",
                finding.severity == .error ? .error : .warning)
                + StyledText(finding.place, .name) + StyledText("  \(finding.words)"),
              StyledText("    mend: \(finding.mend)", .faint),
            ])
          }),
      payload: payload, status: errors > 0 ? .no : .done)
  }
}

/// The JSON shape of a finding.
struct FindingPayload: Encodable, Sendable {
  var severity: String
  var mapping: String?
  var property: String?
  var what: String
  var mend: String

  init(_ finding: MappingFinding) {
    severity = finding.severity == .error ? "error" : "warning"
    mapping = finding.mapping
    property = finding.property
    what = finding.words
    mend = finding.mend
  }
}
