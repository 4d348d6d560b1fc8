import Foundation
import StrataGit
import TestSupport
import Testing

@Suite("Tags of a git repository")
struct GitTagTests {
  /// Tags a new commit without parents.
  private func tagUnrelated(_ name: String, in fixture: GitFixture, seconds: Int) throws {
    let commit = try fixture.git("commit-tree", "-m", name, "HEAD^{tree}", seconds: seconds)
    try fixture.git("tag", name, commit)
  }

  @Test("tags of unrelated commits are in the order of their version numbers, whatever their dates")
  func order() throws {
    let fixture = try GitFixture()
    try fixture.commit(["contents": "x"])
    let names = ["v1.9", "v1.10-beta.2", "v1.10-rc1", "v1.10-test", "v1.10", "v1.10.1", "v2.0.0"]
    for (index, name) in names.shuffled().enumerated() {
      try tagUnrelated(name, in: fixture, seconds: 1_700_000_000 + index)
    }
    #expect(try fixture.repository().tags(matching: "v*").map(\.name) == names)
  }

  @Test("the tag of a commit is after those that it descends from, whatever its number and date")
  func descent() throws {
    let fixture = try GitFixture()
    func tag(_ name: String, seconds: Int = 1_700_000_000) throws {
      try fixture.commit(["contents": name], seconds: seconds)
      try fixture.git("tag", name)
    }
    func names() throws -> [String] { try fixture.repository().tags(matching: "*").map(\.name) }
    try tag("2024.01")
    try fixture.commit(["contents": "between"])
    try tag("v3.0", seconds: 1_600_000_000)
    #expect(try names() == ["2024.01", "v3.0"])
    // A branch that maintains an older release.
    try fixture.git("checkout", "--quiet", "-b", "old", "2024.01")
    try fixture.commit(["old": "1"])
    try tag("v2.5", seconds: 1_800_000_000)
    #expect(try names() == ["2024.01", "v2.5", "v3.0"])
    // Of one commit, numbers decide; the merge descends from both branches.
    try fixture.git("tag", "v2.4")
    try fixture.git("checkout", "--quiet", "main")
    try fixture.git("merge", "--quiet", "--strategy=ours", "--no-edit", "old")
    try fixture.commit(["contents": "merged"])
    try tag("1.0")
    #expect(try names() == ["2024.01", "v2.4", "v2.5", "v3.0", "1.0"])
    try tagUnrelated("v0.9", in: fixture, seconds: 1_900_000_000)
    #expect(try names() == ["v0.9", "2024.01", "v2.4", "v2.5", "v3.0", "1.0"])
  }

  @Test("names without a number come first, by date; equal numbers are ordered by date")
  func dates() throws {
    let fixture = try GitFixture()
    try fixture.commit(["contents": "x"])
    for (index, name) in ["z", "app-1.0", "y", "kit-1.0"].enumerated() {
      try tagUnrelated(name, in: fixture, seconds: 1_700_000_000 + index)
    }
    try fixture.git("tag", "x", "app-1.0")
    let tags = try fixture.repository().tags(matching: "*")
    #expect(tags.map(\.name) == ["z", "x", "y", "app-1.0", "kit-1.0"])
    #expect(tags.map(\.date.timeIntervalSince1970) == [0, 1, 2, 1, 3].map { 1_700_000_000 + $0 })
  }

  @Test("annotated tags and tags of tags are peeled; tags of files and folders are left out")
  func annotated() throws {
    let fixture = try GitFixture()
    let commit = try fixture.commit(["contents": "x"], seconds: 1_600_000_000)
    try fixture.git("tag", "-a", "-m", "one", "v1")
    try fixture.git("tag", "-a", "-m", "two", "v2", "v1")
    try fixture.git("tag", "-a", "-m", "three", "v3", "v2")
    try fixture.git("tag", "v4", "HEAD:contents")
    try fixture.git("tag", "-a", "-m", "five", "v5", "HEAD^{tree}")
    try fixture.git("tag", "-a", "-m", "six", "v6", "v5")
    let tags = try fixture.repository().tags(matching: "v*")
    #expect(tags.map(\.name) == ["v1", "v2", "v3"])
    #expect(tags.allSatisfy { $0.commit == commit })
    #expect(tags.allSatisfy { $0.date == Date(timeIntervalSince1970: 1_600_000_000) })
  }

  @Test("only names that match are listed, and a repository without commits has none")
  func patterns() throws {
    let fixture = try GitFixture()
    #expect(try fixture.repository().tags(matching: "**").isEmpty)
    try fixture.commit(["contents": "x"])
    for name in ["v1", "v2/beta", "release/3", "w1"] { try fixture.git("tag", name) }
    func names(_ pattern: String) throws -> [String] {
      try fixture.repository().tags(matching: pattern).map(\.name)
    }
    #expect(try names("v*") == ["v1", "v2/beta"])
    #expect(try names("*") == ["v1", "w1", "v2/beta", "release/3"])
    #expect(try names("**") == ["v1", "w1", "v2/beta", "release/3"])
    #expect(try names("release/*") == ["release/3"])
    #expect(try names("--sort=x").isEmpty)
  }

  @Test("a tag of a commit that does not exist is a missing object")
  func missing() throws {
    let fixture = try GitFixture()
    let commit = try fixture.commit(["contents": "x"])
    try fixture.git("tag", "v1")
    let hex = commit.description
    try FileManager.default.removeItem(
      atPath: "\(fixture.path)/.git/objects/\(hex.prefix(2))/\(hex.dropFirst(2))")
    #expect(
      gitError { _ = try fixture.repository().tags(matching: "*") }
        == .missingObject(commit, clone: GitClone(isShallow: false, isPartial: false)))
  }

  @Test("in a pattern for tags, a slash is a character like others")
  func tagPatterns() {
    let cases: [(pattern: String, yes: [String], no: [String])] = [
      ("*", ["", "v1", "ios/2.0", "a/b/c"], []), ("v*", ["v1/b"], ["a/v1"]),
      ("ios?2.*", ["ios/2.0", "ios-2.1"], ["ios2.0"]), ("[!v]*", ["/v"], ["v/"]),
      ("ios/*", ["ios/2", "ios/a/2"], ["ios"]),
    ]
    for (pattern, yes, no) in cases {
      for name in yes { #expect(GitPattern(tags: pattern).matches(name), "\(pattern) \(name)") }
      for name in no { #expect(!GitPattern(tags: pattern).matches(name), "\(pattern) \(name)") }
    }
  }

  @Test("a pattern for paths matches like one of a shell")
  func matching() {
    let cases: [(pattern: String, yes: [String], no: [String])] = [
      ("v*", ["v", "v1.2"], ["V1", "av1", "v1/b"]), ("**", ["", "a/b"], []),
      ("v?.?", ["v1.2"], ["v1.10", "v1.", "v/.1"]), ("v[0-9]*", ["v1", "v9x"], ["va", "v"]),
      ("[!v]*", ["w"], ["v", ""]), ("[]a]", ["]", "a"], ["b"]), ("[a", ["[a"], ["a"]),
      ("\\*", ["*"], ["a", "\\*"]), ("a**/b", ["a/b", "ax/y/b"], ["ab"]), ("é", ["é"], ["e"]),
      ("[a-]", ["a", "-"], ["b"]), ("", [""], ["a"]),
    ]
    for (pattern, yes, no) in cases {
      for name in yes { #expect(GitPattern(paths: pattern).matches(name), "\(pattern) \(name)") }
      for name in no { #expect(!GitPattern(paths: pattern).matches(name), "\(pattern) \(name)") }
    }
    let hostile = String(repeating: "*a", count: 200) + "b"
    #expect(!GitPattern(paths: hostile).matches(String(repeating: "a", count: 250)))
  }
}
