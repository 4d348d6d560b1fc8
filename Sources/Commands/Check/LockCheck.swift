internal import StrataBase
internal import StrataObjectModel

/// Compares the lock file with the versions of a bundle, and with its older state.
struct LockCheck {
  private(set) var findings: [Finding] = []

  /// The findings of versions that are not as they were shipped.
  init(of bundle: ProjectState.Bundle, _ versions: [LockFile.Version]) {
    let fix = Fix("restore it, and make changes in a new version")
    for shipped in versions where bundle.version(withHashes: shipped.hashes) == nil {
      let release = shipped.release.map { "shipped in \($0)" } ?? "shipped"
      guard let edited = bundle.version(named: shipped.name) else {
        findings.append(
          Finding(
            CheckRule(.versionGone, "\(release) and is not in the bundle"),
            at: FindingLocation(bundle: bundle.label, version: shipped.name, file: bundle.path),
            fixes: [fix]))
        continue
      }
      let hashes = edited.model.versionHashes()
      for entity in Set(hashes.keys).union(shipped.hashes.keys).sorted(by: {
        $0.precedesInBytes($1)
      })
      where hashes[entity] != shipped.hashes[entity] {
        let change =
          "\(shipped.hashes[entity]?.short ?? "none") -> \(hashes[entity]?.short ?? "none")"
        findings.append(
          Finding(
            CheckRule(.versionEdited, "\(change); \(release)"),
            at: FindingLocation(
              bundle: bundle.label, version: edited.name, entity: entity,
              file: bundle.file(of: edited.name),
              line: edited.model.line(of: FindingLocation(entity: entity))),
            fixes: [fix]))
      }
    }
  }

  /// The findings of lines that differ from those at a base. A shipped version may become a retired one.
  init(_ lock: LockFile, since old: LockFile, at base: String) {
    for (model, version) in old.models.flatMap({ model in model.versions.map { (model.name, $0) } })
    {
      let now = lock[model]?.version(named: version.name)
      if now == nil {
        note(.lockMissing, "is in the file at \(base) and not now", model, version.name, nil)
      } else if let now, version.release != nil, now.release != nil {
        if now.release != version.release {
          note(
            .lockRewritten, "is shipped in \(version.release ?? "") at \(base)", model,
            version.name, now.line)
        }
        if now.hashes != version.hashes {
          note(.lockRewritten, "has other hashes at \(base)", model, version.name, now.line)
        }
      }
    }
  }

  private mutating func note(
    _ kind: CheckRule.Kind, _ reason: String, _ model: String, _ version: String, _ line: Int?
  ) {
    findings.append(
      Finding(
        CheckRule(kind, reason),
        at: FindingLocation(
          bundle: model, version: version, file: LockFile.fileName, line: line),
        fixes: [
          Fix(
            "restore its lines; if no user has such a store any more, write `retired \"reason\"` after its name"
          )
        ]))
  }
}
