import Foundation
import StrataGit
import TestSupport
import Testing

@Suite("The index of a git repository")
struct GitIndexTests {
  @Test("staged contents are read, not those of the working tree or of HEAD")
  func staged() throws {
    let fixture = try GitFixture()
    try fixture.commit(["App/X.xcdatamodeld/A.xcdatamodel/contents": "head", "Pods/contents": "p"])
    try fixture.write("staged", to: "App/X.xcdatamodeld/A.xcdatamodel/contents")
    try fixture.write("new", to: "App/X.xcdatamodeld/B.xcdatamodel/contents")
    try fixture.git("add", "--all")
    try fixture.write("working tree", to: "App/X.xcdatamodeld/A.xcdatamodel/contents")
    let repository = try fixture.repository()
    let entries = try repository.indexEntries(where: modelFilter)
    #expect(
      entries.map(\.path) == [
        "App/X.xcdatamodeld/A.xcdatamodel/contents", "App/X.xcdatamodeld/B.xcdatamodel/contents",
      ])
    #expect(try entries.map { try repository.text($0.id) } == ["staged", "new"])
  }

  @Test("the index and the tree of the same files have the same entries for the same filter")
  func twoRoads() throws {
    let fixture = try GitFixture()
    try fixture.commit([
      "contents": "", "a/contents": "", "a/Pods/contents": "", "a/b.xcdatamodeld/c/d": "",
      "a/b.xcdatamodeld/Pods/e": "", "z/y/x/contents": "", "z/y/x.xcdatamodeld": "", "é/f": "",
    ])
    let repository = try fixture.repository()
    let head = try repository.commit("HEAD")
    for filter in [modelFilter, all] {
      let entries = try repository.tree(of: head, where: filter).entries
      #expect(try repository.indexEntries(where: filter) == entries)
    }
  }

  @Test("a merge conflict is an error only for a chosen path")
  func conflict() throws {
    let fixture = try GitFixture()
    try fixture.commit(["contents": "1", "other": "1"])
    for branch in ["left", "right"] {
      try fixture.git("checkout", "--quiet", "-b", branch, "main")
      try fixture.commit(["contents": branch])
    }
    #expect(throws: GitFixture.Failure.self) { try fixture.git("merge", "--quiet", "left") }
    let repository = try fixture.repository()
    #expect(
      gitError { _ = try repository.indexEntries(where: all) } == .unmerged(path: "contents"))
    let others = try repository.indexEntries { names, _ in
      names == ["other"] ? .include : .search
    }
    #expect(others.map(\.path) == ["other"])
  }

  @Test("the index of a pre-commit hook is the one that git names")
  func hook() throws {
    let fixture = try GitFixture()
    try fixture.commit(["contents": "1"])
    try fixture.write("2", to: "contents")
    // The hook notes its environment; `git commit -a` prepares another index.
    let note = fixture.folder.path("note")
    let hook = try fixture.write(
      """
      #!/bin/sh
      printf '%s\\n%s\\n%s\\n' "$GIT_INDEX_FILE" "$GIT_DIR" "$PWD" > '\(note)'
      cp "$GIT_INDEX_FILE" '\(fixture.folder.path("copy"))'
      """, to: ".git/hooks/pre-commit")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    try fixture.git("commit", "--quiet", "-a", "-m", "m")
    let noted = try String(contentsOfFile: note, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(noted[0].hasSuffix("index.lock"))
    try fixture.git("update-index", "--force-remove", "contents")
    try FileManager.default.copyItem(
      atPath: fixture.folder.path("copy"), toPath: fixture.path + "/.git/index.lock")
    let repository = try fixture.repository(
      adding: ["GIT_INDEX_FILE": noted[0], "GIT_DIR": noted[1]], currentFolder: noted[2])
    let entries = try repository.indexEntries(where: all)
    #expect(try entries.map { try repository.text($0.id) } == ["2"])
    #expect(try fixture.repository().indexEntries(where: all).isEmpty)
  }

  @Test("GIT_INDEX_FILE of another repository is not used")
  func otherRepository() throws {
    let folder = try TemporaryFolder()
    let one = try GitFixture(in: folder, name: "one")
    let two = try GitFixture(in: folder, name: "two")
    try one.commit(["one/contents": "1"])
    try two.commit(["two/contents": "2"])
    let (first, second) = (one.path + "/.git/index", two.path + "/.git/index")
    func paths(_ index: String, _ current: String, _ gitDir: String = "") throws -> [String] {
      try one.repository(
        adding: ["GIT_INDEX_FILE": index, "GIT_DIR": gitDir], currentFolder: current
      ).indexEntries(where: all).map(\.path)
    }
    #expect(try paths(second, two.path) == ["one/contents"])
    #expect(try paths(second, one.path, two.path + "/.git") == ["one/contents"])
    #expect(try paths(first, one.path, one.path + "/.git") == ["one/contents"])
    #expect(try paths("../../two/.git/index", one.path + "/one", "../.git") == ["two/contents"])
  }
}
