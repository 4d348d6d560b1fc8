extension GitRepository {
  /// Tags in the order of releases: a commit after those that it descends from, and otherwise as
  /// ``GitTag/precedes(_:_:)``.
  ///
  /// - Throws: ``GitError``.
  func inOrder(_ tags: [GitTag]) throws -> [GitTag] {
    let sorted = tags.sorted(by: GitTag.precedes)
    let commits = Array(Set(sorted.map(\.commit)))
    guard commits.count > 1 else { return sorted }
    var order = ReleaseOrder(sorted, parents: try namedParents(of: commits))
    return order.all()
  }

  /// The largest number of commits that one command is given.
  private static let argumentCount = 4000

  /// The next older commits of those that have a tag or a branch, or that join such commits, from some commits on. A
  /// commit without files and parents is left out.
  ///
  /// Source: git-rev-list(1), `--simplify-by-decoration` and `--parents`: `<id> SP <id of a parent> …`.
  private func namedParents(
    of commits: [GitObjectID]
  ) throws -> [GitObjectID: [GitObjectID]] {
    var parents: [GitObjectID: [GitObjectID]] = [:]
    for start in stride(from: 0, to: commits.count, by: Self.argumentCount) {
      let names = commits[start...].prefix(Self.argumentCount).map(\.description)
      let process = try GitProcess(
        program, ["rev-list", "--simplify-by-decoration", "--parents"] + names,
        patience: limits.patience)
      do {
        while let line = try process.line(endingWith: UInt8(ascii: "\n"), limit: 1 << 16) {
          let ids = String(decoding: line, as: UTF8.self).split(separator: " ")
            .compactMap { GitObjectID(hex: $0) }
          guard let id = ids.first else { throw GitError.unexpectedOutput(command: "rev-list") }
          parents[id] = Array(ids.dropFirst())
        }
        try process.finish()
      } catch GitError.commandFailed {
        // A clone may lack commits: without them, only the numbers are known.
        return [:]
      }
    }
    return parents
  }
}

/// Orders tags from the last one back: of the tags of which no descendant is left, the last by number is next.
private struct ReleaseOrder {
  /// In the order of their numbers.
  private let tags: [GitTag]
  private let parents: [GitObjectID: [GitObjectID]]
  /// The indices of the tags of each commit.
  private let indices: [GitObjectID: [Int]]
  /// How many children of each commit are left.
  private var childCounts: [GitObjectID: Int] = [:]
  /// Whether each tag is next or was; none after ``last`` is next.
  private var isNext: [Bool]
  private var last = -1

  /// - Parameters:
  ///   - tags: In the order of their numbers.
  ///   - parents: The parents of their commits and of those between them.
  init(_ tags: [GitTag], parents: [GitObjectID: [GitObjectID]]) {
    (self.tags, self.parents) = (tags, parents)
    indices = Dictionary(grouping: tags.indices) { tags[$0].commit }
    isNext = tags.map { _ in false }
    for parent in parents.values.joined() { childCounts[parent, default: 0] += 1 }
  }

  /// The tags, oldest first. Those of commits that are not known are first: such a commit has no files.
  mutating func all() -> [GitTag] {
    var left = indices.mapValues(\.count)
    var ordered: [GitTag] = []
    allow(parents.keys.filter { childCounts[$0] == nil })
    while last >= 0 {
      guard isNext[last] else {
        last -= 1
        continue
      }
      let tag = tags[last]
      isNext[last] = false
      ordered.append(tag)
      left[tag.commit, default: 0] -= 1
      // All tags of a commit are after those of its parents.
      if left[tag.commit] == 0 { allow(released(by: tag.commit)) }
    }
    return tags.filter { parents[$0.commit] == nil } + ordered.reversed()
  }

  /// Makes the tags of some commits the next ones; in place of a commit without tags, those of its parents.
  private mutating func allow(_ commits: [GitObjectID]) {
    var commits = commits
    while let commit = commits.popLast() {
      guard let found = indices[commit] else {
        commits += released(by: commit)
        continue
      }
      for index in found {
        isNext[index] = true
        last = max(last, index)
      }
    }
  }

  /// The parents of which a commit was the last child that was left.
  private mutating func released(by commit: GitObjectID) -> [GitObjectID] {
    var released: [GitObjectID] = []
    for parent in parents[commit] ?? [] {
      childCounts[parent, default: 0] -= 1
      if childCounts[parent] == 0 { released.append(parent) }
    }
    return released
  }
}
