internal import StrataBase
internal import StrataGit
internal import StrataMigration
internal import StrataObjectModel

/// Compares the versions of a bundle with those that were released.
struct VersionCheck {
  private(set) var findings: [Finding] = []
  private let bundle: ProjectState.Bundle
  private let isShipped: ([String: VersionHash]) -> Bool
  private let restorer: VersionRestorer

  init(of checked: CheckedBundle, _ restorer: VersionRestorer) {
    bundle = checked.bundle
    isShipped = checked.isShipped
    let shipped = checked.shipped
    self.restorer = restorer
    for version in shipped where bundle.version(withHashesOf: version.model) == nil {
      if let edited = bundle.version(named: version.name) {
        // The bundle's version of that name may have shipped too.
        let isReplaced =
          Self.isReplaced(version, in: shipped) || isShipped(edited.model.versionHashes())
        findEdits(of: edited, since: version, isReplaced: isReplaced)
      } else if bundle.problem(of: version.name) == nil {
        note(
          .versionGone, "shipped in \(version.release) and is not in the bundle", version.name,
          detail: Self.release(of: version, in: shipped),
          fix: Self.isReplaced(version, in: shipped) ? restoreBeside(version) : restore(version))
      }
    }
    checkUnshipped(checked)
    checkCurrent(shipped, contained: checked.unshipped)
    findTwins(by: checked.strategy)
  }

  /// Whether a later release has another version of the same name.
  private static func isReplaced(_ version: ShippedVersion, in shipped: [ShippedVersion]) -> Bool {
    shipped.last { $0.name == version.name }?.model.versionHashes() != version.model.versionHashes()
  }

  /// The release of a version, where another one of the same name has shipped too.
  private static func release(of version: ShippedVersion, in shipped: [ShippedVersion]) -> String? {
    let hashes = version.model.versionHashes()
    let isOnly = shipped.allSatisfy {
      $0.name != version.name || $0.model.versionHashes() == hashes
    }
    return isOnly ? nil : version.release
  }

  /// Versions that a release contained and that were current at none: they may have shipped before the first tag.
  private mutating func checkUnshipped(_ checked: CheckedBundle) {
    for version in checked.unshipped where bundle.version(withHashesOf: version.model) == nil {
      if let edited = bundle.version(named: version.name) {
        findEdits(of: edited, since: version, isShipped: false)
      } else if bundle.problem(of: version.name) == nil {
        note(
          .versionGone,
          "was in the bundle of \(version.release), and is not in it now; it was current at no release tag",
          version.name, severity: .warning, fix: restore(version))
      }
    }
    guard let (release, versions) = checked.untagged else { return }
    let names =
      versions.count > 3
      ? "\(versions.count) versions, \(versions[0]) to \(versions[versions.count - 1]),"
      : Phrase.list(versions)
    note(
      .versionUntagged,
      "\(names) \(versions.count == 1 ? "is" : "are") older than the current version of the first release \(release), and current at no release tag: stores of \(versions.count == 1 ? "it" : "them") are not migrated",
      nil,
      fix: Fix(
        "if \(versions.count == 1 ? "it" : "they") shipped, tag the commits of the releases, or record the versions in strata.lock",
        commands: ["lock"]))
  }

  private mutating func note(
    _ kind: CheckRule.Kind, _ reason: String, _ version: String?, entity: String? = nil,
    property: String? = nil, line: Int? = nil, severity: Diagnostic.Severity? = nil,
    detail: String? = nil, fix: Fix? = nil
  ) {
    findings.append(
      Finding(
        CheckRule(kind, reason, detail: detail), severity: severity,
        at: FindingLocation(
          bundle: bundle.label, version: version, entity: entity, property: property,
          file: entity == nil ? bundle.place : version.map(bundle.file(of:)), line: line),
        fixes: fix.map { [$0] } ?? []))
  }

  /// The finding about a shipped version whose bundle the project does not have.
  static func missing(
    _ version: ShippedVersion, ofBundleAt path: String, _ restorer: VersionRestorer
  ) -> Finding {
    let file = String(version.path.dropFirst(restorer.prefix.count))
    // A model outside bundles.
    let place = file.hasPrefix("\(path)/") ? path : String(path.dropLast())
    return Finding(
      CheckRule(.versionGone, "shipped in \(version.release), and the project has no such bundle"),
      at: FindingLocation(bundle: place, version: version.name, file: place),
      fixes: [restorer.fix(version, to: file)])
  }

  private func restore(_ version: ShippedVersion) -> Fix {
    restorer.fix(version, to: bundle.file(of: version.name))
  }

  /// The fix for a version whose name another one has that was released too: it gets another name.
  private func restoreBeside(_ version: ShippedVersion) -> Fix {
    let release = version.release.split(separator: "/").last ?? ""
    var fix = restorer.fix(version, to: bundle.file(of: "\(version.name) \(release)"))
    fix.text =
      "several models were released as \(version.name): restore that of \(version.release) under another name"
    return fix
  }

  /// A finding for each change of a hash; an entity whose hash changed without a known reason has one of its own.
  ///
  /// - Parameters:
  ///   - isShipped: Whether the version was current at a release; otherwise a release only contained it.
  ///   - isReplaced: Whether a later release has another version of that name.
  private mutating func findEdits(
    of version: NamedModel, since shipped: ShippedVersion, isShipped: Bool = true,
    isReplaced: Bool = false
  ) {
    let fix =
      isReplaced
      ? restoreBeside(shipped) : restorer.fix(shipped, editedAs: version, in: bundle)
    let since =
      isShipped
      ? "shipped in \(shipped.release)"
      : "it was in the bundle of \(shipped.release), and current at no release tag"
    for entity in version.model.difference(from: shipped.model).entities where entity.movesHash {
      let changes = entity.changes.filter(\.movesHash)
      let old = shipped.model.propertyHashes(of: entity.oldName ?? entity.name)
      let new = version.model.propertyHashes(of: entity.name)
      for change in changes.isEmpty ? [nil] : changes.map(Optional.some) {
        let property = change?.name
        var former = property
        if case .renamed(let name)? = change?.kind { former = name }
        // The hashes of what the finding is about: the property, or the entity.
        let hashes =
          property.map { (former.flatMap { old[$0] }, new[$0]) } ?? (entity.oldHash, entity.newHash)
        note(
          .versionEdited,
          "\(hashes.0?.short ?? "none") -> \(hashes.1?.short ?? "none"), \(change?.text ?? entity.kind.rawValue); \(since)",
          version.name, entity: entity.name, property: property,
          line: version.model.line(
            of: FindingLocation(entity: entity.name, property: property)),
          severity: isShipped ? nil : .warning, detail: change?.text, fix: fix)
      }
    }
  }

  /// - Parameter contained: The versions that a release contained and that were current at none.
  private mutating func checkCurrent(
    _ shipped: [ShippedVersion], contained: [ShippedVersion]
  ) {
    guard let current = bundle.current else {
      // Why the file that names it cannot be read is reported as not checked.
      guard !bundle.isCurrentUnreadable else { return }
      guard let name = bundle.currentName else {
        return note(
          .versionCurrent, "the bundle names no current version", nil, fix: choosing(newest?.name))
      }
      guard bundle.bundle.version(named: name) != nil else {
        return note(
          .versionCurrent, "is named as the current version and is not in the bundle", name,
          fix: choosing(newest?.name))
      }
      let problem = bundle.problem(of: name)
      return note(
        .versionCurrent,
        "is the current version and cannot be read\(problem.map { ": \($0.what)" } ?? "")", name,
        fix: problem?.fix.map { Fix($0) })
    }
    // The last release counts: a version that was current again in it can be released again.
    let hashes = current.model.versionHashes()
    guard let last = shipped.max(by: ShippedVersion.isOlder), last.model.versionHashes() != hashes
    else { return }
    guard let older = shipped.last(where: { $0.model.versionHashes() == hashes }) else {
      // A version that a release contained may also be one of a later release, in preparation.
      let names = bundle.versions.map(\.name)
      guard contained.contains(where: { $0.model.versionHashes() == hashes }),
        let index = names.firstIndex(of: current.name),
        let lastIndex = names.firstIndex(of: last.name), index < lastIndex
      else { return }
      return note(
        .versionCurrent,
        "is the current version and older than \(last.name), which shipped in \(last.lastRelease)",
        current.name,
        fix: choosing(last.name, "choose \(last.name) or a newer version as the current version"))
    }
    note(
      .versionCurrent,
      "is the current version\(older.name == current.name ? "" : " and has the hashes of \(older.name)"); \(last.name) shipped after it, in \(last.lastRelease)",
      current.name,
      fix: fix(of: current, olderThan: last, like: older))
  }

  /// What makes a version current that is newer than all that shipped.
  ///
  /// - Parameter older: The shipped version with the hashes of the current one.
  private func fix(
    of current: NamedModel, olderThan last: ShippedVersion, like older: ShippedVersion
  ) -> Fix {
    if last.name == current.name {
      return Fix(
        "restore that of \(last.lastRelease) under another name, as version/edited shows, and choose it"
      )
    }
    guard older.name == current.name else {
      return Fix(
        "if it is meant to be newer than \(last.name), accept the finding in strata.toml, with the reason; otherwise choose \(last.name)"
      )
    }
    return choosing(
      bundle.version(named: last.name)?.name,
      "choose \(last.name) or a newer version as the current version")
  }

  private func choosing(
    _ name: String?, _ text: String = "choose the current version"
  ) -> Fix {
    Fix(text, commands: name.map { restorer.choose($0, of: bundle) } ?? [])
  }

  /// The version with the highest number in its name.
  private var newest: NamedModel? { bundle.versions.max { $0.name.precedesByNumber($1.name) } }

  private mutating func findTwins(by strategy: MigrationStrategy) {
    var first: [[String: VersionHash]: String] = [:]
    for version in bundle.versions {
      let hashes = version.model.versionHashes()
      guard let twin = first[hashes] else {
        first[hashes] = version.name
        continue
      }
      note(
        .versionTwins, "has the hashes of \(twin)", version.name,
        // A staged migration refuses them.
        severity: strategy == .staged ? .error : nil,
        fix: Fix("delete \(version.name), or edit it if it is meant for the next release"))
    }
  }

  // MARK: Changes of another branch

  /// Finds versions that the base does not have, and that are neither current nor shipped.
  ///
  /// - Parameter staged: The names of the versions in stages files, which are steps between others.
  mutating func findUnused(since base: ProjectState.Bundle, besides staged: Set<String>) {
    guard let current = bundle.current else { return }
    for version in bundle.versions
    where version.name != current.name && base.version(named: version.name) == nil
      && base.version(withHashesOf: version.model) == nil
      && version.model.versionHashes() != current.model.versionHashes()
      && !isShipped(version.model.versionHashes()) && !staged.contains(version.name)
    {
      note(
        .versionUnused, "is new, and \(current.name) is the current version", version.name,
        fix: choosing(version.name, "choose it as the current version, or delete it"))
    }
  }

  /// Finds a current version that was made beside the current version of a base, and has none of its changes.
  ///
  /// - Parameters:
  ///   - revision: The revision of the base.
  ///   - isNew: Whether the bundle did not have a version of this name when the branch left the base.
  mutating func findSkipped(
    since base: ProjectState.Bundle, at revision: String, isNew: (String) throws -> Bool
  ) rethrows {
    let new = bundle.versions.filter { base.version(withHashesOf: $0.model) == nil }
    // With a version between them, the base's changes were undone on purpose. What is removed from a shipped version
    // that the bundle has is a loss on the path from it.
    guard let current = bundle.current, let other = base.current, new.map(\.name) == [current.name],
      bundle.version(withHashesOf: other.model).map({ isShipped($0.model.versionHashes()) })
        != true,
      let common = base.versions.filter({ base.precedes($0, other) })
        .max(by: { $0.name.precedesByNumber($1.name) })
    else { return }
    let (old, theirs, ours) = (
      common.model.elementHashes, other.model.elementHashes, current.model.elementHashes
    )
    let changes = Set(old.keys).union(theirs.keys).filter { old[$0] != theirs[$0] }
    // What the version has in common with the base's current one was not skipped; what is made from that one undoes some
    // of its changes on purpose.
    let skipped = changes.filter { ours[$0] == old[$0] }
    let isBeside = bundle.version(withHashesOf: other.model) == nil
    guard !skipped.isEmpty, isBeside || skipped.count == changes.count else { return }
    // An edited version replaces itself; two versions of one name that both branches made do not.
    let isNamesake = current.name == other.name
    if isNamesake, try !isNew(current.name) { return }
    let their = isNamesake ? "\(other.name) at \(revision)" : other.name
    note(
      .versionSkipped,
      "is made from \(common.name) and lacks what \(their) changed: \(Phrase.list(skipped.sorted { $0.precedesInBytes($1) }))",
      current.name,
      fix: Fix(
        "make the version again\(isNamesake ? " under another name" : "") from \(their), with the changes of this branch"
      ))
  }
}

extension ObjectModel {
  /// The hashes of persistent properties by `Entity.property`, and an empty text for each entity.
  fileprivate var elementHashes: [String: String] {
    propertyHashes(of: entityNames).reduce(
      into: Dictionary(uniqueKeysWithValues: entityNames.map { ($0, "") })
    ) { elements, entity in
      for (name, hash) in entity.value { elements["\(entity.key).\(name)"] = hash.hex }
    }
  }
}
