internal import Foundation
internal import StrataArchives
internal import StrataBase
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
    let folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    git = try GitRepository(containing: folder)
    guard (folder + "/").hasPrefix(git.root + "/") else {
      throw GitError.notARepository(folder: folder)
    }
    path = folder.dropFirst(git.root.count).split(separator: "/").map(String.init)
  }

  /// The path of the project's folder in the repository, with a slash at the end; empty if they are the same.
  var prefix: String { path.map { $0 + "/" }.joined() }

  /// The path of a file in the project; `nil` outside.
  func projectPath(of names: [String]) -> String? {
    names.starts(with: path) ? names.dropFirst(path.count).joined(separator: "/") : nil
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
  func files(at revision: String) throws -> Files {
    try Files(entries(at: revision, where: CoreDataFiles.choice), of: self)
  }

  /// The project's files of the index, with stores: those of the next commit.
  func stagedFiles() throws -> Files {
    try Files(git.indexEntries(where: CoreDataFiles.choiceWithStores), of: self)
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

  // MARK: Changes

  /// The number of the project's files if all are as at a revision; `nil` if one differs.
  ///
  /// - Parameter isStaged: Whether the files are those of the index.
  func unchangedCount(since revision: String, isStaged: Bool, in session: Session) throws -> Int? {
    let top = ([git.root] + path).joined(separator: "/")
    // A file without a known ending is a store by its first bytes.
    let stores =
      isStaged ? [] : Set(ProjectFolder(top, findsStores: true, in: session).stores)
    let choice: GitFilter = { names, kind in
      stores.contains("\(git.root)/\(names.joined(separator: "/"))")
        ? .include : CoreDataFiles.choiceWithStores(names, kind)
    }
    let old = try ids(entries(at: revision, where: choice))
    if isStaged {
      return try ids(git.indexEntries(where: choice)) == old ? old.count : nil
    }
    let paths = try FolderFiles(git.root, below: path, where: choice).paths
    guard Set(paths) == Set(old.keys) else { return nil }
    for path in paths {
      try Interruption.check()
      guard let id = old[path],
        try FileBytes.read("\(git.root)/\(path)") == git.blob(id)
      else { return nil }
    }
    return paths.count
  }

  /// The objects of the project's files, by path; of links and submodules too.
  private func ids(_ entries: [GitEntry]) -> [String: GitObjectID] {
    Dictionary(
      entries.filter { $0.names.starts(with: path) && !CoreDataFiles.isIrrelevant($0.names) }
        .map { ($0.path, $0.id) }, uniquingKeysWith: { first, _ in first })
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
