extension GitRepository {
  /// The chosen entries of the index: what the next commit will contain.
  ///
  /// In a pre-commit hook, the index is the one that git names in `GIT_INDEX_FILE`. A file that was added with
  /// `git add --intent-to-add` is listed, with an empty blob.
  ///
  /// - Returns: In byte order of their paths.
  /// - Throws: ``GitError/unmerged(path:)`` if a chosen path has a merge conflict, and as ``GitTrees/tree(of:)``.
  package func indexEntries(where filter: GitFilter) throws -> [GitEntry] {
    let process = try GitProcess(
      program, ["ls-files", "--stage", "-t", "-z", "--full-name"], indexFile: indexFile,
      patience: limits.patience)
    var folders = IndexFolders(limits: limits)
    var entries: [GitEntry] = []
    var count = 0
    while let record = try process.line(endingWith: 0, limit: 1 << 16) {
      count += 1
      guard count <= limits.entryCount else {
        throw GitError.tooLarge(what: "the number of staged files", limit: limits.entryCount)
      }
      let staged = try StagedEntry(record)
      guard try folders.choice(of: staged.entry, filter) == .include else { continue }
      guard staged.isExact else { throw GitError.unreadablePath(staged.entry.path) }
      guard staged.stage == 0 else { throw GitError.unmerged(path: staged.entry.path) }
      entries.append(staged.entry)
    }
    try process.finish()
    return entries
  }
}

/// An entry as `git ls-files --stage -t -z` writes it.
///
/// Shape: `<letter> SP <octal mode> SP <id> SP <stage> TAB <path>`; the letter `S` is that of a skipped file.
private struct StagedEntry {
  var entry: GitEntry
  /// 0; of a merge conflict 1 to 3.
  var stage: Int
  var isExact: Bool

  init(_ record: [UInt8]) throws {
    guard let tab = record.firstIndex(of: UInt8(ascii: "\t")) else { throw Self.unexpected }
    let words = String(decoding: record[..<tab], as: UTF8.self).split(separator: " ")
    guard words.count == 4, let kind = GitEntry.Kind(mode: words[1]),
      let id = GitObjectID(hex: words[2]), let stage = Int(words[3])
    else { throw Self.unexpected }
    let path = record[(tab + 1)...]
    isExact = GitName.text(path).isExact
    let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { GitName.text($0).text }
    entry = GitEntry(names: names, kind: kind, id: id, isSkipped: words[0] == "S")
    if names.contains(where: GitName.isHostile) { throw GitError.hostilePath(entry.path) }
    self.stage = stage
  }

  private static let unexpected = GitError.unexpectedOutput(command: "ls-files")
}

/// The filter's decisions about the folders on the path of the last entry.
private struct IndexFolders {
  let limits: GitLimits
  private var folders: [(name: String, choice: GitChoice)] = []

  init(limits: GitLimits) { self.limits = limits }

  mutating func choice(of entry: GitEntry, _ filter: GitFilter) throws -> GitChoice {
    let names = entry.names
    guard names.count - 1 <= limits.depth else {
      throw GitError.tooLarge(what: "the nesting depth of folders", limit: limits.depth)
    }
    let common = zip(folders, names.dropLast()).prefix { $0.name.utf8.elementsEqual($1.utf8) }.count
    folders.removeLast(folders.count - common)
    while folders.count < names.count - 1 {
      let name = names[folders.count]
      var choice = folders.last?.choice ?? .search
      if choice == .search { choice = filter(Array(names[...folders.count]), .folder) }
      folders.append((name, choice))
    }
    let choice = folders.last?.choice ?? .search
    return choice == .search ? filter(names, entry.kind) : choice
  }
}
