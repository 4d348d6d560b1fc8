/// A finding of a check: an error, a loss or a note.
///
/// Two findings are equal if all of their parts are.
///
/// ```swift
/// let location = FindingLocation(entity: "Topic", property: "id")
/// let finding = Finding(InferenceRule.missingDefault(isNew: true), at: location)
/// finding.id  // "inference.missingDefault"
/// ```
package struct Finding: Sendable {
  /// The rule that is broken, with the facts of this case.
  package var rule: any FindingRule
  package var severity: Diagnostic.Severity
  package var location: FindingLocation
  package var fixes: [Fix]
  /// The number of objects concerned and the keys of the first ones; the programs involved.
  package var evidence: FindingEvidence
  /// Why it is accepted and does not fail; `nil` if it is not.
  package var acceptance: FindingAcceptance?

  /// - Parameter severity: The severity; `nil` for that of the rule.
  package init(
    _ rule: some FindingRule, severity: Diagnostic.Severity? = nil, at location: FindingLocation,
    fixes: [Fix] = [], evidence: FindingEvidence = FindingEvidence()
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.location = location
    self.fixes = fixes
    self.evidence = evidence
  }

  /// The entity concerned; empty if there is none.
  package var entity: String { location.entity ?? "" }

  package var property: String? { location.property }

  /// The stable name of the rule: `inference.missingDefault`.
  package var id: String { rule.id }

  /// Core Data's error code; `nil` if it has none.
  package var code: CoreDataError? { rule.code }

  /// The problem, without the location: `is a required value`.
  package var reason: String { rule.reason }

  /// The reason with its code: `is a required value (1570)`.
  package var message: String { reason + (code.map { " (\($0))" } ?? "") }
}

extension Finding: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    AnyHashable(a.rule) == AnyHashable(b.rule) && a.severity == b.severity
      && a.location == b.location
      && a.fixes == b.fixes && a.evidence == b.evidence && a.acceptance == b.acceptance
  }

  package func hash(into hasher: inout Hasher) {
    rule.hash(into: &hasher)
    hasher.combine(location)
  }
}

extension Sequence<Finding> {
  /// The rules of one kind, with their facts.
  package func rules<Rule: FindingRule>(_: Rule.Type = Rule.self) -> [Rule] {
    compactMap { $0.rule as? Rule }
  }
}

/// The location of a finding, as far as it is known.
///
/// ```swift
/// FindingLocation(entity: "Topic", property: "title", object: 3).description  // "Topic/p3.title"
/// ```
package struct FindingLocation: Sendable, Hashable, CustomStringConvertible {
  package var bundle: String?
  package var version: String?
  package var entity: String?
  package var property: String?
  /// An entity mapping.
  package var mapping: String?
  package var store: String?
  /// The primary key of an object.
  package var object: Int64?
  package var file: String?
  package var line: Int?

  package init(
    bundle: String? = nil, version: String? = nil, entity: String? = nil, property: String? = nil,
    mapping: String? = nil, store: String? = nil, object: Int64? = nil, file: String? = nil,
    line: Int? = nil
  ) {
    (self.bundle, self.version, self.entity, self.property) = (bundle, version, entity, property)
    (self.mapping, self.store, self.object) = (mapping, store, object)
    (self.file, self.line) = (file, line)
  }

  /// `Topic/p3`, the entity mapping, or the entity.
  package var subject: String? {
    guard let owner = mapping ?? entity else { return nil }
    return object.map { "\(owner)/p\($0)" } ?? owner
  }

  package var description: String {
    if let subject { return property.map { "\(subject).\($0)" } ?? subject }
    return file.map { file in line.map { "\(file):\($0)" } ?? file } ?? store ?? ""
  }
}

/// The decision of a project to live with a finding.
package struct FindingAcceptance: Sendable, Hashable {
  package var reason: String
  /// The last month or day on which it holds, such as `2027-01` or `2027-01-31`; `nil` for no end.
  package var until: String?

  package init(reason: String, until: String? = nil) {
    (self.reason, self.until) = (reason, until)
  }

  /// `accepted: the app moves them at launch, until 2027-01`.
  package var text: String { "accepted: \(reason)" + (until.map { ", until \($0)" } ?? "") }
}

/// The evidence for a finding.
package struct FindingEvidence: Sendable, Hashable {
  /// The unit of the count.
  package enum Unit: String, Sendable, Hashable {
    case object, value, link
  }

  /// The number of objects, rows or files; `nil` if they were not counted.
  package var count: Int?
  /// `nil` if it is part of the message of the rule.
  package var unit: Unit?
  /// The primary keys of the first objects.
  package var keys: [Int64]
  /// The programs that use the file.
  package var programs: [String]

  package init(
    count: Int? = nil, unit: Unit? = nil, keys: [Int64] = [], programs: [String] = []
  ) {
    (self.count, self.unit, self.keys, self.programs) = (count, unit, keys, programs)
  }
}

extension FindingEvidence: CustomStringConvertible {
  /// `4 values (p1, p3, p4, …)`; empty if nothing was counted or the unit is unknown.
  package var description: String {
    guard let count, let unit else { return "" }
    let objects = keys.map { "p\($0)" } + (keys.count < count ? ["…"] : [])
    return Phrase.count(count, unit.rawValue)
      + (keys.isEmpty ? "" : " (\(objects.joined(separator: ", ")))")
  }
}
