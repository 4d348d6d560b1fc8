internal import StrataBase
internal import StrataObjectModel

/// Compares the versions of a bundle with those that were released.
struct VersionCheck {
  private(set) var findings: [Finding] = []
  private let bundle: ProjectState.Bundle
  private let repositoryPath: String

  /// - Parameters:
  ///   - shipped: The shipped versions of the bundle, oldest first.
  ///   - repositoryPath: The path of the project folder in the repository, with a slash at the end if it is not empty.
  init(of bundle: ProjectState.Bundle, shipped: [ShippedVersion], at repositoryPath: String) {
    self.bundle = bundle
    self.repositoryPath = repositoryPath
    for version in shipped where bundle.version(withHashesOf: version.model) == nil {
      if let edited = bundle.version(named: version.name) {
        findEdits(of: edited, since: version)
      } else if !bundle.problems.contains(where: {
        $0.location?.file?.contains(version.name) == true
      }) {
        note(
          .versionGone, "shipped in \(version.release) and is not in the bundle", version.name,
          fix: restore(version))
      }
    }
    checkCurrent(shipped)
    findTwins(shipped)
  }

  private mutating func note(
    _ kind: CheckRule.Kind, _ reason: String, _ version: String, entity: String? = nil,
    property: String? = nil, line: Int? = nil, fix: Fix? = nil
  ) {
    findings.append(
      Finding(
        CheckRule(kind, reason),
        at: FindingLocation(
          bundle: bundle.label, version: version, entity: entity, property: property,
          file: entity == nil ? bundle.path : bundle.file(of: version), line: line),
        fixes: fix.map { [$0] } ?? []))
  }

  private func restore(_ version: ShippedVersion) -> Fix {
    let file = bundle.file(of: version.name)
    return Fix(
      "restore it, and make changes in a new version",
      commands: [
        ["git", "show", "\(version.release):\(repositoryPath)\(file)"]
          .map(CommandLineLexer.quoted).joined(separator: " ")
          + " > \(CommandLineLexer.quoted(file))"
      ])
  }

  /// A finding for each change of a hash; an entity whose hash changed without a known reason has one of its own.
  private mutating func findEdits(of version: NamedModel, since shipped: ShippedVersion) {
    for entity in version.model.difference(from: shipped.model).entities where entity.movesHash {
      let hashes =
        "\(entity.oldHash?.short ?? "none") -> \(entity.newHash?.short ?? "none")"
      let changes = entity.changes.filter(\.movesHash)
      let known = version.model[entity.name]
      for change in changes.isEmpty ? [nil] : changes.map(Optional.some) {
        let property = change?.name
        note(
          .versionEdited,
          "\(hashes), \(change?.text ?? entity.kind.rawValue); shipped in \(shipped.release)",
          version.name, entity: entity.name, property: property,
          line: known.flatMap { entity in
            property.flatMap { entity.line(of: $0) } ?? entity.extras.line
          }.flatMap { $0 > 0 ? $0 : nil },
          fix: restore(shipped))
      }
    }
  }

  private mutating func checkCurrent(_ shipped: [ShippedVersion]) {
    let declared = bundle.bundle.declaredVersionName
    if let declared, bundle.bundle.version(named: declared) == nil {
      note(
        .versionCurrent, "is named as the current version and is not in the bundle", declared,
        fix: Fix("choose the current version in Xcode"))
      return
    }
    guard let current = bundle.current, let last = shipped.last,
      let older = shipped.last(where: {
        $0.model.versionHashes() == current.model.versionHashes()
      }), older.release != last.release
    else { return }
    note(
      .versionCurrent,
      "is the current version, and \(last.name) shipped after it, in \(last.release)", current.name,
      fix: Fix("choose \(last.name) or a newer version as the current version"))
  }

  private mutating func findTwins(_ shipped: [ShippedVersion]) {
    var first: [[String: VersionHash]: String] = [:]
    for version in bundle.versions {
      let hashes = version.model.versionHashes()
      guard let twin = first[hashes] else {
        first[hashes] = version.name
        continue
      }
      note(.versionTwins, "has the hashes of \(twin)", version.name)
    }
  }
}
