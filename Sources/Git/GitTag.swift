internal import StrataBase
package import StrataEssentials

/// A tag of a commit.
package struct GitTag: Sendable, Hashable {
  /// Without `refs/tags/`: `v1.2`.
  package let name: String
  /// The tagged commit; for an annotated tag not the tag object.
  package let commit: GitObjectID
  /// The date of the commit, from its committer.
  package let date: Date

  /// The words in names of tags that mark no finished release.
  package static let prereleaseWords: Set = [
    "alpha", "beta", "canary", "dev", "nightly", "pre", "preview", "rc", "snapshot", "test",
  ]

  /// What git takes for the tag of this name, and not for a branch: `v1.2`, `refs/tags/heads/v1`.
  package static func revision(_ name: String) -> String {
    name.contains("/") ? "refs/tags/\(name)" : name
  }

  /// The order of releases of commits of which none descends from the other, or of one commit: version numbers in the
  /// names, then dates, then names. Names without a number come first.
  static func precedes(_ a: GitTag, _ b: GitTag) -> Bool {
    let (mine, theirs) = (ReleaseNumber(in: a.name), ReleaseNumber(in: b.name))
    if let mine, let theirs, mine != theirs { return mine < theirs }
    if (mine == nil) != (theirs == nil) { return mine == nil }
    if a.date != b.date { return a.date < b.date }
    return a.name.precedesByNumber(b.name)
  }
}

/// A version number in the name of a tag: `2.0.1` and `beta.3` in `app-v2.0.1-beta.3`.
///
/// ```swift
/// let numbers = ["v1.10", "v1.10-rc1", "v1.9"].compactMap(ReleaseNumber.init)
/// numbers.min() == ReleaseNumber(in: "release-1.9.0")  // true
/// numbers.max() == ReleaseNumber(in: "v1.10")          // true
/// ```
struct ReleaseNumber: Comparable {
  /// Without zeros at the end.
  private let numbers: [Int]
  private let isPrerelease: Bool
  private let suffix: String

  /// Finds the first of the numbers with the most parts; `nil` without digits.
  init?(in name: String) {
    let isPart: (Character) -> Bool = { $0 == "." || ("0"..."9").contains($0) }
    let runs = name.split(whereSeparator: { !isPart($0) })
    let candidates = runs.map { (run: $0, parts: $0.split(separator: ".")) }
    guard let most = candidates.map(\.parts.count).max(), most > 0,
      let found = candidates.first(where: { $0.parts.count == most })
    else { return nil }
    var numbers = found.parts.map { Int($0) ?? .max }
    while numbers.count > 1, numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
    suffix = name[found.run.endIndex...].lowercased()
    let word = suffix.drop { !$0.isLetter }.prefix(while: \.isLetter)
    isPrerelease = GitTag.prereleaseWords.contains(String(word)) || word == "a" || word == "b"
  }

  static func == (a: Self, b: Self) -> Bool {
    a.numbers == b.numbers && a.isPrerelease == b.isPrerelease && a.suffix == b.suffix
  }

  static func < (a: Self, b: Self) -> Bool {
    if a.numbers != b.numbers { return a.numbers.lexicographicallyPrecedes(b.numbers) }
    if a.isPrerelease != b.isPrerelease { return a.isPrerelease }
    return a.suffix.precedesByNumber(b.suffix)
  }
}
