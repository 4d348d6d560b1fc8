internal import StrataBase
internal import StrataGit
internal import StrataObjectModel

/// A model version that a release contained as its current version.
struct ShippedVersion {
  var name: String
  var model: ObjectModel
  /// The first release that contained it.
  var release: String
  /// The path of its file in the repository, at that release.
  var path: String
}

/// The model versions that were released: those that were current at the release tags of the repository.
struct ReleaseHistory {
  /// The tags of releases, oldest first.
  let releases: [GitTag]
  private(set) var bundles: [String: [ShippedVersion]] = [:]
  /// The versions in each bundle at its last release, shipped or not.
  private var contained: [String: [ShippedVersion]] = [:]
  private var oldest: [String: (release: String, versions: [String])] = [:]
  /// Whatever cannot be read.
  private(set) var problems: [Diagnostic] = []
  private let configuration: CheckConfiguration

  /// The tags that are releases by default: a version number, after any prefix.
  ///
  /// `v1.0`, `2.3.1` and `release-4` are releases; `v2.0-beta.1` and `nightly` are not.
  static func isRelease(_ tag: String) -> Bool {
    let words = tag.lowercased().split { !$0.isLetter }.map(String.init)
    return tag.wholeMatch(of: /[^0-9]*[0-9]+(\.[0-9]+)*/) != nil
      && Set(words).isDisjoint(with: prereleaseWords)
  }

  private static let prereleaseWords: Set = [
    "alpha", "beta", "rc", "pre", "preview", "dev", "test", "nightly", "build",
  ]

  /// - Parameter models: The models that were read so far.
  /// - Throws: ``GitError``.
  init(
    of project: ProjectRepository, by configuration: CheckConfiguration,
    sharing models: SharedModels
  ) throws {
    self.configuration = configuration
    let repository = project.git
    let patterns = configuration.releasePatterns
    releases = try repository.tags(matching: "**").filter { tag in
      patterns.contains { Self.counts(tag, for: $0) }
    }
    let trees = GitTrees(of: repository, where: CoreDataFiles.choice)
    var known: [GitObjectID: ObjectModel] = [:]
    var hashes: [String: Set<[String: VersionHash]>] = [:]
    var last: [String: (bundle: RevisionBundle, tag: GitTag)] = [:]
    func read(_ name: String, _ file: GitEntry) throws -> ObjectModel {
      if let model = known[file.id] { return model }
      let model = try ModelVersion(name: name, source: .embedded(repository.blob(file.id)))
        .read(sharing: models)
      known[file.id] = model
      return model
    }
    for release in releases {
      try Interruption.check()
      for bundle in RevisionBundle.all(in: try trees.tree(of: release.commit).entries) {
        guard let path = project.projectPath(of: bundle.path),
          Self.counts(release, for: configuration.released(at: path))
        else { continue }
        do {
          let (name, file) = try bundle.currentVersion(in: repository)
          if last[path] == nil {
            oldest[path] = (
              release.name, bundle.versionNames.filter { $0.precedesByNumber(name) }
            )
          }
          last[path] = (bundle, release)
          let model = try read(name, file)
          guard hashes[path, default: []].insert(model.versionHashes()).inserted else { continue }
          bundles[path, default: []].append(
            ShippedVersion(name: name, model: model, release: release.name, path: file.path))
        } catch let error as any DiagnosticError {
          var problem = error.diagnostic.asWarning
          problem.what = "\(path) of \(release.name) is not compared: \(problem.what)"
          // It is not a file of the working tree.
          problem.location = nil
          problems.append(problem)
        }
      }
    }
    for (path, last) in last {
      contained[path] = try last.bundle.versionNames.compactMap { name in
        try Interruption.check()
        // One that cannot be read was current at no tag.
        guard let file = try? last.bundle.file(of: name), let model = try? read(name, file) else {
          return nil
        }
        return ShippedVersion(name: name, model: model, release: last.tag.name, path: file.path)
      }
    }
  }

  /// Whether a tag is a release by a pattern; `nil` for the default.
  private static func counts(_ tag: GitTag, for pattern: String?) -> Bool {
    pattern.map { GitPattern($0).matches(tag.name) } ?? isRelease(tag.name)
  }

  /// The tags that are releases of the bundle at a path, oldest first.
  func releases(of path: String) -> [GitTag] {
    releases.filter { Self.counts($0, for: configuration.released(at: path)) }
  }

  /// The versions in a bundle at its last release, shipped or not.
  func contained(in bundle: ProjectState.Bundle) -> [ShippedVersion] {
    contained[bundle.path] ?? []
  }

  /// The first release of a bundle, and the older versions that it contained.
  func oldest(in bundle: ProjectState.Bundle) -> (release: String, versions: [String])? {
    oldest[bundle.path]
  }

  /// The bundle that continues the one at a former path: that of the same name or, if it was renamed, one with a version
  /// that the former bundle shipped; `nil` if it is gone.
  private func continuation(
    of path: String, among all: [ProjectState.Bundle]
  ) -> ProjectState.Bundle? {
    if let same = all.first(where: { $0.path == path }) { return same }
    func name(_ path: String) -> Substring? { path.split(separator: "/").last }
    let others = all.filter { bundles[$0.path] == nil || name($0.path) == name(path) }
    return others.first { name($0.path) == name(path) }
      ?? others.first { bundle in
        bundles[path]?.contains { bundle.version(withHashesOf: $0.model) != nil } == true
      }
  }

  /// The shipped versions of the bundles that are gone, by their former paths.
  func goneBundles(among all: [ProjectState.Bundle]) -> [(path: String, versions: [ShippedVersion])]
  {
    bundles.filter { continuation(of: $0.key, among: all) == nil }
      .sorted { $0.key.precedesInBytes($1.key) }.map { ($0.key, $0.value) }
  }

  /// The shipped versions of a bundle, also those from before it was moved or renamed, oldest first.
  func shipped(in bundle: ProjectState.Bundle, among all: [ProjectState.Bundle]) -> [ShippedVersion]
  {
    var found = bundles[bundle.path] ?? []
    var hashes = Set(found.map { $0.model.versionHashes() })
    for (path, versions) in bundles.sorted(by: { $0.key.precedesInBytes($1.key) })
    where path != bundle.path && continuation(of: path, among: all)?.path == bundle.path {
      found += versions.filter { hashes.insert($0.model.versionHashes()).inserted }
    }
    let order = Dictionary(
      releases.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    return found.enumerated().sorted {
      (order[$0.element.release] ?? 0, $0.offset) < (order[$1.element.release] ?? 0, $1.offset)
    }.map(\.element)
  }
}
