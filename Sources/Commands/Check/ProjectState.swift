internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel

/// The models, mapping models, policies, stages and stores of a project, in its working folder or at a revision.
struct ProjectState {
  /// A bundle with its readable versions.
  struct Bundle {
    /// Relative to the project folder; of a model outside bundles, that of the bundle into which Xcode puts it when it
    /// gets a second version.
    let path: String
    /// Whether it is a model outside bundles.
    let isOuter: Bool
    let bundle: ModelBundle
    let versions: [NamedModel]
    /// The errors of the versions that cannot be read.
    let problems: [Diagnostic]
    /// Whether the file that names the current version cannot be read.
    let isCurrentUnreadable: Bool
    private let indices: [[String: VersionHash]: Int]

    /// The name in findings: that of the bundle or, if others have the same, its path.
    fileprivate(set) var label = ""
    var name: String { bundle.name }
    /// The name of the current version, whether or not the bundle has it; a bundle with one version names none.
    ///
    /// `nil` if nobody named one: nothing is then compared with a version that was only assumed.
    var currentName: String? {
      if isCurrentUnreadable { return nil }
      return bundle.declaredVersionName
        ?? (bundle.versions.count == 1 ? bundle.versions[0].name : nil)
    }
    var current: NamedModel? { version(named: currentName) }

    fileprivate init(
      path: String, isOuter: Bool = false, bundle: ModelBundle, versions: [NamedModel],
      problems: [Diagnostic], isCurrentUnreadable: Bool
    ) {
      (self.path, self.bundle, self.versions, self.problems) = (path, bundle, versions, problems)
      (self.isOuter, self.isCurrentUnreadable) = (isOuter, isCurrentUnreadable)
      indices = Dictionary(first: versions.enumerated().map { ($1.model.versionHashes(), $0) })
    }

    /// Whether a version is another and older one, by the numbers in their names.
    func precedes(_ version: NamedModel, _ target: NamedModel) -> Bool {
      version.model.versionHashes() != target.model.versionHashes()
        && version.name.precedesByNumber(target.name)
    }

    func version(named name: String?) -> NamedModel? {
      name.flatMap { name in versions.first { $0.name == name } }
    }

    func version(withHashesOf model: ObjectModel) -> NamedModel? {
      version(withHashes: model.versionHashes())
    }

    func version(withHashes hashes: [String: VersionHash]) -> NamedModel? {
      indices[hashes].map { versions[$0] }
    }

    /// The path of its folder, or of the model outside bundles, relative to the project folder.
    var place: String { isOuter ? String(path.dropLast()) : path }

    /// The name that Xcode would give to a new version: the first free number after that of the bundle.
    var nameOfNext: String {
      let names = Set(versions.map(\.name))
      return (2...).lazy.map { "\(name) \($0)" }.first { !names.contains($0) } ?? name
    }

    /// The name of a version that cannot be read; `nil` if all can be.
    var unreadVersion: String? {
      bundle.versions.map(\.name).first { version(named: $0) == nil }
    }

    /// Why a version cannot be read; `nil` if it can be.
    func problem(of version: String) -> Diagnostic? {
      let names = BundleForm.allCases.map { "/\(version)\($0.versionExtension)" }
      return problems.first { problem in
        let file = problem.location?.file ?? ""
        return names.contains { file.hasSuffix($0) || file.contains($0 + "/") }
      }
    }

    /// The path of the version's file, relative to the project folder.
    func file(of version: String) -> String {
      isOuter
        ? "\(place)/contents"
        : "\(path)/\(version)\(BundleForm.source.versionExtension)/contents"
    }
  }

  let root: String
  let files: ProjectFolder
  private(set) var bundles: [Bundle] = []
  /// The bundles that are not read, with the reasons: links, and folders that cannot be listed.
  private(set) var unread: [String: Diagnostic] = [:]
  let mappings: [NamedMappingModel]
  let policies: PolicyRegistry
  /// The paths of the files of ``mappings``, of the policies and of the stores, relative to the project folder.
  let mappingPaths: [String]
  let policyPaths: [String]
  let storePaths: [String]
  /// Files that are no stores, and could be by their names.
  let otherPaths: [String]
  let stages: [ProjectStages]
  /// Whatever cannot be read: it is not checked.
  private(set) var problems: [Diagnostic]

  /// - Parameter root: The path of the folder.
  /// - Throws: ``Diagnostic`` if the policies cannot be read.
  init(at root: String, findsStores: Bool, in session: Session) throws {
    self.root = root
    files = ProjectFolder(root, findsStores: findsStores, in: session)
    let known = session.read(files.mappings)
    (mappings, problems) = (known.forChoice, known.problems)
    var readable: [String] = []
    for file in files.policies {
      do {
        _ = try session.policies(at: file, named: Self.relative(file, to: root))
        readable.append(file)
      } catch let error as any DiagnosticError {
        problems.append(error.diagnostic.asWarning)
      }
    }
    policies = try session.policies(for: [], files: readable)
    mappingPaths = mappings.map {
      $0.path.map { Self.place(of: $0, below: root, in: session) } ?? ""
    }
    policyPaths = readable.map { Self.relative($0, to: root) }
    // A store that a replayed document wrote is in a private folder.
    storePaths = files.stores.map {
      Self.relative(session.overlay?.original($0) ?? $0, to: root)
    }
    otherPaths = files.others.map { Self.relative($0, to: root) }
    stages = files.stages.map {
      ProjectStages($0, named: Self.relative($0, to: root), session.access)
    }
    let folders = Set(
      files.bundles.filter { FileStatus($0)?.kind == .folder }.map(RealPath.resolving))
    for file in files.bundles {
      do {
        if FileStatus(file)?.kind == .link {
          // A link to a bundle of the project needs no check.
          if folders.contains(RealPath.resolving(file)) { continue }
          throw Self.link(to: file)
        }
        let bundle = try Self.bundle(at: file, root, in: session)
        // Git keeps the link, and not what it shows.
        guard !bundle.bundle.hasLinks(at: file) else { throw Self.link(to: file) }
        bundles.append(bundle)
      } catch let error as any DiagnosticError {
        problems.append(error.diagnostic.asWarning)
        // The versions of an empty bundle are gone.
        guard error.diagnostic.id != "model.emptyBundle" else { continue }
        unread[Self.relative(file, to: root)] = error.diagnostic.asWarning
      }
    }
    problems += bundles.flatMap(\.problems)
    bundles = Self.withoutCopies(bundles).labelled
    problems += files.tooLarge.map { [$0] } ?? []
  }

  /// Why bundles of the folder may not be known.
  var bundleProblems: [Diagnostic] {
    unread.sorted { $0.key.precedesInBytes($1.key) }.map(\.value)
      + (files.tooLarge.map { [$0] } ?? [])
  }

  /// Leaves out the bundles of which the folder has only a part.
  mutating func leaveOut(_ paths: Set<String>) { bundles.removeAll { paths.contains($0.path) } }

  /// What is said of a bundle that is a symbolic link, or contains one.
  static func link(to file: String) -> Diagnostic {
    Diagnostic(
      id: "check.link", severity: .warning,
      what: "the bundle is a symbolic link or contains one, which is not followed",
      location: Location(file: file), fix: "check a folder that contains the files themselves")
  }

  /// The models outside bundles, as bundles with one version, or why one cannot be read.
  func outerBundles(in session: Session) -> [(path: String, bundle: Result<Bundle, Diagnostic>)] {
    let end = BundleForm.source.versionExtension
    return files.models.filter { $0.hasSuffix(end) }.map { file in
      let path = Self.relative(file, to: root) + "d"
      let version = ModelVersion(name: Session.baseName(file), source: .file(file))
      let bundle = ModelBundle(
        name: version.name, versions: [version], currentVersionName: version.name)
      return (
        path,
        session.readEach(of: bundle)[0].map { model in
          Bundle(
            path: path, isOuter: true, bundle: bundle,
            versions: [NamedModel(name: version.name, model: model)], problems: [],
            isCurrentUnreadable: false)
        }
      )
    }
  }

  private static func bundle(
    at file: String, _ root: String, in session: Session
  ) throws -> Bundle {
    var (versions, problems): ([NamedModel], [Diagnostic]) = ([], [])
    let bundle: ModelBundle
    do {
      bundle = try session.bundle(file)
    } catch let error as any DiagnosticError {
      // Without the current version, the versions can still be compared with the shipped ones.
      guard let listed = try? ModelBundle(versionsAt: file) else { throw error }
      bundle = listed
      problems.append(error.diagnostic.asWarning)
    }
    let isCurrentUnreadable = !problems.isEmpty
    let models = session.readEach(of: bundle)
    // The models keep their hashes, which are computed on all cores.
    _ = ConcurrentMap.map(models) { try? $0.get().versionHashes() }
    for (version, result) in zip(bundle.versions, models) {
      try Interruption.check()
      switch result {
      case .success(let model): versions.append(NamedModel(name: version.name, model: model))
      case .failure(let problem): problems.append(problem.asWarning)
      }
    }
    return Bundle(
      path: relative(file, to: root), bundle: bundle, versions: versions, problems: problems,
      isCurrentUnreadable: isCurrentUnreadable)
  }

  /// The mapping models in some files or folders; `nil` for all.
  func mappings(in items: [String]?) -> [NamedMappingModel] {
    zip(mappings, mappingPaths).filter { CheckConfiguration.Bundle.isFile($1, in: items) }
      .map(\.0)
  }

  /// The policies of some files; `nil` for all.
  func policies(in items: [String]?, _ session: Session) throws -> PolicyRegistry {
    guard items != nil else { return policies }
    return try session.policies(
      for: [],
      files: policyPaths.filter { CheckConfiguration.Bundle.isFile($0, in: items) }
        .map { "\(root)/\($0)" })
  }

  /// The stages files that a bundle can use, with their stages; the first one is used.
  func stagesFiles(
    of bundle: Bundle
  ) -> [(file: ProjectStages, stages: [MigrationStage])] {
    var found: [(file: ProjectStages, stages: [MigrationStage])] = []
    for file in stages {
      guard let known = try? file.stages(among: bundle.versions, policies) else { continue }
      found.append((file, known))
    }
    return found
  }

  /// The stages files that none of some bundles can use, each with the reason of the first.
  func unusableStages(by bundles: [Bundle]) -> [(file: ProjectStages, reason: Diagnostic)] {
    var unusable: [(file: ProjectStages, reason: Diagnostic)] = []
    for file in stages {
      let reasons = bundles.compactMap { bundle -> Diagnostic? in
        do throws(Diagnostic) {
          _ = try file.stages(among: bundle.versions, policies)
          return nil
        } catch {
          return error
        }
      }
      guard reasons.count == bundles.count, let reason = reasons.first else { continue }
      unusable.append((file, reason.located(in: file.path)))
    }
    return unusable
  }

  /// The bundles without compiled ones whose versions are all in a source bundle: copies made by a build.
  private static func withoutCopies(_ bundles: [Bundle]) -> [Bundle] {
    let isCompiled = { (bundle: Bundle) in
      bundle.path.hasSuffix(BundleForm.compiled.bundleExtension)
    }
    let sources = bundles.filter { !isCompiled($0) }
    return bundles.filter { bundle in
      !isCompiled(bundle)
        || !sources.contains { source in
          bundle.versions.allSatisfy { source.version(withHashesOf: $0.model) != nil }
        }
    }
  }

  /// The path of a mapping model in Xcode's form, which is a folder; that of the file in other forms.
  static func folder(ofMapping path: String) -> String {
    let end = "/" + MappingDocument.fileName
    return path.hasSuffix(end) ? String(path.dropLast(end.count)) : path
  }

  /// The place of a file, which can be a copy of the index, relative to the project folder.
  static func place(of path: String, below root: String, in session: Session) -> String {
    (try? session.path(path)).map { relative($0, to: root) } ?? path
  }

  static func relative(_ path: String, to root: String) -> String {
    path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  /// The bundle at a path or, if it has been moved, at a former path or the only one with its name; if it was renamed,
  /// one with one of its versions.
  ///
  /// - Parameters:
  ///   - formerPaths: The paths that it had in releases.
  ///   - others: The bundles of the other state, which have not been moved.
  func bundle(like bundle: Bundle, formerly formerPaths: [String], beside others: [Bundle])
    -> Bundle?
  {
    for path in [bundle.path] + formerPaths {
      if let same = bundles.first(where: { $0.path == path }) { return same }
    }
    let named = bundles.filter { $0.name == bundle.name }
    guard named.isEmpty else {
      return named.count == 1 && !others.contains { $0.path == named[0].path } ? named[0] : nil
    }
    return bundles.first { old in
      !others.contains { $0.path == old.path || $0.name == old.name }
        && bundle.versions.contains { old.version(withHashesOf: $0.model) != nil }
    }
  }
}

extension [ProjectState.Bundle] {
  /// With the name of each bundle as its label or, if others have the same, its path.
  var labelled: [ProjectState.Bundle] {
    let counts = Dictionary(grouping: self, by: \.name).mapValues(\.count)
    return map { bundle in
      var bundle = bundle
      bundle.label = counts[bundle.name] == 1 ? bundle.name : bundle.place
      return bundle
    }
  }
}

extension ModelBundle {
  /// Whether a version, its file or the one that names the current version is a symbolic link.
  fileprivate func hasLinks(at folder: String) -> Bool {
    let parts = versions.flatMap { version in
      if case .file(let path) = version.source { [path, "\(path)/contents"] } else { [String]() }
    }
    return (parts + ["\(folder)/\(BundleForm.source.currentVersionFile)"])
      .contains { FileStatus($0)?.kind == .link }
  }
}
