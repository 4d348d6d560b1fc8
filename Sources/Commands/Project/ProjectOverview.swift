internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// A line of a project's table.
struct ProjectItem: Sendable {
  enum Kind: String, Sendable {
    case bundle, version, model
    case mappingModel = "mapping model"
    case policy, stages, store
  }

  var kind: Kind
  var name: String
  /// The hop of a mapping model, the version of a store, or the content of a bundle or a policy file.
  var serves: String
  /// How a version or a store is migrated to the current version.
  var path: String?
  /// Whether there is such a path; `nil` if it does not apply.
  var reaches: Bool?
  /// Whether the item has an error.
  var isFaulty = false

  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "kind": kind.rawValue, "name": name, "serves": serves, "path": path, "reaches": reaches,
      "isFaulty": isFaulty,
    ])
  }

  fileprivate var row: [StyledText] {
    [
      StyledText(kind.rawValue, .faint), StyledText(kind == .version ? "  \(name)" : name, .name),
      StyledText(serves, isFaulty ? .warning : .plain),
      StyledText(path ?? "", reaches == false ? .error : .plain),
    ]
  }
}

/// The Core Data files of a folder and their relations.
struct ProjectOverview {
  private(set) var items: [ProjectItem] = []
  private var warnings: [Diagnostic] = []
  /// Whether items may be missing because something could not be read.
  private var isIncomplete = false
  private let name: String

  /// - Throws: ``Diagnostic`` if the folder cannot be read.
  init(of folder: String, in session: Session) throws {
    let path = try session.projectRoot(folder)
    try self.init(
      of: path, with: ProjectFolder(path, findsStores: true, in: session), in: session)
  }

  /// - Parameters:
  ///     - path: The path of the folder.
  ///     - files: The files below it.
  init(of path: String, with files: ProjectFolder, in session: Session) throws {
    name = URL(fileURLWithPath: path).lastPathComponent
    warnings += files.tooLarge.map { [$0] } ?? []
    func shown(_ file: String) -> String {
      let file = session.overlay?.original(file) ?? file
      return file.hasPrefix(path + "/") ? String(file.dropFirst(path.count + 1)) : file
    }
    let known = session.read(files.mappings)
    warnings += known.problems
    let candidates = known.forChoice
    let stages = files.stages.map { ProjectStages($0, named: shown($0), session.access) }
    let policies = try session.policies(
      for: [], files: files.policies.filter { (try? session.policies(at: $0, named: $0)) != nil })
    var bundles: [ProjectBundle] = []
    for file in files.bundles {
      do {
        let bundle = try ProjectBundle(
          session.bundle(file), named: shown(file), mappings: candidates,
          stages: stages, policies, in: session)
        bundles.append(bundle)
        items += bundle.items
        warnings += bundle.problems
        isIncomplete = isIncomplete || bundle.isIncomplete
      } catch let error as any DiagnosticError {
        warnings.append(error.diagnostic.asWarning)
        isIncomplete = true
      }
    }
    let kept = bundles
    var models: [(name: String, hashes: [String: VersionHash])] = []
    for file in files.models {
      do {
        let model = try session.model(file).model
        models.append((shown(file), model.versionHashes()))
        items.append(Self.item(of: model, named: shown(file), among: kept))
      } catch let error as any DiagnosticError {
        warnings.append(error.diagnostic.asWarning)
        isIncomplete = true
      }
    }
    items += try known.mappings.map { mapping in
      try Interruption.check()
      let file = mapping.file?.loadedPath.map { shown($0) } ?? mapping.name
      return Self.item(of: mapping.forChoice, named: file, among: kept)
    }
    for file in files.policies {
      try Interruption.check()
      items.append(Self.item(ofPolicies: file, shown(file), candidates, in: session))
    }
    items += stages.map { $0.item(among: kept) }
    for file in files.stores {
      try Interruption.check()
      try note(store: file, named: shown(file), among: kept, models, in: session)
    }
  }

  /// A model outside bundles: a version of one of the bundles, or an independent model.
  private static func item(
    of model: ObjectModel, named name: String, among bundles: [ProjectBundle]
  ) -> ProjectItem {
    let hashes = model.versionHashes()
    for bundle in bundles {
      guard let version = bundle.version(ofHashes: hashes) else { continue }
      return ProjectItem(
        kind: .model, name: name, serves: "has the hashes of \(version.name) of \(bundle.name)")
    }
    return ProjectItem(
      kind: .model, name: name,
      serves: "\(Phrase.count(model.entities.count, "entity", "entities")), in no bundle")
  }

  /// The hop of a mapping model.
  private static func item(
    of mapping: NamedMappingModel, named name: String, among bundles: [ProjectBundle]
  ) -> ProjectItem {
    let hops = bundles.flatMap { $0.hops(of: mapping) }
    if let text = ProjectBundle.text(of: hops) {
      let isText = mapping.isReadByCoreData ? "" : "; a text: used only with --mapping"
      return ProjectItem(kind: .mappingModel, name: name, serves: text + isText)
    }
    let stale = bundles.lazy.compactMap { $0.stale(mapping) }.first
    return ProjectItem(
      kind: .mappingModel, name: name, serves: stale ?? "fits no two versions", isFaulty: true)
  }

  private static func item(
    ofPolicies file: String, _ name: String, _ mappings: [NamedMappingModel], in session: Session
  ) -> ProjectItem {
    do {
      let names = try session.policies(at: file, named: name).map(\.name)
      // A class can have a policy for each hop, and has its module's name in a mapping model.
      let uses = names.uniqued.map { policy in
        let users = mappings.filter {
          $0.mapping.policyNames.contains { $0 == policy || $0.hasSuffix("." + policy) }
        }.map(\.name)
        return users.isEmpty ? "\(policy), unused" : "\(policy) of \(Phrase.list(users))"
      }
      return ProjectItem(kind: .policy, name: name, serves: uses.joined(separator: "; "))
    } catch {
      let what = (error as? any DiagnosticError)?.diagnostic.what ?? "\(error)"
      return ProjectItem(kind: .policy, name: name, serves: what, isFaulty: true)
    }
  }

  private mutating func note(
    store file: String, named name: String, among bundles: [ProjectBundle],
    _ models: [(name: String, hashes: [String: VersionHash])], in session: Session
  ) throws {
    let hashes: [String: VersionHash]
    do {
      hashes = try session.open(file).metadata.versionHashes
    } catch {
      // Apps have other SQLite files.
      guard error.id != "store.noMetadata" else { return }
      items.append(
        ProjectItem(kind: .store, name: name, serves: error.what, isFaulty: true))
      isIncomplete = true
      return
    }
    for bundle in bundles {
      guard let version = bundle.version(ofHashes: hashes) else { continue }
      let obstacle = try version.path?.onlyHop.flatMap {
        try session.obstacle(to: $0, inStoreAt: file)
      }
      items.append(
        ProjectItem(
          kind: .store, name: name,
          serves: bundles.count == 1 ? version.name : "\(version.name) of \(bundle.name)",
          path: (version.path?.text).map { $0 + (obstacle.map { "; but \($0)" } ?? "") },
          reaches: obstacle == nil ? version.path?.reaches : false))
      return
    }
    if let model = models.first(where: { $0.hashes == hashes }) {
      items.append(ProjectItem(kind: .store, name: name, serves: model.name))
      return
    }
    let writers = WriterSearch(bundles.flatMap(\.candidates)).writers(of: hashes)
    let unknown =
      bundles.contains(where: \.isIncomplete)
      ? "written by no version that can be read" : "written by no version here"
    items.append(
      ProjectItem(
        kind: .store, name: name, serves: writers.first?.text ?? unknown, reaches: false,
        isFaulty: writers.isEmpty))
  }

  var outcome: Outcome {
    let json = items.json(\.json)
    guard !items.isEmpty else {
      return Outcome(
        .line("\(name) has no models, mapping models or stores"), json: json,
        warnings: warnings)
    }
    return Outcome(
      .table(
        columns: [.init(""), .init(""), .init("is"), .init("to the current version")],
        rows: items.map(\.row)),
      json: json,
      status: isIncomplete ? .failed : items.contains { $0.reaches == false } ? .no : .done,
      warnings: warnings)
  }
}

extension Session {
  /// The path of the folder to search.
  ///
  /// - Throws: ``Diagnostic`` if there is no such folder.
  func projectRoot(_ typed: String) throws -> String {
    let path = try path(typed)
    do {
      _ = try OpenedPath.names(in: path)
    } catch .unreadable(_, let cause) {
      throw FileError.unreadable(typed, cause).diagnostic
    } catch {
      throw Diagnostic(
        id: "project.noFolder", what: "there is no such folder", location: Location(file: typed),
        fix: "name the folder of a project")
    }
    return path
  }
}

extension Session {
  /// What first stops the migration of a store; `nil` if nothing does, or the store cannot be read.
  fileprivate func obstacle(to hop: MigrationPlan.Hop, inStoreAt path: String) throws -> String? {
    do {
      let model = hop.from.model
      let reader = try StoreReader(open(path, among: [model]), model: model)
      return try hop.obstacles(in: reader).first.map { "\($0.location) \($0.message)" }
    } catch is any DiagnosticError {
      try Interruption.check()
      return nil
    }
  }
}
