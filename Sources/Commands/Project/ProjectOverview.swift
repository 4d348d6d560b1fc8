internal import Foundation
internal import StrataDiagnostics
internal import StrataMapping
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStore

/// A line of a project's table.
struct ProjectItem: Encodable, Sendable {
  enum Kind: String, Encodable, Sendable {
    case bundle, version
    case mappingModel = "mapping model"
    case policy, store
  }

  var kind: Kind
  var name: String
  /// The hop that a mapping model serves, the version of a store, what is in a bundle or a policy file.
  var serves: String
  /// The means by which a version or a store reaches the current version.
  var path: String?
  /// Whether there is such a path; `nil` where none is asked for.
  var reaches: Bool?
  /// Whether something is wrong with the item.
  var isFaulty = false

  fileprivate var row: [StyledText] {
    [
      StyledText(kind.rawValue, .faint), StyledText(kind == .version ? "  \(name)" : name, .name),
      StyledText(serves, isFaulty ? .warning : .plain),
      StyledText(path ?? "", reaches == false ? .error : .plain),
    ]
  }
}

/// The Core Data files of a folder and how they belong together.
struct ProjectOverview {
  private(set) var items: [ProjectItem] = []
  private var warnings: [Diagnostic] = []
  private let name: String

  /// - Throws: ``Diagnostic`` where the folder cannot be read.
  init(of folder: String, in session: Session) throws {
    let path = try session.projectRoot(folder)
    name = URL(fileURLWithPath: path).lastPathComponent
    let files = ProjectFolder(path, findsStores: true, in: session)
    if files.isCut {
      warnings.append(
        Diagnostic(
          id: "project.tooLarge", severity: .warning,
          what: "the folder has too many files: only the first are looked at",
          mend: "name a folder further down"))
    }
    func shown(_ file: String) -> String {
      let file = session.overlay?.original(file) ?? file
      return file.hasPrefix(path + "/") ? String(file.dropFirst(path.count + 1)) : file
    }
    let known = session.read(files.mappings)
    warnings += known.problems
    let candidates = known.forChoice
    var bundles: [ProjectBundle] = []
    for file in files.bundles {
      do {
        let bundle = try ProjectBundle(
          session.bundle(file), named: shown(file), mappings: candidates, in: session)
        bundles.append(bundle)
        items += bundle.items
        warnings += bundle.problems
      } catch let error as any DiagnosticError {
        warnings.append(error.diagnostic.asWarning)
      }
    }
    let kept = bundles
    items += known.mappings.map { mapping in
      let file = mapping.file?.loadedPath.map { shown($0) } ?? mapping.name
      return Self.item(of: mapping.forChoice, named: file, among: kept)
    }
    for file in files.policies {
      items.append(Self.item(ofPolicies: file, shown(file), candidates))
    }
    for file in files.stores { try note(store: file, named: shown(file), among: kept, in: session) }
  }

  /// Which hop a mapping model serves.
  private static func item(
    of mapping: NamedMappingModel, named name: String, among bundles: [ProjectBundle]
  ) -> ProjectItem {
    let hops = bundles.flatMap { $0.hops(of: mapping) }
    if let text = ProjectBundle.words(of: hops) {
      let isText = mapping.isReadByCoreData ? "" : "; a text: counts where --mapping names it"
      return ProjectItem(kind: .mappingModel, name: name, serves: text + isText)
    }
    let stale = bundles.lazy.compactMap { $0.stale(mapping) }.first
    return ProjectItem(
      kind: .mappingModel, name: name, serves: stale ?? "fits no two versions", isFaulty: true)
  }

  private static func item(
    ofPolicies file: String, _ name: String, _ mappings: [NamedMappingModel]
  ) -> ProjectItem {
    do {
      let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
      let names = try PolicyScript.policies(parsing: text).map(\.name)
      let words = names.map { policy in
        let users = mappings.filter { $0.mapping.policyNames.contains(policy) }.map(\.name)
        return users.isEmpty ? "\(policy), unused" : "\(policy) of \(Words.list(users))"
      }
      return ProjectItem(kind: .policy, name: name, serves: words.joined(separator: "; "))
    } catch {
      let what = (error as? any DiagnosticError)?.diagnostic.what ?? "\(error)"
      return ProjectItem(kind: .policy, name: name, serves: what, isFaulty: true)
    }
  }

  private mutating func note(
    store file: String, named name: String, among bundles: [ProjectBundle], in session: Session
  ) throws {
    let hashes: [String: VersionHash]
    do {
      hashes = try session.open(file).metadata.versionHashes
    } catch {
      // Apps have SQLite files of their own.
      guard error.id != "store.noMetadata" else { return }
      items.append(
        ProjectItem(kind: .store, name: name, serves: error.what, isFaulty: true))
      return
    }
    for bundle in bundles {
      guard let version = bundle.version(ofHashes: hashes) else { continue }
      items.append(
        ProjectItem(
          kind: .store, name: name,
          serves: bundles.count == 1 ? version.name : "\(version.name) of \(bundle.name)",
          path: version.path,
          reaches: version.reaches))
      return
    }
    let writers = WriterSearch(bundles.flatMap(\.candidates)).writers(of: hashes)
    items.append(
      ProjectItem(
        kind: .store, name: name,
        serves: writers.first?.words ?? "written by no version here", isFaulty: writers.isEmpty))
  }

  var outcome: Outcome {
    guard !items.isEmpty else {
      return Outcome(
        .line("\(name) has no models, mapping models or stores"), payload: items,
        warnings: warnings)
    }
    return Outcome(
      .table(
        Table(
          columns: [.init(""), .init(""), .init("is"), .init("to the current version")],
          rows: items.map(\.row))),
      payload: items, status: items.contains { $0.reaches == false } ? .no : .done,
      warnings: warnings)
  }
}

extension Session {
  /// The path of a folder to look through.
  ///
  /// - Throws: ``Diagnostic`` where it is none.
  func projectRoot(_ typed: String) throws -> String {
    let path = try path(typed)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
    else {
      throw Diagnostic(
        id: "project.noFolder", what: "there is no such folder", location: Location(file: typed),
        mend: "name the folder of a project")
    }
    return path
  }
}
