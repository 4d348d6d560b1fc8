internal import StrataBase
internal import StrataObjectModel

/// Compares the lock file with the versions of a bundle, and with its older state.
struct LockCheck {
  private(set) var findings: [Finding] = []

  /// The findings of versions that are not as they were shipped.
  ///
  /// - Parameter original: Returns a version as it was shipped, if git has it.
  init(
    of bundle: ProjectState.Bundle, _ versions: [LockFile.Version], _ restorer: VersionRestorer,
    original: (LockFile.Version) throws -> ShippedVersion?
  ) rethrows {
    for shipped in versions where bundle.version(withHashes: shipped.hashes) == nil {
      let found = bundle.version(named: shipped.name)
      // Why it cannot be read is reported as not checked.
      guard found != nil || bundle.problem(of: shipped.name) == nil else { continue }
      let release = Self.release(of: shipped)
      let original = try original(shipped)
      var fix = Fix("restore it, and make changes in a new version")
      guard let edited = found else {
        if let original { fix = restorer.fix(original, to: bundle.file(of: shipped.name)) }
        findings.append(
          Finding(
            CheckRule(.versionGone, "\(release) and is not in the bundle"),
            at: FindingLocation(bundle: bundle.label, version: shipped.name, file: bundle.path),
            fixes: [fix]))
        continue
      }
      if let original { fix = restorer.fix(original, editedAs: edited, in: bundle) }
      let changes = original.map { edited.model.difference(from: $0.model).entities } ?? []
      let hashes = edited.model.versionHashes()
      for entity in Set(hashes.keys).union(shipped.hashes.keys).sorted(by: {
        $0.precedesInBytes($1)
      })
      where hashes[entity] != shipped.hashes[entity] {
        let change =
          "\(shipped.hashes[entity]?.short ?? "none") -> \(hashes[entity]?.short ?? "none")"
        // Not part of the detail: another clone may not have the history.
        let texts = changes.filter { $0.name == entity || $0.oldName == entity }
          .flatMap(\.changes).filter(\.movesHash).map(\.text)
        let reason = ([change] + texts).joined(separator: ", ")
        findings.append(
          Finding(
            CheckRule(.versionEdited, "\(reason); \(release)", detail: change),
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
    for model in old.models {
      let current = lock.model(like: model, of: old)
      for version in model.versions {
        compare(
          version, with: current?.version(named: version.name), of: current?.name ?? model.name,
          at: base)
      }
    }
  }

  private mutating func compare(
    _ version: LockFile.Version, with now: LockFile.Version?, of model: String, at base: String
  ) {
    guard let now else {
      return note(.lockMissing, "is in the file at \(base) and not now", model, version.name, nil)
    }
    guard let release = version.release, now.release != nil else { return }
    if now.release != release {
      note(.lockRewritten, "is shipped in \(release) at \(base)", model, version.name, now.line)
    }
    if now.hashes != version.hashes {
      note(.lockRewritten, "has other hashes at \(base)", model, version.name, now.line)
    }
  }

  private static func release(of version: LockFile.Version) -> String {
    version.release.map { "shipped in \($0)" } ?? "shipped"
  }

  /// The finding about a locked version whose bundle the project does not have.
  static func missing(_ version: LockFile.Version, of model: String) -> Finding {
    Finding(
      CheckRule(.versionGone, "\(release(of: version)), and the project has no such bundle"),
      at: FindingLocation(
        bundle: model, version: version.name, file: LockFile.fileName, line: version.line),
      fixes: [
        Fix(
          "restore the bundle; if it was renamed, write its new name after `model` in \(LockFile.fileName)"
        )
      ])
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
