package import StrataBase

extension Finding {
  /// The message with its evidence: `is truncated to Integer 16: 3 values (p2, p5, p6)`.
  package var shownMessage: String {
    let evidence = evidence.description
    return evidence.isEmpty ? message : "\(message): \(evidence)"
  }

  /// The finding on one line with its rule, then its fixes and the commands that apply them.
  ///
  /// - Parameter subject: The location, if it differs from that of the finding.
  package func lines(at subject: String? = nil) -> [StyledText] {
    let name = subject ?? location.description
    let heading =
      StyledText("  \(severity.rawValue): ", severity.style)
      + StyledText(name.isEmpty ? "" : "\(name)  ", .name) + StyledText(shownMessage)
      + StyledText("  [\(id)]", .faint)
    if let acceptance { return [heading + StyledText("  \(acceptance.text)", .faint)] }
    return [heading] + fixes.flatMap(\.lines)
  }
}

extension Fix {
  fileprivate var lines: [StyledText] {
    [StyledText("    fix: \(supported)", .faint) + shownProof]
      + commands.map { StyledText("      ") + StyledText(command: $0, .name) }
  }

  /// The text with its score and evidence.
  private var supported: String {
    text + (score.map { " (\($0): \(evidence.joined(separator: ", ")))" } ?? "")
  }

  /// As in a report: `fix: set the renaming identifier of z to k (verified)`.
  var reported: String { "fix: \(supported)\(shownProof.text)" }

  private var shownProof: StyledText {
    switch proof {
    case .verified: StyledText(" (verified)", .good)
    case .partly: StyledText(" (verified; other problems remain)", .faint)
    case .untried: ""
    }
  }
}

extension Diagnostic.Severity {
  package var style: StyledText.Role {
    switch self {
    case .error: .error
    case .warning: .warning
    case .note: .faint
    }
  }
}

extension Sequence<Finding> {
  /// The findings sorted by severity: errors, warnings, notes; otherwise in their order.
  package var bySeverity: [Finding] {
    [Diagnostic.Severity.error, .warning, .note].flatMap { severity in
      filter { $0.severity == severity }
    }
  }

  /// The findings one below the other; those that differ only in their locations follow each other, and repeated
  /// fixes are shown once.
  package var view: View {
    var order: [FindingKey] = []
    var groups: [FindingKey: [Finding]] = [:]
    for finding in bySeverity {
      let key = FindingKey(finding)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(finding)
    }
    let sorted = order.flatMap { groups[$0] ?? [] }
    return .stack(
      sorted.enumerated().map { index, finding in
        var finding = finding
        if index + 1 < sorted.count,
          FindingKey(sorted[index + 1]).hasFixes(of: FindingKey(finding))
        {
          finding.fixes = []
        }
        return .lines(finding.lines())
      })
  }

  /// `2 errors, 1 warning`; empty if there are none.
  package var counts: String {
    [Diagnostic.Severity.error, .warning, .note].compactMap { severity in
      let count = count { $0.severity == severity }
      return count == 0 ? nil : Phrase.count(count, severity.rawValue)
    }.joined(separator: ", ")
  }
}

/// The properties that are equal in findings that differ only in their locations.
private struct FindingKey: Hashable {
  var id: String
  var severity: Diagnostic.Severity
  var reason: String
  var fixes: [Fix]
  /// Evidence belongs to one location.
  var location: FindingLocation?

  init(_ finding: Finding) {
    location = finding.evidence.unit == nil ? nil : finding.location
    (id, severity, reason) = (finding.id, finding.severity, finding.shownMessage)
    fixes = finding.fixes
  }

  func hasFixes(of other: FindingKey) -> Bool {
    id == other.id && severity == other.severity && fixes == other.fixes
  }
}
