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
    warnings: [Diagnostic]
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

  var json: [JSONValue] {
    findings.map { $0.json(formerKeys: $0.formerLintKeys) }
  }

  var outcome: Outcome {
    let subject = StyledText(Phrase.list(names), .heading) + StyledText("  \(direction): ")
    guard !findings.isEmpty else {
      return Outcome(
        .line(
          subject
            + (warnings.isEmpty
              ? StyledText("no problems found", .good)
              : StyledText(Phrase.count(warnings.count, "warning"), .warning))),
        json: .array(json), warnings: warnings)
    }
    return Outcome(
      .stack([.line(subject + StyledText(findings.counts)), findings.view]),
      json: .array(json), status: findings.contains { $0.severity == .error } ? .no : .done,
      warnings: warnings)
  }
}

extension Finding {
  /// The former JSON keys, from before all findings had one shape.
  fileprivate var formerLintKeys: JSONValue.Members {
    let what = location.mapping == nil && !entity.isEmpty ? "\(entity): \(reason)" : reason
    return [
      "mapping": location.mapping, "property": property, "what": what,
      "mend": fixes.first?.text ?? "",
    ]
  }
}
