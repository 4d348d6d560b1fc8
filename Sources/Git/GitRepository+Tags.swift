internal import StrataEssentials

extension GitRepository {
  /// The tags of commits, in the order of releases: a commit after those that it descends from, and unrelated commits
  /// by the numbers in the names.
  ///
  /// ```swift
  /// let tags = try GitRepository(containing: ".").tags { $0.hasPrefix("v") }
  /// print(tags.map(\.name))  // ["v1.9", "v1.10-beta", "v1.10"]
  /// ```
  ///
  /// Annotated tags are peeled; tags of files and folders are left out.
  ///
  /// - Parameters:
  ///   - isIncluded: Chooses tags by their names.
  ///   - unreadable: Is called with the name of a tag whose objects are missing or damaged; it throws by default.
  /// - Throws: ``GitError``.
  package func tags(
    where isIncluded: (_ name: String) -> Bool,
    unreadable: (_ name: String, GitError) throws -> Void = { throw $1 }
  ) throws -> [GitTag] {
    // Fields of the objects would make git stop at the first one that is missing.
    let process = try GitProcess(
      program, ["for-each-ref", "--format=%(refname)%00%(objectname)", "refs/tags"],
      patience: limits.patience)
    var tags: [GitTag] = []
    var count = 0
    while let line = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 16) {
      count += 1
      guard count <= limits.entryCount else {
        throw GitError.tooLarge(what: "the number of tags", limit: limits.entryCount)
      }
      let texts = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      let folder = "refs/tags/"
      guard texts.count == 2, texts[0].hasPrefix(folder), let id = GitObjectID(hex: texts[1]) else {
        throw GitError.unexpectedOutput(command: "for-each-ref")
      }
      let name = String(texts[0].dropFirst(folder.count))
      guard isIncluded(name) else { continue }
      do {
        if let tag = try tag(of: id, name: name) { tags.append(tag) }
      } catch let error as GitError where error.isOfObject {
        try unreadable(name, error)
      }
    }
    try process.finish()
    return try inOrder(tags)
  }

  /// The largest number of tags of tags that are followed.
  private static let tagDepth = 16

  /// The tag with this object, which is a commit, or a tag object that names one; `nil` for others.
  private func tag(of object: GitObjectID, name: String) throws -> GitTag? {
    var id = object
    for _ in 0...Self.tagDepth {
      let (type, bytes) = try objects.object(id, limit: limits.treeSize) {
        ["commit", "tag"].contains($0)
      }
      let header = GitHeader(bytes, of: id)
      switch type {
      case "commit":
        treeCache.treeIDs[id] = try header.id("tree")
        return GitTag(name: name, commit: id, date: Self.date(try header.seconds("committer")))
      case "tag": id = try header.id("object")
      default: return nil
      }
    }
    throw GitError.tooLarge(what: "the number of tags of tags", limit: Self.tagDepth)
  }

  private static func date(_ seconds: Int64) -> Date {
    Date(timeIntervalSince1970: Double(seconds))
  }
}
