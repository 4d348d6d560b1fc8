internal import StrataArchives
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

/// Finds the stores of a project that no version wrote, and the migrations of the others.
struct StoreCheck {
  private(set) var findings: [Finding] = []
  private(set) var migrations: [CheckMatrix.Migration] = []
  /// The number of stores, of unreadable and unknown ones too.
  private(set) var count = 0
  /// The stores that could not be checked, with the fix.
  private(set) var unchecked: [Diagnostic] = []
  private let isOfIndex: Bool
  private let project: ProjectState
  private let bundles: [CheckedBundle]
  private let paths: [String: PathCheck]
  private let session: Session
  /// The name of a file of the project in a command.
  private let shown: (String) -> String
  private let candidates: [WriterCandidate]
  /// The models outside bundles, read when a store has no other writer.
  private lazy var outerCandidates = project.files.models.flatMap {
    (try? session.candidates(named: $0)) ?? []
  }

  /// A version, a configuration of one, or versions of several bundles merged into one model.
  private struct Writer {
    var owners: [CheckedBundle]
    var source: NamedModel
    /// What an app opens the store with now; `nil` if a bundle has no current version.
    var target: NamedModel?
    var isPart = false
  }

  /// - Parameters:
  ///   - paths: The paths of the bundles that have a current version, by bundle path.
  ///   - isOfIndex: Whether the files are those of the index, which has pointers in place of files of Git LFS.
  ///   - shown: The name of a file of the project in a command.
  init(
    _ project: ProjectState, of bundles: [CheckedBundle], _ paths: [String: PathCheck],
    isOfIndex: Bool, shown: @escaping (String) -> String, in session: Session
  ) throws {
    self.isOfIndex = isOfIndex
    (self.project, self.bundles, self.paths) = (project, bundles, paths)
    (self.session, self.shown) = (session, shown)
    candidates = Self.candidates(of: bundles)
    for (file, name) in zip(project.files.stores, project.storePaths) {
      try Interruption.check()
      try check(file, named: name)
    }
    for (file, name) in zip(project.files.others, project.otherPaths) {
      try Interruption.check()
      checkOther(file, named: name)
    }
  }

  // MARK: Files that are no stores

  private static let ends = [".sqlite", ".sqlite3"]
  private static let pointerMark = Array("version https://git-lfs.github.com/spec/".utf8)

  private func isListed(_ name: String) -> Bool {
    bundles.contains { $0.settings.stores != nil && $0.settings.contains(store: name) }
  }

  /// Checks a file that does not begin like a store, and should be one by its name or by the configuration.
  private mutating func checkOther(_ file: String, named name: String) {
    let isListed = isListed(name)
    guard isListed || CoreDataFiles.isStore(name),
      bundles.contains(where: { $0.settings.contains(store: name) }),
      let head = try? FileBytes.head(file, count: StoreForm.headSize)
    else { return }
    if head.starts(with: Self.pointerMark) {
      notePointer(name)
    } else if isListed {
      noteListed(name, "is \(Self.description(of: head))")
    } else if Self.ends.contains(where: name.hasSuffix) {
      count += 1
      note(
        .storeUnreadable, "is named like a store and is \(Self.description(of: head))", of: name,
        severity: .warning,
        fix: Fix("replace it with a copy that is whole, or delete or rename it"))
    }
  }

  private static func description(of head: [UInt8]) -> String {
    head.isEmpty ? "empty" : head.allSatisfy { $0 == 0 } ? "filled with zeros" : "no store"
  }

  private mutating func notePointer(_ name: String) {
    count += 1
    guard !isOfIndex else {
      // The index never has the store itself.
      note(
        .storeUnreadable,
        "is a pointer of Git LFS in the index: `strata check` migrates the store itself", of: name,
        severity: .note, fix: Fix("none is needed before a commit"))
      return
    }
    unchecked.append(
      Diagnostic(
        id: "check.lfsPointer", severity: .warning,
        what: "the store is a pointer of Git LFS, and not the store itself",
        location: Location(file: shown(name)),
        fix: "`git lfs pull`, or `lfs: true` of actions/checkout in a workflow"))
  }

  private mutating func noteListed(_ name: String, _ reason: String) {
    count += 1
    unchecked.append(
      Diagnostic(
        id: "check.noStore", severity: .warning,
        what: "strata.toml lists the file as a store, and it \(reason)",
        location: Location(file: shown(name)),
        fix: "replace it with a copy that is whole, or correct `stores`"))
  }

  private mutating func check(_ file: String, named name: String) throws {
    let store: SQLiteStore
    do {
      store = try session.open(file)
    } catch {
      // Apps have other SQLite files.
      guard error.id != "store.noMetadata" else {
        if isListed(name) { noteListed(name, "is a SQLite file without the metadata of Core Data") }
        return
      }
      count += 1
      // A file beside it can be the cause.
      let causes = CompanionExamination(ofUnreadable: file).findings
      for finding in causes { session.running?.warnings?.remove(finding.id) }
      noteUnreadable(name, causes.first?.message ?? error.what, fix: causes.first?.fixes.first)
      return
    }
    let hashes = store.metadata.versionHashes
    let writer = wholeWriter(of: hashes) ?? partWriter(of: hashes)
    // The store of a known version belongs to its bundles; any bundle could have written another one.
    guard (writer?.owners ?? bundles).contains(where: { $0.settings.contains(store: name) }) else {
      return
    }
    count += 1
    guard let writer else {
      if !isOfModelOutsideBundles(hashes) { noteUnknown(store, name) }
      return
    }
    let isIntact = checkCompanions(of: store, name)
    if isIntact, let migration = migration(of: file, named: name, by: writer) {
      migrations.append(migration)
    }
  }

  /// Checks the files beside a store.
  ///
  /// - Returns: Whether a migration accepts them.
  private mutating func checkCompanions(of store: borrowing SQLiteStore, _ name: String) -> Bool {
    let isIntact = (try? CompanionExamination.check(besideStoreAt: store.path)) != nil
    for finding in session.companions(of: store).findings where finding.severity != .note {
      if finding.id == "store.missingFiles" {
        note(
          .storeExternalMissing, finding.message, of: name,
          fix: Fix(
            "add the folder .\(Session.baseName(name))_SUPPORT with its files",
            commands: ["doctor \(typed(name))"]))
      } else {
        noteUnreadable(
          name, finding.message, severity: isIntact ? .warning : .error, fix: finding.fixes.first)
      }
      session.running?.warnings?.remove(finding.id)
    }
    return isIntact
  }

  private mutating func noteUnreadable(
    _ store: String, _ reason: String, severity: Diagnostic.Severity? = nil, fix: Fix?
  ) {
    note(
      .storeUnreadable, reason, of: store, severity: severity,
      fix: Fix(fix?.text ?? "see what is wrong", commands: ["doctor \(typed(store))"]))
  }

  private mutating func note(
    _ kind: CheckRule.Kind, _ reason: String, of store: String,
    severity: Diagnostic.Severity? = nil, fix: Fix
  ) {
    findings.append(
      Finding(
        CheckRule(kind, reason), severity: severity, at: FindingLocation(store: store, file: store),
        fixes: [fix]))
  }

  private func typed(_ name: String) -> String { CommandLineLexer.quoted(shown(name)) }

  // MARK: Writers

  private func wholeWriter(of hashes: [String: VersionHash]) -> Writer? {
    for owner in bundles {
      guard let version = owner.bundle.version(withHashes: hashes) else { continue }
      return Writer(owners: [owner], source: version, target: owner.bundle.current)
    }
    return nil
  }

  private func partWriter(of hashes: [String: VersionHash]) -> Writer? {
    // The newest of the versions that have an equal configuration.
    guard let found = WriterSearch(candidates).writers(of: hashes).last, let model = found.model
    else { return nil }
    let owners = found.versions.compactMap { version in
      bundles.first { version.name.hasPrefix($0.bundle.path + "/") }
    }
    let targets = owners.compactMap(\.bundle.current)
    var target: ObjectModel?
    if targets.count == owners.count, let first = targets.first {
      target =
        found.configuration.map { try? first.model.narrowed(toConfiguration: $0) }
        ?? (try? ObjectModel(merging: targets.map(\.model)))
    }
    func name(_ versions: [NamedModel]) -> String {
      versions.map(\.versionName).joined(separator: "+")
        + (found.configuration.map { " (\($0))" } ?? "")
    }
    return Writer(
      owners: owners, source: NamedModel(name: name(found.versions), model: model),
      target: target.map { NamedModel(name: name(targets), model: $0) }, isPart: true)
  }

  private static func candidates(of bundles: [CheckedBundle]) -> [WriterCandidate] {
    bundles.flatMap { owner in
      owner.bundle.versions.map {
        WriterCandidate(
          NamedModel(name: "\(owner.bundle.path)/\($0.name)", model: $0.model),
          bundle: owner.bundle.path)
      }
    }
  }

  private mutating func isOfModelOutsideBundles(_ hashes: [String: VersionHash]) -> Bool {
    !WriterSearch(outerCandidates).writers(of: hashes).isEmpty
  }

  private mutating func noteUnknown(_ store: borrowing SQLiteStore, _ name: String) {
    for bundle in bundles.map(\.bundle) {
      guard let unread = bundle.unreadVersion else { continue }
      return unchecked.append(
        Diagnostic(
          id: "check.unknownStore", severity: .warning,
          what:
            "\(name) is not checked: \(bundle.label)/\(unread), which cannot be read, may have written it",
          location: Location(file: name)))
    }
    let nearest = session.nearest(to: store, among: candidates)
    guard let version = nearest.named.first else {
      note(
        .storeUnknownVersion, "no version of the project has an entity of this store",
        of: name, fix: Fix("delete it, or list the stores of the bundles in strata.toml"))
      return
    }
    let bundle = bundles.first { version.model.name.hasPrefix($0.bundle.path + "/") }
    note(
      .storeUnknownVersion,
      "no version of the project wrote this store; of \(version.model.versionName), \(NearestVersions.text(of: version.entities))",
      of: name,
      fix: Fix(
        "restore the version, or delete the store",
        commands: bundle.map { ["identify \(typed(name)) \(typed($0.bundle.place))"] } ?? []))
  }

  // MARK: Migrations

  /// The migration to what an app opens the store with now; `nil` if there is nothing to migrate.
  private func migration(
    of file: String, named name: String, by writer: Writer
  ) -> CheckMatrix.Migration? {
    guard let owner = writer.owners.first, let check = paths[owner.bundle.path],
      let target = writer.target,
      let path = writer.isPart
        ? partPath(of: writer, to: target) : path(of: owner, from: writer.source, to: target, check)
    else { return nil }
    return CheckMatrix.Migration(.fixture(file: file, name: name), path, of: owner, check)
  }

  /// The path from any version of a bundle, shipped or not; `nil` if there is none.
  private func path(
    of owner: CheckedBundle, from version: NamedModel, to target: NamedModel, _ check: PathCheck
  ) -> PathCheck.Path? {
    guard !owner.isRetired(version.name) else { return nil }
    if let known = check.paths.first(where: { $0.version.name == version.name }) { return known }
    // A newer store is of another branch, or the current version is yet to be chosen.
    guard owner.bundle.precedes(version, target) else { return nil }
    let plan = try? owner.planner(in: project, of: owner.bundle)
      .plan(from: version, to: target, by: owner.strategy)
    return plan.map { PathCheck.Path(version: version, plan: $0) }
  }

  /// The path of a configuration or a merged model: in one step, as Core Data's coordinator migrates it.
  private func partPath(of writer: Writer, to target: NamedModel) -> PathCheck.Path? {
    guard writer.source.model.versionHashes() != target.model.versionHashes() else { return nil }
    let mappings = writer.owners.flatMap { project.mappings(in: $0.settings.mappings) }
    let planner = MigrationPlanner(
      versions: [], mappings: mappings, areMappingsNamed: false, stages: [])
    let plan = try? planner.plan(from: writer.source, to: target, by: .default)
    return plan.map { PathCheck.Path(version: writer.source, plan: $0) }
  }
}
