internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataGit
internal import StrataObjectModel
internal import StrataStore

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
  let repository: GitRepository
  /// The path of the project's folder in the repository; empty if they are the same.
  private let prefix: [String]
  /// The tags of releases, oldest first.
  let releases: [GitTag]
  private(set) var bundles: [String: [ShippedVersion]] = [:]
  /// Whatever cannot be read.
  private(set) var problems: [Diagnostic] = []

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

  /// - Parameter pattern: The tags of releases, such as `v*`; `nil` for the default.
  /// - Throws: ``GitError``.
  init(of folder: String, tags pattern: String?, in session: Session) throws {
    // The root of a repository has no links in its path.
    let folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    repository = try GitRepository(containing: folder)
    guard (folder + "/").hasPrefix(repository.root + "/") else {
      throw GitError.notARepository(folder: folder)
    }
    prefix = folder.dropFirst(repository.root.count).split(separator: "/").map(String.init)
    let tags = try repository.tags(matching: pattern ?? "**")
    releases = pattern == nil ? tags.filter { Self.isRelease($0.name) } : tags
    let trees = GitTrees(of: repository, where: CoreDataFiles.choice)
    let workspace = try PrivateFolder()
    var known: [[GitObjectID]: ObjectModel] = [:]
    for release in releases {
      try Interruption.check()
      for bundle in RevisionBundle.all(in: try trees.tree(of: release.commit).entries) {
        guard let path = projectPath(of: bundle.path) else { continue }
        do {
          let (name, files) = try bundle.currentVersion(in: repository)
          let ids = files.map(\.id)
          let model = try known[ids] ?? read(files, named: name, in: workspace.path)
          known[ids] = model
          note(
            ShippedVersion(
              name: name, model: model, release: release.name, path: files.first?.path ?? ""),
            in: path)
        } catch let error as any DiagnosticError {
          var problem = error.diagnostic.asWarning
          problem.what = "\(path) of \(release.name) is not compared: \(problem.what)"
          problems.append(problem)
        }
      }
    }
  }

  private mutating func note(_ version: ShippedVersion, in bundle: String) {
    let known = bundles[bundle, default: []]
    guard
      !known.contains(where: { $0.model.versionHashes() == version.model.versionHashes() })
    else { return }
    bundles[bundle, default: []].append(version)
  }

  /// The path of a bundle in the project; `nil` outside.
  private func projectPath(of names: [String]) -> String? {
    names.starts(with: prefix) ? names.dropFirst(prefix.count).joined(separator: "/") : nil
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
    for (path, versions) in bundles.sorted(by: { $0.key.precedesInBytes($1.key) })
    where path != bundle.path && continuation(of: path, among: all)?.path == bundle.path {
      found += versions.filter { version in
        !found.contains { $0.model.versionHashes() == version.model.versionHashes() }
      }
    }
    let order = Dictionary(
      releases.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    return found.enumerated().sorted {
      (order[$0.element.release] ?? 0, $0.offset) < (order[$1.element.release] ?? 0, $1.offset)
    }.map(\.element)
  }

  /// The path of the project's folder in the repository, with a slash at the end; empty if they are the same.
  var projectPrefix: String { prefix.map { $0 + "/" }.joined() }

  // MARK: Reading

  /// The project as it was at a revision.
  ///
  /// - Throws: ``GitError``.
  func state(at revision: String, in session: Session) throws -> ProjectState {
    let tree = try GitTrees(of: repository, where: CoreDataFiles.choice)
      .tree(of: repository.commit(revision))
    let workspace = try PrivateFolder()
    let folder = "\(workspace.path)/base"
    try repository.materialize(tree.entries.filter { $0.names.starts(with: prefix) }, into: folder)
    let root = ([folder] + prefix).joined(separator: "/")
    return try ProjectState(at: root, findsStores: false, in: session)
  }

  /// The bytes of a file of the project folder at a revision; `nil` if there is none.
  ///
  /// - Throws: ``GitError``.
  func bytes(of name: String, at revision: String) throws -> [UInt8]? {
    let path = prefix + [name]
    let tree = try GitTrees(of: repository) { names, _ in
      names == path ? .include : path.starts(with: names) ? .search : .exclude
    }.tree(of: repository.commit(revision))
    return try tree.entries.first { $0.isFile && $0.names == path }
      .map { try repository.blob($0.id) }
  }

  private func read(
    _ version: [GitEntry], named name: String, in folder: String
  ) throws -> ObjectModel {
    let end = BundleForm.source.versionExtension
    let path = "\(folder)/\(version.first?.id.description ?? name)\(end)"
    let files = version.compactMap { entry in
      entry.names.firstIndex { $0.hasSuffix(end) }.map { index in
        GitEntry(names: Array(entry.names[(index + 1)...]), kind: entry.kind, id: entry.id)
      }
    }
    try repository.materialize(files, into: path)
    return try ModelVersion(name: name, source: .file(path)).read()
  }
}
