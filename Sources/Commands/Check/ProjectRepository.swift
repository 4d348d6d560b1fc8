internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataGit
internal import StrataStore

/// The git repository of a project, of which the project's folder may be a part.
struct ProjectRepository {
  let git: GitRepository
  /// The path of the project's folder in the repository; empty if they are the same.
  let path: [String]

  /// - Throws: ``GitError``, or ``Diagnostic`` in a replayed document, whose answers are the same in every clone.
  init(containing folder: String, in session: Session) throws {
    guard session.overlay == nil, session.access.isAnywhere else { throw GitError.replayed }
    // The root of a repository has no links in its path.
    let folder = RealPath.resolving(folder)
    git = try GitRepository(containing: folder)
    guard (folder + "/").hasPrefix(git.root + "/") else {
      throw GitError.notARepository(folder: folder)
    }
    path = folder.dropFirst(git.root.count).split(separator: "/").map(String.init)
  }

  /// The path of the project's folder in the repository, with a slash at the end; empty if they are the same.
  var prefix: String { path.map { $0 + "/" }.joined() }

  /// The path of a file relative to the project's folder; outside, it begins with `../`.
  func projectPath(of names: [String]) -> String {
    let common = zip(names, path).prefix { $0 == $1 }.count
    return
      (Array(repeating: "..", count: path.count - common) + names.dropFirst(common))
      .joined(separator: "/")
  }

  /// Whether the working tree has something at a path.
  func exists(_ names: [String]) -> Bool {
    FileStatus("\(git.root)/\(names.joined(separator: "/"))") != nil
  }

  // MARK: Files of a revision or of the index

  /// Files in a private folder, deleted with it.
  final class Files {
    private let folder: PrivateFolder
    /// The path of the project's folder in it.
    let root: String

    fileprivate init(_ entries: [GitEntry], of project: ProjectRepository) throws {
      folder = try PrivateFolder()
      let top = "\(folder.path)/files"
      try project.git.materialize(
        entries.filter { $0.names.starts(with: project.path) }, into: top)
      root = ([top] + project.path).joined(separator: "/")
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }
  }

  /// The project's files of a revision, without stores.
  ///
  /// - Parameter formerPaths: The former paths of bundles, by their paths now; a bundle that was outside of the folder is
  ///   written to its path now.
  func files(at commit: GitObjectID, formerPaths: [String: [String]]) throws -> Files {
    var entries = try git.tree(of: commit, where: CoreDataFiles.choice).entries
    for (new, formers) in formerPaths {
      let new = path + new.split(separator: "/").map(String.init)
      for former in formers where !entries.contains(where: { $0.names.starts(with: new) }) {
        let parts = former.split(separator: "/").map(String.init)
        let up = parts.prefix { $0 == ".." }.count
        let old = path.dropLast(up) + parts.dropFirst(up)
        for index in entries.indices where up > 0 && entries[index].names.starts(with: old) {
          entries[index].names.replaceSubrange(..<old.count, with: new)
        }
      }
    }
    return try Files(entries, of: self)
  }

  /// The project's files of the index, with stores: those of the next commit.
  func stagedFiles() throws -> Files {
    // The commit does not contain the files of `git add --intent-to-add`, which look like empty ones.
    try Files(
      git.indexEntries(where: CoreDataFiles.choiceWithStores).filter { !$0.id.isOfEmptyBlob },
      of: self)
  }

  /// The bytes of a file of the project at a revision; `nil` if there is none.
  func bytes(of name: String, at revision: String) throws -> [UInt8]? {
    let file = path + [name]
    return try entries(at: revision) { names, _ in
      names == file ? .include : file.starts(with: names) ? .search : .exclude
    }.first { $0.isFile && $0.names == file }.map { try git.blob($0.id) }
  }

  private func entries(at revision: String, where filter: @escaping GitFilter) throws -> [GitEntry]
  {
    try git.tree(of: git.commit(revision), where: filter).entries
  }

  /// The folder of another repository that contains a file of the project; `nil` if there is none.
  func innerRepository(of file: String) -> String? {
    let names = file.split(separator: "/").map(String.init)
    let count = names.indices.first { exists(path + names[..<$0] + [".git"]) && $0 > 0 }
    return count.map { names[..<$0].joined(separator: "/") }
  }

  // MARK: The index

  /// What git says about the bundles of the project that are not among its files.
  ///
  /// - Parameters:
  ///   - root: The path of the project's folder, for messages.
  ///   - isStaged: Whether the files are those of the index.
  /// - Returns: What could not be checked, the paths of bundles that are therefore not known to be gone, and all bundles
  ///   of the index.
  func indexedBundles(
    of root: String, isStaged: Bool
  ) throws -> (problems: [Diagnostic], unread: Set<String>, tracked: Set<String>) {
    var (problems, unread, tracked): ([Diagnostic], Set<String>, Set<String>) = ([], [], [])
    for entry in try git.indexEntries(where: CoreDataFiles.choice)
    where entry.names.starts(with: path) {
      guard let bundle = RevisionBundle.path(of: entry) else { continue }
      let path = projectPath(of: bundle)
      tracked.insert(path)
      if isStaged ? !entry.isFile : entry.isSkipped && !exists(entry.names) {
        guard unread.insert(path).inserted else { continue }
        problems.append(
          isStaged
            ? ProjectState.link(to: "\(root)/\(path)")
            : GitError.sparseCheck(path, in: bundle.dropLast()))
      }
    }
    return (problems, unread, tracked)
  }

  // MARK: Changes

  /// The number of the project's files if all are as at a revision; `nil` if one differs.
  ///
  /// - Parameter isStaged: Whether the files are those of the index.
  func unchangedCount(since revision: String, isStaged: Bool, in session: Session) throws -> Int? {
    if isStaged {
      let choice = CoreDataFiles.choiceWithStores
      let old = try files(entries(at: revision, where: choice))
      func content(_ files: [String: GitEntry]) -> [String: GitEntry] {
        files.filter { !$0.value.id.isOfEmptyBlob }
      }
      return try content(files(git.indexEntries(where: choice))) == content(old) ? old.count : nil
    }
    let top = ([git.root] + path).joined(separator: "/")
    // A file without a known ending is a store by its first bytes.
    let stores = Set(ProjectFolder(top, findsStores: true, in: session).stores)
    let choice: GitFilter = { names, kind in
      let file = CoreDataFiles.storeName(of: names.joined(separator: "/"))
      return stores.contains("\(git.root)/\(file)")
        ? .include : CoreDataFiles.choiceWithStores(names, kind)
    }
    let old = try files(entries(at: revision, where: choice))
    let paths = try FolderFiles(git.root, below: path, where: choice).paths
    guard Set(paths) == Set(old.keys), try !hasDeletedStore(since: revision, where: choice) else {
      return nil
    }
    for path in paths {
      try Interruption.check()
      let file = "\(git.root)/\(path)"
      guard let old = old[path], old.isFile, FileStatus(file)?.kind == .file,
        try FileBytes.read(file) == git.blob(old.id)
      else { return nil }
    }
    return paths.count
  }

  /// Whether a file of a revision that is no file of the working tree is a store by its first bytes.
  ///
  /// - Parameter choice: Chooses the files that are compared anyway.
  private func hasDeletedStore(since revision: String, where choice: GitFilter) throws -> Bool {
    let others: GitFilter = { names, kind in
      guard let name = names.last, !name.hasPrefix("."), !ProjectFolder.isBuilt(name),
        zip(names, path).allSatisfy({ $0 == $1 })
      else { return .exclude }
      return kind == .folder ? .search : .include
    }
    return try entries(at: revision, where: others).contains { entry in
      try entry.isFile && choice(entry.names, entry.kind) != .include
        && FileStatus("\(git.root)/\(entry.path)")?.kind != .file
        && StoreForm(head: git.blob(entry.id)) != nil
    }
  }

  /// The project's files by path; links and submodules too.
  private func files(_ entries: [GitEntry]) -> [String: GitEntry] {
    Dictionary(
      first:
        entries.filter { $0.names.starts(with: path) && !CoreDataFiles.isIrrelevant($0.names) }
        .map { ($0.path, GitEntry(names: $0.names, kind: $0.kind, id: $0.id)) })
  }
}

/// The chosen files below a folder of the working tree.
private struct FolderFiles {
  /// Relative to the root.
  private(set) var paths: [String] = []
  private let root: String
  private let choice: GitFilter

  init(_ root: String, below names: [String], where choice: @escaping GitFilter) throws {
    (self.root, self.choice) = (root, choice)
    try search(names, isIncluded: false)
  }

  private mutating func search(_ folder: [String], isIncluded: Bool) throws {
    try Interruption.check()
    let inner = folder.map { "/" + $0 }.joined()
    for name in try OpenedPath.names(in: root + inner) {
      let names = folder + [name]
      let isFolder = FileStatus("\(root)\(inner)/\(name)")?.kind == .folder
      let isChosen = isIncluded ? .include : choice(names, isFolder ? .folder : .file)
      if isFolder, isChosen != .exclude {
        try search(names, isIncluded: isChosen == .include)
      } else if isChosen == .include, !CoreDataFiles.isIrrelevant(names) {
        paths.append(names.joined(separator: "/"))
      }
    }
  }
}
