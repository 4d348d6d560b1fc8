internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataGit
internal import StrataObjectModel
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

  // MARK: History

  /// The number of commits that are searched for a version.
  private static let searchedCommits = 200

  /// The model that a file of the project had at some commit, with its path in the repository.
  ///
  /// - Parameter isWanted: Whether it is the one to find.
  func model(
    formerlyIn file: String, named name: String, where isWanted: (ObjectModel) -> Bool
  ) throws -> (model: ObjectModel, path: String, commit: GitObjectID)? {
    let names = path + file.split(separator: "/").map(String.init)
    var seen: Set<GitObjectID> = []
    for commit in try git.commits(changing: names, limit: Self.searchedCommits) {
      try Interruption.check()
      let entries = try git.tree(of: commit, where: Self.only(names)).entries
      guard let entry = entries.first(where: { $0.isFile && $0.names == names }),
        seen.insert(entry.id).inserted,
        let model = try? ModelVersion(name: name, source: .embedded(git.blob(entry.id))).read()
      else { continue }
      if isWanted(model) { return (model, entry.path, commit) }
    }
    return nil
  }

  // MARK: Files of a revision or of the index

  /// Files in a private folder, deleted with it.
  final class Files {
    private let folder: PrivateFolder
    /// The path of the project's folder in it.
    let root: String

    fileprivate init(
      _ entries: [GitEntry], _ named: StageFiles, of project: ProjectRepository
    ) throws {
      folder = try PrivateFolder()
      let top = "\(folder.path)/files"
      try project.git.materialize(
        entries.filter { $0.names.starts(with: project.path) || named.contains($0.names) },
        into: top)
      root = ([top] + project.path).joined(separator: "/")
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }
  }

  /// Chosen entries, with the files that the stages files among them name.
  private typealias Listing = (entries: [GitEntry], named: StageFiles)

  /// The chosen files of a revision or of the index, and those that its stages files name: all that a check reads.
  ///
  /// - Parameter list: Lists the entries that a filter chooses.
  private func listing(
    where choice: @escaping GitFilter, by list: @escaping (@escaping GitFilter) throws -> [GitEntry]
  ) throws -> Listing {
    let entries = try list(choice)
    let files = entries.filter { $0.isFile && $0.names.starts(with: path) }.map(\.names)
    let named = try StageFiles(namedIn: files, root: git.root) { file in
      try list(Self.only(file)).first { $0.isFile && $0.names == file }.map { try git.blob($0.id) }
    }
    guard !named.isEmpty else { return (entries, named) }
    return (try list(named.adding(to: choice)), named)
  }

  /// Chooses one file.
  private static func only(_ file: [String]) -> GitFilter {
    return { names, _ in
      names == file ? .include : file.starts(with: names) ? .search : .exclude
    }
  }

  /// The project's files of a revision, without stores.
  ///
  /// - Parameter formerPaths: The former paths of bundles, by their paths now; a bundle that was outside of the folder is
  ///   written to its path now.
  func files(at commit: GitObjectID, formerPaths: [String: [String]]) throws -> Files {
    let listed = try listing(where: CoreDataFiles.choice) {
      try git.tree(of: commit, where: $0).entries
    }
    var entries = listed.entries
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
    return try Files(entries, listed.named, of: self)
  }

  /// The project's files of the index, with stores: those of the next commit.
  func stagedFiles() throws -> Files {
    let listed = try listing(where: CoreDataFiles.choiceWithStores, by: stagedEntries)
    return try Files(listed.entries, listed.named, of: self)
  }

  /// The chosen entries of the index that the next commit will contain.
  ///
  /// That does not contain the files of `git add --intent-to-add`, which look like empty ones: a file that was emptied is
  /// also in the last commit, and a new one is also empty in the working tree.
  private func stagedEntries(_ filter: @escaping GitFilter) throws -> [GitEntry] {
    let staged = try git.indexEntries(where: filter)
    guard staged.contains(where: { $0.id.isOfEmptyBlob }) else { return staged }
    var old: Set<[String]> = []
    do {
      old = Set(try entries(at: "HEAD", where: filter).map(\.names))
    } catch let error as GitError where error.isUnknownRevision {
      // There is no commit yet.
    }
    return staged.filter { entry in
      !entry.id.isOfEmptyBlob || old.contains(entry.names)
        || FileStatus("\(git.root)/\(entry.path)")?.size == 0
    }
  }

  /// The bytes of a file of the project at a revision; `nil` if there is none.
  func bytes(of name: String, at revision: String) throws -> [UInt8]? {
    let file = path + [name]
    return try entries(at: revision, where: Self.only(file))
      .first { $0.isFile && $0.names == file }.map { try git.blob($0.id) }
  }

  private func entries(at revision: String, where filter: @escaping GitFilter) throws -> [GitEntry]
  {
    try git.tree(of: git.commit(revision), where: filter).entries
  }

  /// The commit at which a branch left a revision, in full; the revision itself where that is not known, or the branch
  /// contains it. What the revision has gained since is no change of the branch.
  func fork(from revision: String) -> String {
    guard let commit = try? git.commit(revision),
      let fork = try? git.mergeBase(of: commit, git.commit("HEAD")), fork != commit
    else { return revision }
    return fork.description
  }

  /// The names of the versions that a bundle had at the commit from which a revision and the last commit descend; `nil`
  /// if there is none. Versions of other bundles of the same name count too.
  ///
  /// - Parameter paths: The paths of the bundle now and before.
  func forkedVersionNames(
    ofBundleAt paths: [String], since revision: String
  ) throws -> Set<String>? {
    guard let fork = try git.mergeBase(of: git.commit(revision), git.commit("HEAD")) else {
      return nil
    }
    let names = Set(paths.map { Session.baseName($0) })
    let entries = try git.tree(of: fork, where: CoreDataFiles.choice).entries
    let bundles = RevisionBundle.all(in: entries).filter { bundle in
      names.contains(Session.baseName(bundle.path.last ?? ""))
    }
    return Set(bundles.flatMap(\.versionNames))
  }

  /// The folder of another repository that contains a file of the project; `nil` if there is none.
  func innerRepository(of file: String) -> String? {
    let names = file.split(separator: "/").map(String.init)
    let count = names.indices.first { exists(path + names[..<$0] + [".git"]) && $0 > 0 }
    return count.map { names[..<$0].joined(separator: "/") }
  }

  // MARK: The index

  /// What git says about bundles, by their paths relative to the project.
  struct IndexedBundles {
    /// What could not be checked.
    fileprivate(set) var problems: [Diagnostic] = []
    /// The bundles of the project that are therefore not known to be gone.
    fileprivate(set) var unread: Set<String> = []
    /// All bundles of the project that the index has.
    fileprivate(set) var tracked: Set<String> = []
    /// Those of them that are not read, because of the names of their folders.
    fileprivate(set) var leftOut: Set<String> = []
    /// The bundles outside of the project's folder that are not gone.
    fileprivate(set) var outside: Set<String> = []
  }

  /// What git says about the bundles of the index.
  ///
  /// - Parameters:
  ///   - root: The path of the project's folder, for messages.
  ///   - isStaged: Whether the files are those of the index.
  func indexedBundles(of root: String, isStaged: Bool) throws -> IndexedBundles {
    var found = IndexedBundles()
    for entry in try git.indexEntries(where: CoreDataFiles.anyBundle) {
      guard let bundle = RevisionBundle.path(of: entry) else { continue }
      let path = projectPath(of: bundle)
      guard !bundle.dropLast().contains(where: CoreDataFiles.isLeftOut) else {
        // The project can be in such a folder.
        let isOwn =
          entry.names.starts(with: self.path)
          && bundle.dropLast().dropFirst(self.path.count).contains(where: CoreDataFiles.isLeftOut)
        if isOwn, isStaged || exists(entry.names) { found.leftOut.insert(path) }
        continue
      }
      guard entry.names.starts(with: self.path) else {
        if !found.outside.contains(path), isStaged || entry.isSkipped || exists(entry.names) {
          found.outside.insert(path)
        }
        continue
      }
      found.tracked.insert(path)
      if isStaged ? !entry.isFile : entry.isSkipped && !exists(entry.names) {
        guard found.unread.insert(path).inserted else { continue }
        found.problems.append(
          isStaged
            ? ProjectState.link(to: "\(root)/\(path)")
            : GitError.sparseCheck(path, in: bundle.dropLast()))
      }
    }
    return found
  }

  // MARK: Changes

  /// The number of the project's files if all are as at a revision; `nil` if one differs, or that is not known.
  ///
  /// - Parameter isStaged: Whether the files are those of the index.
  func unchangedCount(since revision: String, isStaged: Bool, in session: Session) throws -> Int? {
    let commit = try git.commit(revision)
    let list: (@escaping GitFilter) throws -> [GitEntry] = {
      try git.tree(of: commit, where: $0).entries
    }
    if isStaged {
      let choice = CoreDataFiles.choiceWithStores
      let old = try listing(where: choice, by: list)
      let new = try listing(where: choice, by: stagedEntries)
      let files = compared(old)
      return !old.named.hasOthers && compared(new) == files ? files.count : nil
    }
    let top = ([git.root] + path).joined(separator: "/")
    // A file without a known ending is a store by its first bytes.
    let folder = ProjectFolder(top, findsStores: true, in: session)
    let stores = Set(folder.stores)
    let choice: GitFilter = { names, kind in
      let file = CoreDataFiles.storeName(of: names.joined(separator: "/"))
      return stores.contains("\(git.root)/\(file)")
        ? .include : CoreDataFiles.choiceWithStores(names, kind)
    }
    let listed = try listing(where: choice, by: list)
    let old = compared(listed)
    // If the stages files are as before, so are the names of their scripts.
    let paths = try FolderFiles(git.root, below: path, where: choice, listed.named).paths
    guard !listed.named.hasOthers, Set(paths) == Set(old.keys),
      try !hasLostStore(in: list, where: choice, others: Set(folder.others))
    else { return nil }
    for path in paths {
      try Interruption.check()
      let file = "\(git.root)/\(path)"
      guard let old = old[path], old.isFile, FileStatus(file)?.kind == .file,
        try FileBytes.read(file) == git.blob(old.id)
      else { return nil }
    }
    return paths.count
  }

  /// Whether a file of a revision is a store by its first bytes, and no store in the working tree.
  ///
  /// - Parameters:
  ///   - list: Lists the entries of the revision that a filter chooses.
  ///   - choice: Chooses the files that are compared anyway.
  ///   - others: The files of the working tree that could be stores by their names, and are none.
  private func hasLostStore(
    in list: (@escaping GitFilter) throws -> [GitEntry], where choice: GitFilter,
    others: Set<String>
  ) throws -> Bool {
    let entries = try list { names, kind in
      guard let name = names.last, !CoreDataFiles.isLeftOut(name),
        zip(names, path).allSatisfy({ $0 == $1 })
      else { return .exclude }
      return kind == .folder ? .search : .include
    }
    for entry in entries where entry.isFile && choice(entry.names, entry.kind) != .include {
      try Interruption.check()
      let file = "\(git.root)/\(entry.path)"
      guard others.contains(file) || FileStatus(file)?.kind != .file else { continue }
      if try StoreForm(head: git.blob(entry.id)) != nil { return true }
    }
    return false
  }

  /// The project's files by path, and those that its stages files name; links and submodules too.
  private func compared(_ listing: Listing) -> [String: GitEntry] {
    Dictionary(
      first:
        listing.entries.filter {
          listing.named.contains($0.names)
            || $0.names.starts(with: path) && !CoreDataFiles.isIrrelevant($0.names)
        }
        .map { ($0.path, GitEntry(names: $0.names, kind: $0.kind, id: $0.id)) })
  }
}

/// The chosen files below a folder of the working tree, and those that stages files name.
private struct FolderFiles {
  /// Relative to the root.
  private(set) var paths: [String] = []
  private let root: String
  private let choice: GitFilter
  private let named: StageFiles

  init(
    _ root: String, below path: [String], where choice: @escaping GitFilter, _ named: StageFiles
  ) throws {
    (self.root, self.named) = (root, named)
    let inner = named.adding(to: choice)
    self.choice = { names, kind in
      if path.starts(with: names) { return kind == .folder ? .search : .exclude }
      if names.starts(with: path) { return inner(names, kind) }
      if named.contains(names) { return .include }
      return kind == .folder && named.isBelow(names) ? .search : .exclude
    }
    try search(named.isEmpty ? path : [], isIncluded: false)
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
      } else if isChosen == .include, named.contains(names) || !CoreDataFiles.isIrrelevant(names) {
        paths.append(names.joined(separator: "/"))
      }
    }
  }
}
