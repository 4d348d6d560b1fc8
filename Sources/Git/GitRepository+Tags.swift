internal import Foundation

extension GitRepository {
  /// The tags of commits whose names match a pattern, in the order of releases: see ``GitTag``.
  ///
  /// Annotated tags are peeled; tags of files and folders are left out.
  ///
  /// - Parameter pattern: See ``GitPattern``: `v*`.
  /// - Throws: ``GitError``.
  package func tags(matching pattern: String) throws -> [GitTag] {
    let pattern = GitPattern(pattern)
    let process = try GitProcess(
      program, ["for-each-ref", "--format=\(Self.tagFormat)", "refs/tags"],
      patience: limits.patience)
    var tags: [GitTag] = []
    var count = 0
    while let line = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 16) {
      count += 1
      guard count <= limits.entryCount else {
        throw GitError.tooLarge(what: "the number of tags", limit: limits.entryCount)
      }
      if let tag = try tag(in: line, matching: pattern) { tags.append(tag) }
    }
    do {
      try process.finish()
    } catch GitError.commandFailed(let command, let message) {
      throw missing(in: message) ?? GitError.commandFailed(command: command, message: message)
    }
    return tags.sorted(by: GitTag.precedes)
  }

  /// The error of a tag whose object does not exist: `missing object <id> for refs/tags/<name>`.
  private func missing(in message: String) -> GitError? {
    let words = message.split(separator: " ")
    guard words.count > 2, words[0] == "missing", words[1] == "object",
      let id = GitObjectID(hex: words[2])
    else { return nil }
    return .missingObject(id, clone: location.clone)
  }

  /// The name; id, type and date of the object; and the same of the object that an annotated tag names.
  private static let tagFormat =
    "%(refname)%00%(objectname)%00%(objecttype)%00%(committerdate:unix)"
    + "%00%(*objectname)%00%(*objecttype)%00%(*committerdate:unix)"

  /// - Parameter line: Texts in ``tagFormat``, separated by NUL.
  private func tag(in line: [UInt8], matching pattern: GitPattern) throws -> GitTag? {
    let texts = line.split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    let folder = "refs/tags/"
    guard texts.count == 7, texts[0].hasPrefix(folder) else {
      throw GitError.unexpectedOutput(command: "for-each-ref")
    }
    let name = String(texts[0].dropFirst(folder.count))
    guard pattern.matches(name) else { return nil }
    let object = texts[texts[2] == "tag" ? 4... : 1...].prefix(3)
    let (id, type, date) = (object[object.startIndex], object[object.startIndex + 1], object.last)
    guard let id = GitObjectID(hex: id) else {
      throw GitError.unexpectedOutput(command: "for-each-ref")
    }
    switch type {
    case "commit":
      return GitTag(name: name, commit: id, date: Self.date(date.flatMap { Int64($0) }))
    // A tag of a tag; git before 2.45 peels only once.
    case "tag": return try peeled(id, name: name)
    default: return nil
    }
  }

  /// The largest number of tags of tags that are followed.
  private static let tagDepth = 16

  private func peeled(_ tag: GitObjectID, name: String) throws -> GitTag? {
    var id = tag
    for _ in 0..<Self.tagDepth {
      let header = GitHeader(
        try objects.contents(of: id, type: "tag", limit: limits.treeSize), of: id)
      id = try header.id("object")
      switch try header.value("type") {
      case "commit":
        let commit = try objects.contents(of: id, type: "commit", limit: limits.treeSize)
        let seconds = try GitHeader(commit, of: id).seconds("committer")
        return GitTag(name: name, commit: id, date: Self.date(seconds))
      case "tag": continue
      default: return nil
      }
    }
    throw GitError.tooLarge(what: "the number of tags of tags", limit: Self.tagDepth)
  }

  private static func date(_ seconds: Int64?) -> Date {
    Date(timeIntervalSince1970: Double(seconds ?? 0))
  }
}
