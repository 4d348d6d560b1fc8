internal import StrataBase

/// A rule of `check`, with the message of one case.
///
/// Its names have a slash, `version/edited`: each belongs to a step of a release, not to the command that finds it.
struct CheckRule: FindingRule {
  enum Kind: String, CaseIterable {
    case versionEdited = "version/edited"
    case versionGone = "version/gone"
    case versionCurrent = "version/current"
    case versionSkipped = "version/skipped"
    case versionTwins = "version/twins"
    case versionUnused = "version/unused"
    case versionUntagged = "version/untagged"
    case lockMissing = "lock/missing"
    case lockRewritten = "lock/rewritten"
    case pathNone = "path/none"
    case pathChanged = "path/changed"
    case pathMissingStep = "path/missing-step"
    case pathShadowed = "path/shadowed"
    case lossValues = "loss/values"
    case lossObjects = "loss/objects"
    case lossLinks = "loss/links"
    case lossOrder = "loss/order"
    case failsRequired = "fails/required"
    case failsUnique = "fails/unique"
    case failsUnsavable = "fails/unsavable"
    case failsColumn = "fails/column"
    case renameLikely = "rename/likely"
    case mappingStale = "mapping/stale"
    case mappingAmbiguous = "mapping/ambiguous"
    case mappingShadowed = "mapping/shadowed"
    case mappingUnreachable = "mapping/unreachable"
    case mappingText = "mapping/text"
    case mappingKeyPath = "mapping/key-path"
    case mappingType = "mapping/type"
    case policyUnknown = "policy/unknown"
    case cloudKitModel = "cloudkit/model"
    case cloudKitSchema = "cloudkit/schema"
    case storeUnreadable = "store/unreadable"
    case storeUnknownVersion = "store/unknown-version"
    case storeExternalMissing = "store/external-missing"
    case acceptUnused = "accept/unused"
    case acceptReason = "accept/reason"
  }

  static let domain = "check"
  static let pages = TextSection.all(
    in: ProgramText.text(of: "check-rules.md")
  ).map {
    RulePage($0.heading, $0.paragraphs[0], $0.paragraphs.dropFirst().joined(separator: " "))
  }

  static func id(ofPage name: String) -> String { name }

  let kind: Kind
  let reason: String
  var code: CoreDataError?
  /// What distinguishes the finding from others at its location, without hashes: a part of the text that accepts it.
  var detail: String?

  init(_ kind: Kind, _ reason: String, code: CoreDataError? = nil, detail: String? = nil) {
    (self.kind, self.reason, self.code, self.detail) = (kind, reason, code, detail)
  }

  /// The rule about a policy of this name, without a policy file for it.
  static func unknownPolicy(_ name: String) -> CheckRule {
    CheckRule(.policyUnknown, "policy \(name) is unknown: the migration is planned, not performed")
  }

  var caseName: String { kind.rawValue }

  var severity: Diagnostic.Severity {
    switch kind {
    case .versionTwins, .versionUnused, .versionUntagged, .renameLikely: .note
    case .versionSkipped, .pathShadowed, .failsRequired, .failsUnique, .failsUnsavable,
      .mappingShadowed, .mappingUnreachable, .mappingText, .policyUnknown,
      .storeExternalMissing, .acceptUnused, .acceptReason:
      .warning
    default: .error
    }
  }
}
