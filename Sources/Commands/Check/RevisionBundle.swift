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
    let form = BundleForm.source
    var bundles: [[String]: RevisionBundle] = [:]
    for entry in entries {
      let (path, inner): ([String], ArraySlice<String>)
      if let index = entry.names.firstIndex(where: { $0.hasSuffix(form.bundleExtension) }) {
        (path, inner) = (Array(entry.names[...index]), entry.names[(index + 1)...])
      } else if let index = entry.names.firstIndex(where: { $0.hasSuffix(form.versionExtension) }) {
        path = entry.names[..<index] + [entry.names[index] + "d"]
        inner = entry.names[index...]
      } else {
        continue
      }
      bundles[path, default: RevisionBundle(path: path)].add(entry, inner)
    }
    return bundles.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
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
