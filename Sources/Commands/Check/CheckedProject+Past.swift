internal import StrataBase
internal import StrataGit
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// The bundles and versions of a checked project as they were.
extension CheckedProject {
  /// The bundle in another state of the project.
  func bundle(
    like bundle: ProjectState.Bundle, in state: ProjectState
  ) -> ProjectState.Bundle? {
    state.bundle(
      like: bundle, formerly: history?.formerPaths[bundle.path] ?? [],
      beside: bundles.map(\.bundle))
  }

  /// Whether a bundle did not have a version of this name when the branch left a revision; `false` if it is not known.
  func isNew(
    _ version: String, of bundle: ProjectState.Bundle, since revision: String
  ) throws -> Bool {
    let paths = [bundle.path] + (history?.formerPaths[bundle.path] ?? [])
    do {
      let names = try repository?.forkedVersionNames(ofBundleAt: paths, since: revision)
      return names.map { !$0.contains(version) } ?? false
    } catch is GitError {
      return false
    }
  }

  /// A locked version as it was shipped: a release that contained it, or git's history of its file, has its model.
  func original(
    of version: LockFile.Version, in checked: CheckedBundle
  ) throws -> ShippedVersion? {
    func isWanted(_ model: ObjectModel) -> Bool { model.versionHashes() == version.hashes }
    if let known = checked.contained.first(where: { isWanted($0.model) }) { return known }
    let file = checked.bundle.file(of: version.name)
    do {
      return try repository?.model(formerlyIn: file, named: version.name, where: isWanted)
        .map { .init(named: version.name, $0.model, inCommit: $0.commit, at: $0.path) }
    } catch is GitError {
      return nil
    }
  }

  var restorer: VersionRestorer {
    VersionRestorer(
      repository, root: scope.root, sessionFolder: session.folder, shown: shown)
  }

  /// The plans to the current version at a base, by the names that the versions have now.
  ///
  /// - Parameter before: The bundle at the base.
  func plans(
    of checked: CheckedBundle, as before: ProjectState.Bundle, in state: ProjectState
  ) -> [String: MigrationPlan] {
    guard let target = before.current else { return [:] }
    let versions = checked.bundle.versions.compactMap { version in
      before.version(withHashesOf: version.model).map { (version.name, $0) }
    }
    let plans = checked.planner(in: state, of: before)
      .plans(from: versions.map(\.1), to: target, by: checked.strategy)
    return Dictionary(
      first:
        zip(versions, plans).compactMap { version, plan in
          (try? plan.get()).map { (version.0, $0) }
        })
  }

  /// The paths of the mapping models that a state had and the project does not, by name.
  func deletedMappings(since old: ProjectState) -> [String: String] {
    let (names, paths) = (Set(state.mappings.map(\.name)), Set(state.mappingPaths))
    let deleted = zip(old.mappings, old.mappingPaths).filter {
      !names.contains($0.name) && !paths.contains($1)
    }
    return Dictionary(first: deleted.map { ($0.name, ProjectState.folder(ofMapping: $1)) })
  }
}
