internal import StrataArchives
internal import StrataBase
internal import StrataGit
internal import StrataObjectModel

/// A model version that a release contained as its current version.
struct ShippedVersion {
  var name: String
  var model: ObjectModel
  /// The first release that contained it, and the last one.
  var release: String
  var lastRelease: String
  /// The path of its file in the repository, at the first release.
  var path: String
  /// The commit that has the file, if it is not that of the release.
  var commit: GitObjectID?
  /// The positions of these releases among all.
  fileprivate(set) var positions: ClosedRange<Int>

  /// Whether the last release with this version is before the last one with another.
  static func isOlder(_ a: ShippedVersion, _ b: ShippedVersion) -> Bool {
    a.positions.upperBound < b.positions.upperBound
  }
}

extension ShippedVersion {
  /// What has its file, for messages.
  var place: String { commit == nil ? "release" : "commit" }

  /// A version that is known by its model, and not by a release.
  init(named name: String, _ model: ObjectModel, inCommit commit: GitObjectID, at path: String) {
    self.init(
      name: name, model: model, release: "", lastRelease: "", path: path, commit: commit,
      positions: 0...0)
  }
}

/// The model versions that were released: those that were current at the release tags of the repository.
struct ReleaseHistory {
  /// The tags of releases, oldest first.
  let releases: [GitTag]
  /// What the releases say about a bundle of the project.
  struct Record {
    /// Its shipped versions, also those from before it was moved or renamed, oldest first.
    fileprivate(set) var shipped: [ShippedVersion] = []
    /// The versions in it at its last release, shipped or not.
    fileprivate(set) var contained: [ShippedVersion] = []
    /// Its first release, and the older versions that it contained.
    fileprivate(set) var oldest: (release: String, versions: [String])?
    /// It at its last release.
    fileprivate var last: (bundle: RevisionBundle, release: Int)?
    /// The positions of the releases with it.
    fileprivate var releases: Set<Int> = []

    /// Adds a version, or the releases of an equal one.
    fileprivate mutating func add(_ version: ShippedVersion) {
      let hashes = version.model.versionHashes()
      guard let index = shipped.firstIndex(where: { $0.model.versionHashes() == hashes }) else {
        return shipped.append(version)
      }
      let known = shipped[index]
      if version.positions.lowerBound < known.positions.lowerBound { shipped[index] = version }
      shipped[index].lastRelease =
        [known, version].max(by: ShippedVersion.isOlder)?.lastRelease ?? ""
      shipped[index].positions =
        min(
          known.positions.lowerBound, version.positions.lowerBound)...max(
          known.positions.upperBound, version.positions.upperBound)
    }
  }

  /// By path; that of a former bundle outside of the project's folder begins with `../`.
  private var records: [String: Record] = [:]
  /// The shipped versions of the bundles that are gone and that no bundle has, by their former paths.
  private(set) var gone: [(path: String, versions: [ShippedVersion])] = []
  /// The paths of the bundles that another path continues, by that path.
  private(set) var formerPaths: [String: [String]] = [:]
  /// Whatever cannot be read.
  private(set) var problems: [Diagnostic] = []
  private let configuration: CheckConfiguration

  /// The tags that are releases by default: a version number, after any prefix.
  ///
  /// `v1.0`, `2.3.1` and `release-4` are releases; `v2.0-beta.1` and `nightly` are not.
  static func isRelease(_ tag: String) -> Bool {
    let words = tag.lowercased().split { !$0.isLetter }.map(String.init)
    return tag.wholeMatch(of: /[^0-9]*[0-9]+(\.[0-9]+)*/) != nil
      && !words.contains("build") && GitTag.prereleaseWords.isDisjoint(with: words)
  }

  /// - Parameters:
  ///   - bundles: The bundles of the project.
  ///   - unread: The paths of other bundles, which cannot be read.
  ///   - outside: The paths of the bundles outside of the project's folder that are not gone.
  ///   - models: The models that were read so far.
  /// - Throws: ``GitError``.
  init(
    of project: ProjectRepository, _ bundles: [ProjectState.Bundle], unread: Set<String>,
    outside: Set<String>, by configuration: CheckConfiguration, sharing models: SharedModels
  ) throws {
    self.configuration = configuration
    let patterns = configuration.releasePatterns
    var unreadable: [(release: String, error: GitError)] = []
    releases = try project.git.tags { tag in
      patterns.contains { Self.counts(tag, for: $0) }
    } unreadable: {
      unreadable.append(($0, $1))
    }
    var known: [GitObjectID: ObjectModel] = [:]
    func model(_ name: String, _ file: GitEntry) throws -> ObjectModel {
      if let model = known[file.id] { return model }
      let model = try ModelVersion(name: name, source: .embedded(project.git.blob(file.id)))
        .read(sharing: models)
      known[file.id] = model
      return model
    }
    let formers = FormerBundles(of: bundles, outside: outside)
    var foreign: [String: [Diagnostic]] = [:]
    let trees = GitTrees(of: project.git, where: CoreDataFiles.choice)
    for (index, release) in releases.enumerated() {
      try Interruption.check()
      let entries: [GitEntry]
      do {
        entries = try trees.tree(of: release.commit).entries
      } catch let error as GitError where error.isOfObject {
        unreadable.append((release.name, error))
        continue
      }
      for bundle in RevisionBundle.all(in: entries) {
        let path = project.projectPath(of: bundle.path)
        guard Self.counts(release.name, for: configuration.released(at: path)),
          !Self.isOutside(path) || formers.mayContain(path) && !project.exists(bundle.path)
        else { continue }
        do {
          try add(bundle, at: path, of: index, in: project.git, by: model)
        } catch let error as any DiagnosticError {
          let problem = Self.unread(error, "\(path) of \(release.name) is")
          if formers.isRenamed(path) {
            foreign[path, default: []].append(problem)
          } else {
            problems.append(problem)
          }
        }
      }
    }
    if let first = unreadable.first {
      let others = unreadable.count - 1
      problems.append(
        Self.unread(
          first.error,
          "the release \(first.release)\(others == 0 ? " is" : " and \(Phrase.count(others, "other")) are")"
        ))
    }
    for (path, record) in records {
      // Another bundle outside of the folder that is gone is none of the project.
      if formers.isRenamed(path) {
        guard continuation(of: path, record, among: bundles) != nil else {
          records[path] = nil
          continue
        }
        problems += foreign[path] ?? []
      }
      let contained = try versions(in: record, by: model)
      records[path]?.contained = contained
    }
    assign(to: bundles, unread: unread)
  }

  private static func unread(_ error: any DiagnosticError, _ what: String) -> Diagnostic {
    var problem = error.diagnostic.asWarning
    problem.what = "\(what) not compared: \(problem.what)"
    // It is not a file of the working tree.
    problem.location = nil
    return problem
  }

  /// Adds a bundle of a release, with its current version.
  private mutating func add(
    _ bundle: RevisionBundle, at path: String, of index: Int, in repository: GitRepository,
    by read: (String, GitEntry) throws -> ObjectModel
  ) throws {
    let release = releases[index].name
    let (name, file) = try bundle.currentVersion(in: repository)
    var record = records[path] ?? Record()
    if record.last == nil {
      record.oldest = (release, bundle.versionNames.filter { $0.precedesByNumber(name) })
    }
    record.last = (bundle, index)
    record.releases.insert(index)
    records[path] = record
    let model = try read(name, file)
    records[path]?.add(
      ShippedVersion(
        name: name, model: model, release: release, lastRelease: release, path: file.path,
        positions: index...index))
  }

  /// The versions in a bundle at its last release.
  private func versions(
    in record: Record, by read: (String, GitEntry) throws -> ObjectModel
  ) throws -> [ShippedVersion] {
    guard let (bundle, index) = record.last else { return [] }
    return try bundle.versionNames.compactMap { name in
      try Interruption.check()
      // One that cannot be read was current at no tag.
      guard let file = try? bundle.file(of: name), let model = try? read(name, file) else {
        return nil
      }
      let release = releases[index].name
      return ShippedVersion(
        name: name, model: model, release: release, lastRelease: release, path: file.path,
        positions: index...index)
    }
  }

  /// Adds the records of former paths to those of the bundles that continue them.
  private mutating func assign(to bundles: [ProjectState.Bundle], unread: Set<String>) {
    let found = records.sorted { $0.key.precedesInBytes($1.key) }
    for (path, record) in found where !unread.contains(path) {
      guard let bundle = continuation(of: path, record, among: bundles) else {
        let isUnknown = unread.contains { Self.name($0) == Self.name(path) && records[$0] == nil }
        // Another bundle can have its versions, such as a copy.
        let versions = record.shipped.filter { version in
          bundles.allSatisfy { $0.version(withHashesOf: version.model) == nil }
        }
        if !isUnknown, !Self.isOutside(path), !versions.isEmpty { gone.append((path, versions)) }
        continue
      }
      guard bundle.path != path else { continue }
      formerPaths[bundle.path, default: []].append(path)
    }
    for (path, formers) in formerPaths {
      var all = ([path] + formers).compactMap { records[$0] }
      all.sort { ($0.last?.release ?? 0) < ($1.last?.release ?? 0) }
      var record = all.removeLast()
      record.oldest = all.first?.oldest ?? record.oldest
      for version in all.flatMap(\.shipped) { record.add(version) }
      record.shipped = record.shipped.enumerated().sorted {
        ($0.element.positions.lowerBound, $0.offset) < ($1.element.positions.lowerBound, $1.offset)
      }.map(\.element)
      records[path] = record
    }
  }

  /// The bundle that continues the one at a former path: that of the same name or, if it was renamed, one with a version
  /// that the former bundle shipped; `nil` if it is gone.
  private func continuation(
    of path: String, _ record: Record, among all: [ProjectState.Bundle]
  ) -> ProjectState.Bundle? {
    if let same = all.first(where: { $0.path == path }) { return same }
    // A bundle that a release contained beside it is another one.
    let others = all.filter { records[$0.path]?.releases.isDisjoint(with: record.releases) ?? true }
    let named = others.filter { Self.name($0.path) == Self.name(path) }
    func sharing(_ bundles: [ProjectState.Bundle]) -> ProjectState.Bundle? {
      bundles.first { bundle in
        record.shipped.contains { bundle.version(withHashesOf: $0.model) != nil }
      }
    }
    return sharing(named) ?? named.first ?? sharing(others)
  }

  private static func name(_ path: String) -> Substring {
    path.split(separator: "/").last ?? ""
  }

  private static func isOutside(_ path: String) -> Bool { path.hasPrefix("../") }

  /// Whether a tag is a release by a pattern; `nil` for the default.
  private static func counts(_ tag: String, for pattern: String?) -> Bool {
    pattern.map { GitPattern(tags: $0).matches(tag) } ?? isRelease(tag)
  }

  /// The tags that are releases of the bundle at a path, oldest first.
  func releases(of path: String) -> [GitTag] {
    releases.filter { Self.counts($0.name, for: configuration.released(at: path)) }
  }

  /// What the releases say about the bundle at a path; an empty record if none contained it.
  func record(of path: String) -> Record { records[path] ?? Record() }
}

extension ReleaseHistory {
  /// Which bundles outside of the project's folder a bundle of the project may have been before it was moved.
  fileprivate struct FormerBundles {
    /// The names of the project's bundles.
    private let names: Set<Substring>
    /// The paths of the bundles outside that are not gone, and their names.
    private let outside: Set<String>
    private let outsideNames: Set<Substring>

    init(of bundles: [ProjectState.Bundle], outside: Set<String>) {
      names = Set(bundles.map { ReleaseHistory.name($0.path) })
      self.outside = outside
      outsideNames = Set(outside.map { ReleaseHistory.name($0) })
    }

    /// Whether the bundle at a path outside is gone, and no bundle outside has its name.
    func mayContain(_ path: String) -> Bool {
      let name = ReleaseHistory.name(path)
      return !outside.contains(path) && (names.contains(name) || !outsideNames.contains(name))
    }

    /// Whether the path is outside, and no bundle of the project has its name: only a common version shows that one
    /// was moved and renamed.
    func isRenamed(_ path: String) -> Bool {
      ReleaseHistory.isOutside(path) && !names.contains(ReleaseHistory.name(path))
    }
  }
}
