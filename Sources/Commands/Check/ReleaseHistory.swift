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
    tag.wholeMatch(of: /(.*[^0-9.])?[0-9]+(\.[0-9]+)*/) != nil
      && tag.wholeMatch(of: /.*(alpha|beta|rc|pre|dev|test|nightly|build).*/.ignoresCase()) == nil
  }

  /// - Parameter pattern: The tags of releases, such as `v*`; `nil` for the default.
  /// - Throws: ``GitError``.
  init(of folder: String, tags pattern: String?, in session: Session) throws {
    repository = try GitRepository(containing: folder)
    prefix = folder.dropFirst(repository.root.count).split(separator: "/").map(String.init)
    let tags = try repository.tags(matching: pattern ?? "**")
    releases = pattern == nil ? tags.filter { Self.isRelease($0.name) } : tags
    let trees = GitTrees(of: repository, where: CoreDataFiles.choice)
    let workspace = try PrivateFolder()
    var known: [GitObjectID: ObjectModel] = [:]
    for release in releases {
      try Interruption.check()
      for entry in try currentVersions(in: try trees.tree(of: release.commit).entries) {
        guard let path = projectPath(of: entry.bundle) else { continue }
        do {
          let model = try known[entry.contents.id] ?? read(entry, in: workspace.path, session)
          known[entry.contents.id] = model
          note(ShippedVersion(name: entry.name, model: model, release: release.name), in: path)
        } catch let error as any DiagnosticError {
          var problem = error.diagnostic.asWarning
          problem.what = "\(entry.name) of \(release.name): \(problem.what)"
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

  /// The shipped versions of a bundle, also those from before it was moved, oldest first.
  func shipped(in bundle: ProjectState.Bundle, among all: [ProjectState.Bundle]) -> [ShippedVersion]
  {
    var found = bundles[bundle.path] ?? []
    let present = Set(all.map(\.path))
    let end = "/" + (bundle.path.split(separator: "/").last.map(String.init) ?? bundle.path)
    for (path, versions) in bundles.sorted(by: { $0.key < $1.key })
    where path != bundle.path && !present.contains(path) && ("/" + path).hasSuffix(end) {
      found += versions.filter { version in
        !found.contains { $0.model.versionHashes() == version.model.versionHashes() }
      }
    }
    let order = Dictionary(
      uniqueKeysWithValues: releases.enumerated().map { ($1.name, $0) })
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

  /// The version that a bundle names as current, with its file.
  private struct CurrentVersion {
    var bundle: [String]
    var name: String
    var contents: GitEntry
  }

  /// The current version of each bundle of a tree. A bundle with one version needs no file that names it.
  private func currentVersions(in entries: [GitEntry]) throws -> [CurrentVersion] {
    let form = BundleForm.source
    let inBundles = Dictionary(grouping: entries.filter(\.isFile)) { entry in
      entry.names.prefix(while: { !$0.hasSuffix(form.bundleExtension) }).count
    }.flatMap { depth, entries in
      entries.filter { $0.names.count > depth + 1 }.map { (Array($0.names.prefix(depth + 1)), $0) }
    }
    let bundles = Dictionary(grouping: inBundles, by: \.0).mapValues { $0.map(\.1) }
    return try bundles.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap {
      bundle, files in
      var contents: [String: GitEntry] = [:]
      for file in files where file.names.count == bundle.count + 2 && file.names.last == "contents"
      {
        contents[form.versionName(ofFile: file.names[bundle.count]) ?? ""] = file
      }
      let marker = files.first {
        $0.names.count == bundle.count + 1 && $0.names.last == form.currentVersionFile
      }
      let named = try marker.map {
        form.versionName(in: try PropertyList(reading: repository.blob($0.id)))
      }
      let name = named ?? (contents.count == 1 ? contents.first?.key : nil)
      return name.flatMap { name in
        contents[name].map { CurrentVersion(bundle: bundle, name: name, contents: $0) }
      }
    }
  }

  private func read(
    _ version: CurrentVersion, in folder: String, _ session: Session
  ) throws -> ObjectModel {
    let path = "\(folder)/\(version.contents.id)\(BundleForm.source.versionExtension)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(repository.blob(version.contents.id)).write(
      to: URL(fileURLWithPath: "\(path)/contents"))
    return try ModelVersion(name: version.name, source: .file(path)).read()
  }
}
