internal import StrataArchives
internal import StrataBase
internal import StrataGit
internal import StrataObjectModel

/// A model bundle of a revision, as git lists its files.
struct RevisionBundle {
  /// The names of its path. A model outside bundles has the path of the bundle into which Xcode puts it when it gets a
  /// second version.
  private(set) var path: [String]
  /// The files of each version, in order.
  private var versions: [String: [GitEntry]] = [:]
  /// The file that names the current version.
  private var marker: GitEntry?
  /// A link or a submodule, which is not followed.
  private var foreign: GitEntry?

  private init(path: [String]) { self.path = path }

  /// The bundles of a revision, sorted by path.
  static func all(in entries: [GitEntry]) -> [RevisionBundle] {
    var bundles: [[String]: RevisionBundle] = [:]
    for entry in entries {
      guard let path = path(of: entry) else { continue }
      // The files of a model outside bundles are those of a version.
      let inner = entry.names[(path.count - (entry.names.starts(with: path) ? 0 : 1))...]
      bundles[path, default: RevisionBundle(path: path)].add(entry, inner)
    }
    return bundles.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// The path of the bundle of an entry; `nil` outside of bundles and models.
  static func path(of entry: GitEntry) -> [String]? {
    let form = BundleForm.source
    if let index = entry.names.firstIndex(where: { $0.hasSuffix(form.bundleExtension) }) {
      return Array(entry.names[...index])
    }
    return entry.names.firstIndex { $0.hasSuffix(form.versionExtension) }.map { index in
      entry.names[..<index] + [entry.names[index] + "d"]
    }
  }

  private mutating func add(_ entry: GitEntry, _ inner: ArraySlice<String>) {
    guard entry.isFile else {
      foreign = foreign ?? entry
      return
    }
    if inner.count == 1, inner.first == BundleForm.source.currentVersionFile { marker = entry }
    guard inner.count > 1, let first = inner.first,
      let version = BundleForm.source.versionName(ofFile: first)
    else { return }
    versions[version, default: []].append(entry)
  }

  /// The current version and its file. A bundle with one version needs no file that names it.
  ///
  /// - Throws: ``Diagnostic`` if it cannot be known, or ``GitError``.
  func currentVersion(in repository: GitRepository) throws -> (name: String, file: GitEntry) {
    if let foreign { throw Self.unknown("\(foreign.path) is a link or a submodule") }
    let named = try marker.map {
      BundleForm.source.versionName(in: try PropertyList(reading: repository.blob($0.id)))
    }
    guard let name = named ?? (versions.count == 1 ? versions.first?.key : nil) else {
      throw Self.unknown("the bundle names no current version")
    }
    return (name, try file(of: name))
  }

  /// The names of the versions, in the order of their numbers.
  var versionNames: [String] { versions.keys.sorted { $0.precedesByNumber($1) } }

  /// - Throws: ``Diagnostic`` if the bundle does not have the version, or it has no model file.
  func file(of name: String) throws -> GitEntry {
    guard let files = versions[name] else {
      throw Self.unknown("the bundle does not have its current version \(name)")
    }
    // A model that Xcode before 4.1 saved has `elements` instead.
    let models = ["contents", "elements"].compactMap { name in
      files.first { $0.names.last == name }
    }
    guard let file = models.first else {
      throw Self.unknown("the version \(name) has no model file")
    }
    return file
  }

  private static func unknown(_ what: String) -> Diagnostic {
    Diagnostic(
      id: "check.unknownRelease", what: what,
      fix: "if this tag is no release, name the tags of releases with --released")
  }
}
