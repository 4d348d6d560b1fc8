package import StrataBase

/// The JSON shape of a finding.
package struct FindingPayload: JSONRepresentable, Encodable, Sendable {
  package let json: JSONValue
  package let isNote: Bool

  /// - Parameter formerKeys: Additional keys, from before all findings had one shape. Own keys hide them.
  package init(_ finding: Finding, formerKeys: JSONValue.Members = [:]) {
    isNote = finding.severity == .note
    let own: JSONValue.Members = [
      "rule": finding.id, "severity": finding.severity.rawValue, "code": finding.code?.rawValue,
      "place": finding.location.json, "message": finding.reason,
      "fixes": finding.fixes.map(\.json), "evidence": finding.evidence.json,
    ]
    json = .object(withoutNull: formerKeys + own)
  }

  package func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension FindingLocation {
  /// The object is its primary key.
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "bundle": bundle, "version": version, "entity": entity, "property": property,
      "mapping": mapping, "store": store, "object": object, "file": file, "line": line,
    ])
  }
}

extension Fix {
  /// The score of a guess is from 0 to 1.
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "text": text, "commands": commands, "verified": proof == .verified, "score": score,
      "evidence": evidence.isEmpty ? nil : evidence,
    ])
  }
}

extension FindingEvidence {
  fileprivate var json: JSONValue? {
    guard self != FindingEvidence() else { return nil }
    return .object(withoutNull: [
      "count": count, "unit": unit?.rawValue,
      "objects": keys.isEmpty ? nil : keys.map { "p\($0)" },
      "programs": programs.isEmpty ? nil : programs,
    ])
  }
}
