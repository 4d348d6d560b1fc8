internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping
internal import StrataObjectModel
internal import StrataStore

/// The Core Data files below a folder, as sorted paths.
///
/// Symbolic links are not followed; hidden folders and build folders are skipped.
struct ProjectFolder {
  /// Every `.xcdatamodeld` and `.momd`.
  private(set) var bundles: [String] = []
  /// The models outside bundles.
  private(set) var models: [String] = []
  private(set) var mappings: [MappingFile] = []
  private(set) var policies: [String] = []
  private(set) var stages: [String] = []
  private(set) var locks: [String] = []
  private(set) var stores: [String] = []
  /// The other files whose first bytes were read.
  private(set) var others: [String] = []
  /// A warning if not all folders and files are read.
  private(set) var tooLarge: Diagnostic?
  private var count = 0

  var isEmpty: Bool {
    bundles.isEmpty && models.isEmpty && mappings.isEmpty && policies.isEmpty && stages.isEmpty
      && stores.isEmpty
  }

  private static let limits = (all: 50_000, mappings: 10_000)
  private static let depthLimit = 16
  private static let builtFolders: Set<String> = [
    "DerivedData", "Pods", "Carthage", "node_modules", "build", "SourcePackages",
  ]

  /// Whether a folder of this name holds products of a build, or packages of others.
  static func isBuilt(_ name: String) -> Bool { builtFolders.contains(name) }

  /// Extensions of files that are not stores; other files are identified by their first bytes.
  private static let otherEnds: Set<String> = [
    "swift", "m", "h", "mm", "c", "cpp", "md", "txt", "json", "plist", "png", "jpg", "jpeg", "pdf",
    "strings", "storyboard", "xib", "pbxproj", "yml", "yaml", "html", "css", "js", "zip", "gz",
  ]

  /// - Parameter findsStores: Whether the first bytes of files are read.
  init(_ folder: String, findsStores: Bool, in session: Session) {
    search(folder, depth: 0, findsStores, session)
  }

  private static func tooLarge(_ what: String) -> Diagnostic {
    Diagnostic(id: "project.tooLarge", severity: .warning, what: what, fix: "name a subfolder")
  }

  private mutating func search(
    _ folder: String, depth: Int, _ findsStores: Bool, _ session: Session
  ) {
    guard (try? session.access.check(folder)) != nil else { return }
    guard depth < Self.depthLimit else {
      tooLarge = Self.tooLarge(
        "there are folders in more than \(Self.depthLimit) others: they are not read")
      return
    }
    let items = session.items(in: folder).sorted { $0.name.precedesByNumber($1.name) }
    for (name, path) in items where !name.hasPrefix(".") {
      count += 1
      guard count <= (findsStores ? Self.limits.all : Self.limits.mappings) else {
        tooLarge = Self.tooLarge("the folder has too many files: only the first are read")
        return
      }
      if note(name, path) { continue }
      switch FileStatus(path)?.kind {
      // A folder that exists only in the overlay of a replay is not on the disk.
      case .folder?, nil:
        guard !Self.isBuilt(name) else { continue }
        search(path, depth: depth + 1, findsStores, session)
      case .file? where findsStores && Self.mayBeStore(name):
        note(store: path)
      default: break
      }
    }
  }

  /// - Returns: Whether the name determines the kind of file.
  private mutating func note(_ name: String, _ path: String) -> Bool {
    if BundleForm.allCases.contains(where: { name.hasSuffix($0.bundleExtension) }) {
      bundles.append(path)
    } else if BundleForm.allCases.contains(where: { name.hasSuffix($0.versionExtension) }) {
      models.append(path)
    } else if let file = MappingFile(named: name, at: path) {
      mappings.append(file)
    } else if name.hasSuffix(Session.policyExtension) {
      policies.append(path)
    } else if name.hasSuffix(Session.stagesExtension) {
      stages.append(path)
    } else if name == LockFile.fileName {
      locks.append(path)
    } else {
      return false
    }
    return true
  }

  private mutating func note(store path: String) {
    if StoreForm(of: path) == nil { others.append(path) } else { stores.append(path) }
  }

  private static func mayBeStore(_ name: String) -> Bool {
    let end = URL(fileURLWithPath: "/" + name).pathExtension.lowercased()
    return !otherEnds.contains(end) && !end.hasSuffix("-wal") && !end.hasSuffix("-shm")
  }
}

extension MappingFile {
  /// The mapping model of a file or folder, by its name; `nil` for others.
  init?(named name: String, at path: String) {
    if name.hasSuffix(Session.xcodeMappingExtension) {
      self.init(
        name: Session.baseName(name), source: .file("\(path)/\(MappingDocument.fileName)"))
    } else if name.hasSuffix(".cdm") || name.hasSuffix(Session.mappingTextExtension) {
      self.init(name: Session.baseName(name), source: .file(path))
    } else {
      return nil
    }
  }
}

extension Session {
  /// The files and folders that mark the root of a project.
  private static let projectMarks = [".xcodeproj", ".xcworkspace", "Package.swift", ".git"]

  /// The project folder of a file: the nearest folder with a mark, else the folder of the session.
  func projectFolder(of path: String) -> String? {
    var ancestor = URL(fileURLWithPath: folder(of: path))
    let isInside = (ancestor.path + "/").hasPrefix(folder + "/") && folder != Self.homeFolder
    // The root folder of a disk is not a project.
    while ancestor.pathComponents.count > 2, (try? access.check(ancestor.path)) != nil {
      let names = (try? OpenedPath.names(in: ancestor.path)) ?? []
      if names.contains(where: { name in Self.projectMarks.contains { name.hasSuffix($0) } }) {
        return ancestor.path
      }
      if isInside, ancestor.path == folder { break }
      ancestor.deleteLastPathComponent()
    }
    return isInside ? folder : nil
  }

  /// The mapping models elsewhere in the projects of the bundles that references name, by folder; those
  /// beside a bundle are not included.
  func projectMappings(for references: [String]) -> [(folder: String, files: [MappingFile])] {
    let bundles = bundles(for: references).compactMap(\.folder)
    let beside = Set(bundles.map(folder(of:)))
    let roots = Set(bundles.compactMap(projectFolder(of:)))
    let files = roots.sorted().flatMap {
      ProjectFolder($0, findsStores: false, in: self).mappings
    }.filter { file in
      !file.isText && file.loadedPath.map { !beside.contains(folder(of: $0)) } == true
    }
    return Dictionary(grouping: files) { $0.loadedPath.map(folder(of:)) ?? "" }
      .sorted { $0.key.precedesInBytes($1.key) }
      .map { (shown($0.key), $0.value) }
  }
}
