import Foundation
import StrataGit
import TestSupport
import Testing

@Suite("Trees of a git repository")
struct GitTreeTests {
  @Test(
    "chosen folders are complete, other files are chosen by name, excluded folders are not read")
  func choices() throws {
    let fixture = try GitFixture()
    try fixture.commit([
      "App/X.xcdatamodeld/.xccurrentversion": "1", "App/X.xcdatamodeld/A.xcdatamodel/contents": "2",
      "App/X.xcdatamodeld/notes.txt": "3", "App/main.swift": "4", "Pods/P/contents": "5",
      "contents": "6", "X.xcdatamodeld.txt": "7",
    ])
    let repository = try fixture.repository()
    let tree = try repository.tree(of: repository.commit("HEAD"), where: modelFilter)
    #expect(
      tree.paths == [
        "App/X.xcdatamodeld/.xccurrentversion", "App/X.xcdatamodeld/A.xcdatamodel/contents",
        "App/X.xcdatamodeld/notes.txt", "contents",
      ])
    #expect(try tree.entries.map { try repository.text($0.id) } == ["1", "2", "3", "6"])
    // The commit, 4 folders and 4 files: not those below Pods.
    #expect(repository.readObjectCount == 9)
  }

  @Test("paths are in byte order, as git lists them")
  func order() throws {
    let fixture = try GitFixture()
    try fixture.commit(["a.b": "", "a/c": "", "a0": "", "A": "", "é": "", "z": ""])
    let repository = try fixture.repository()
    let listed = try fixture.git("ls-tree", "-r", "-z", "--name-only", "HEAD")
      .split(separator: "\0").map(String.init)
    #expect(try repository.tree(of: repository.commit("HEAD"), where: all).paths == listed)
    #expect(try repository.indexEntries(where: all).map(\.path) == listed)
  }

  @Test("a symbolic link is listed and not followed, an executable file is a file")
  func kinds() throws {
    let fixture = try GitFixture()
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path + "/link", withDestinationPath: "/etc")
    let script = try fixture.write("#!/bin/sh", to: "script")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    try fixture.commit(["file": "x"])
    let repository = try fixture.repository()
    let entries = try repository.tree(of: repository.commit("HEAD"), where: all).entries
    #expect(entries.map(\.kind) == [.file, .link, .executable])
    #expect(entries.map(\.isFile) == [true, false, true])
    #expect(try repository.text(entries[1].id) == "/etc")
  }

  @Test("a bundle that moves between tags is found at both paths")
  func moved() throws {
    let fixture = try GitFixture()
    try fixture.commit(["App/X.xcdatamodeld/A.xcdatamodel/contents": "1", "Pods/b": "2"])
    try fixture.git("tag", "v1")
    for (from, to) in [("App", "Model"), ("Model", "Pods/deep")] {
      try fixture.git("mv", from, to)
      try fixture.commit()
      try fixture.git("tag", "v\(to.count)")
    }
    let repository = try fixture.repository()
    let trees = GitTrees(of: repository, where: modelFilter)
    let found = try repository.tags(matching: "v*").map { try trees.tree(of: $0.commit) }
    #expect(
      found.map(\.paths) == [
        ["App/X.xcdatamodeld/A.xcdatamodel/contents"],
        ["Model/X.xcdatamodeld/A.xcdatamodel/contents"], [],
      ])
    #expect(found[0].entries.map(\.id) == found[1].entries.map(\.id))
    // 3 commits and 3 top folders; the 3 folders of the bundle only once.
    #expect(repository.readObjectCount == 9)
  }

  @Test("a SHA-256 repository has ids of 32 bytes")
  func sha256() throws {
    let fixture = try GitFixture(format: "sha256")
    let commit = try fixture.commit(["a/contents": "x", "b": "y"])
    try fixture.git("tag", "-a", "-m", "one", "v1")
    try fixture.git("tag", "-a", "-m", "two", "v2", "v1")
    let repository = try fixture.repository()
    #expect(commit.bytes.count == 32)
    #expect(try repository.tags(matching: "*").map(\.commit) == [commit, commit])
    let tree = try repository.tree(of: commit, where: all)
    #expect(tree.paths == ["a/contents", "b"])
    #expect(try tree.entries.map { try repository.text($0.id) } == ["x", "y"])
    #expect(try repository.indexEntries(where: all) == tree.entries)
  }

  @Test("300 tags read each distinct folder once")
  func manyTags() throws {
    let fixture = try GitFixture()
    // Each version changes one file; 20 folders with 20 files each stay as they are.
    var stream = ""
    for version in 1...300 {
      stream += "commit refs/heads/main\nmark :\(version)\n"
      stream += "committer A <a> \(1_600_000_000 + version) +0000\ndata 1\nm\n"
      let files =
        version == 1
        ? (1...20).flatMap { folder in (1...20).map { "Stable/\(folder)/\($0)" } } : []
      for file in files + ["App/X.xcdatamodeld/A.xcdatamodel/contents"] {
        let text = "\(file) \(version)"
        stream += "M 100644 inline \(file)\ndata \(text.utf8.count)\n\(text)\n"
      }
      stream += "reset refs/tags/v1.\(version)\nfrom :\(version)\n\n"
    }
    try fixture.git("fast-import", "--quiet", input: Data(stream.utf8))
    let repository = try fixture.repository()
    let trees = GitTrees(of: repository, where: modelFilter)
    let tags = try repository.tags(matching: "v*")
    #expect(tags.map(\.name) == (1...300).map { "v1.\($0)" })
    let found = try tags.map { try trees.tree(of: $0.commit) }
    #expect(found.allSatisfy { $0.paths == ["App/X.xcdatamodeld/A.xcdatamodel/contents"] })
    #expect(Set(found.map(\.entries[0].id)).count == 300)
    // Of each version the commit and 4 folders; 21 folders are in all of them.
    #expect(repository.readObjectCount == 300 * 5 + 21)
    _ = try tags.map { try trees.tree(of: $0.commit) }
    #expect(repository.readObjectCount == 300 * 5 + 21)
  }

  @Test("a revision is a commit's id, and an unknown one is an error")
  func revisions() throws {
    let fixture = try GitFixture()
    let first = try fixture.commit(["contents": "1"])
    try fixture.git("tag", "-a", "-m", "one", "v1")
    let second = try fixture.commit(["contents": "2"])
    let repository = try fixture.repository()
    for revision in ["v1", "HEAD~1", "main~", first.short, first.description] {
      #expect(try repository.commit(revision) == first)
    }
    #expect(try repository.commit("HEAD") == second)
    let clone = GitClone(isShallow: false, isPartial: false)
    for revision in ["v2", "", "--all", "-h", "HEAD\nHEAD", "HEAD:contents", "a..b", "HEAD^{tree}"]
    {
      #expect(
        gitError { _ = try repository.commit(revision) }
          == .unknownRevision(revision, clone: clone))
    }
  }
}

@Suite("Hostile trees of a git repository")
struct GitHostileTreeTests {
  @Test("names that lead out of a folder or into .git are refused")
  func names() throws {
    let fixture = try GitFixture()
    let file = try fixture.object("blob", [1])
    let repository = try fixture.repository()
    let hostile = [
      "..", ".", "", ".git", ".GIT", ".git ", ".git.", ".git..", "GIT~1", ".g\u{200C}it", "a/b",
      "/etc", "../x",
    ]
    for name in hostile {
      for mode in ["100644", "40000"] {
        let commit = try fixture.commit(rawTree: [(mode, name, file)])
        #expect(
          gitError { _ = try repository.tree(of: commit, where: all) } == .hostilePath(name))
      }
    }
    let inner = try fixture.object("tree", Array("100644 ..\0".utf8) + file.bytes)
    let nested = try fixture.commit(rawTree: [("40000", "a", inner)])
    #expect(gitError { _ = try repository.tree(of: nested, where: all) } == .hostilePath("a/.."))
    for name in ["...", ".gitignore", "git", "a.git", "~", "-x"] {
      let commit = try fixture.commit(rawTree: [("100644", name, file)])
      #expect(try repository.tree(of: commit, where: all).paths == [name])
    }
  }

  @Test("a damaged tree is an error")
  func damaged() throws {
    let fixture = try GitFixture()
    let repository = try fixture.repository()
    let id = [UInt8](repeating: 1, count: 20)
    let cases: [(bytes: [UInt8], reason: String)] = [
      (Array("100644 a\0".utf8) + id.dropLast(), "the id of an entry is truncated"),
      (Array("100644 a".utf8), "an entry has no end"),
      (Array("100644".utf8), "an entry has no end"),
      (Array("1000000000644 a\0".utf8) + id, "an entry has no end"),
      (Array("100666 a\0".utf8) + id, "an entry has the unknown mode 100666"),
      (
        Array("100644 a\0".utf8) + id + Array("40000 a\0".utf8) + id,
        "two entries have the same name"
      ),
    ]
    for (bytes, reason) in cases {
      let tree = try fixture.object("tree", bytes)
      let commit = try fixture.commit(tree: tree)
      #expect(
        gitError { _ = try repository.tree(of: commit, where: all) }
          == .malformedObject(tree, reason: reason))
    }
    let blob = try fixture.object("blob", [1])
    let commit = try fixture.commit(tree: blob)
    #expect(
      gitError { _ = try repository.tree(of: commit, where: all) }
        == .wrongType(blob, wanted: "tree", found: "blob"))
  }

  @Test("names that are not valid UTF-8 are an error only where they are chosen")
  func unreadable() throws {
    let fixture = try GitFixture()
    let file = try fixture.object("blob", [1])
    let tree = try fixture.object("tree", Array("100644 a".utf8) + [0xFF, 0] + file.bytes)
    let commit = try fixture.commit(tree: tree)
    let repository = try fixture.repository()
    #expect(try repository.tree(of: commit, where: modelFilter).entries.isEmpty)
    #expect(
      gitError { _ = try repository.tree(of: commit, where: all) } == .unreadablePath("a\u{FFFD}"))
  }

  @Test("composed and decomposed letters are different names")
  func composition() throws {
    let fixture = try GitFixture()
    let (one, two) = (try fixture.object("blob", [1]), try fixture.object("blob", [2]))
    let commit = try fixture.commit(
      rawTree: [("100644", "e\u{301}", one), ("100644", "\u{E9}", two)])
    let repository = try fixture.repository()
    #expect(try repository.tree(of: commit, where: all).entries.map(\.id) == [one, two])
  }

  @Test("a tree that expands to billions of files is refused, and so is one that is too deep")
  func bombs() throws {
    let fixture = try GitFixture()
    var tree = try fixture.object("blob", [1])
    for level in 0..<20 {
      let entries = (0..<10).flatMap {
        Array("\(level == 0 ? "100644" : "40000") \($0)\0".utf8) + tree.bytes
      }
      tree = try fixture.object("tree", entries)
    }
    let commit = try fixture.commit(tree: tree)
    var limits = GitLimits()
    limits.entryCount = 5000
    #expect(
      gitError { _ = try fixture.repository(limits: limits).tree(of: commit, where: all) }
        == .tooLarge(what: "the number of files of a revision", limit: 5000))
    limits.depth = 10
    #expect(
      gitError { _ = try fixture.repository(limits: limits).tree(of: commit, where: all) }
        == .tooLarge(what: "the nesting depth of folders", limit: 10))
    // A filter that reads none of them has nothing to refuse.
    #expect(
      try fixture.repository(limits: limits).tree(of: commit) { _, _ in .exclude }.entries == [])
  }

  @Test("a small memory for trees changes no result")
  func smallCache() throws {
    let fixture = try GitFixture()
    let commit = try fixture.commit(["a/b/contents": "1", "a/c/contents": "1", "d/contents": "1"])
    var limits = GitLimits()
    limits.cacheSize = 1
    let repository = try fixture.repository(limits: limits)
    #expect(try repository.tree(of: commit, where: all).entries.count == 3)
  }
}
