package import StrataBase

/// The JSON shape of a finding.
package struct FindingPayload: Encodable, Sendable {
  package struct Location: Encodable, Sendable {
    var bundle: String?
    var version: String?
    var entity: String?
    var property: String?
    var mapping: String?
    var store: String?
    /// The primary key of the object.
    var object: Int64?
    var file: String?
    var line: Int?

    init(_ location: FindingLocation) {
      (bundle, version, entity, property) =
        (location.bundle, location.version, location.entity, location.property)
      (mapping, store, object) = (location.mapping, location.store, location.object)
      (file, line) = (location.file, location.line)
    }
  }

  package struct FixPayload: Encodable, Sendable {
    var text: String
    var commands: [String]
    var verified: Bool
    /// The score of a guess, from 0 to 1, and its evidence.
    var score: Double?
    var evidence: [String]?

    init(_ fix: Fix) {
      (text, commands, verified) = (fix.text, fix.commands, fix.proof == .verified)
      score = fix.score
      evidence = fix.evidence.isEmpty ? nil : fix.evidence
    }
  }

  package struct Evidence: Encodable, Sendable {
    var count: Int?
    var unit: FindingEvidence.Unit?
    var objects: [String]?
    var programs: [String]?

    init?(_ evidence: FindingEvidence) {
      guard evidence != FindingEvidence() else { return nil }
      (count, unit) = (evidence.count, evidence.unit)
      objects = evidence.keys.isEmpty ? nil : evidence.keys.map { "p\($0)" }
      programs = evidence.programs.isEmpty ? nil : evidence.programs
    }
  }

  private var rule: String
  private var severity: String
  private var code: CoreDataError?
  private var location: Location
  private var message: String
  private var fixes: [FixPayload]
  private var evidence: Evidence?
  /// The former JSON keys of the answer, from before all findings had one shape.
  private var formerKeys: (any Encodable & Sendable)?

  package var isNote: Bool { severity == Diagnostic.Severity.note.rawValue }

  /// - Parameter formerKeys: Additional keys besides those of all findings.
  package init(_ finding: Finding, formerKeys: (any Encodable & Sendable)? = nil) {
    (rule, severity, code) = (finding.id, finding.severity.rawValue, finding.code)
    (location, message) = (Location(finding.location), finding.reason)
    fixes = finding.fixes.map(FixPayload.init)
    evidence = Evidence(finding.evidence)
    self.formerKeys = formerKeys
  }

  private enum CodingKeys: String, CodingKey {
    case rule, severity, code, message, fixes, evidence
    case location = "place"
  }

  package func encode(to encoder: any Encoder) throws {
    try formerKeys?.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rule, forKey: .rule)
    try container.encode(severity, forKey: .severity)
    try container.encodeIfPresent(code, forKey: .code)
    try container.encode(location, forKey: .location)
    try container.encode(message, forKey: .message)
    try container.encode(fixes, forKey: .fixes)
    try container.encodeIfPresent(evidence, forKey: .evidence)
  }
}
