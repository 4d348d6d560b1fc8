internal import StrataBase
internal import StrataObjectModel

/// Checks the current version of a bundle that is mirrored to CloudKit, and what changed since the last release.
struct CloudKitCheck {
  let findings: [Finding]

  init(_ checked: CheckedBundle) {
    let bundle = checked.bundle
    guard let current = bundle.current,
      checked.settings.cloudkit ?? current.model.isMarkedForCloudKit
    else {
      findings = []
      return
    }
    func finding(_ kind: CheckRule.Kind, _ found: Finding, since version: String?) -> Finding {
      var location = found.location
      location.bundle = bundle.label
      location.version = (version.map { "\($0) -> " } ?? "") + current.name
      location.file = bundle.file(of: current.name)
      location.line = current.model.line(of: location)
      return Finding(
        CheckRule(kind, found.reason, code: found.code), at: location, fixes: found.fixes)
    }
    let last = checked.shipped.max(by: ShippedVersion.isOlder)
    findings =
      CloudKitModelCheck(current.model).findings.map { finding(.cloudKitModel, $0, since: nil) }
      + (last.map { last in
        CloudKitEvolution(from: last.model, to: current.model).changes
          .map { finding(.cloudKitSchema, $0, since: last.name) }
      } ?? [])
  }
}

extension ObjectModel {
  /// Whether a model is marked in Xcode as used with CloudKit.
  fileprivate var isMarkedForCloudKit: Bool {
    document.extras.attributes["usedWithCloudKit"].map { $0 == "YES" || $0 == "true" } ?? false
  }
}
