import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Files that a replayed document can access")
struct ReplayReachTests {
  /// Nothing that lies outside may be seen by this name.
  private static let marker = "MarkerOfOutside"
  /// Each kind of file that a command reads, and a command that shows its contents.
  private static let kinds = [
    ("m.xcdatamodel/contents", "show PLACE"), ("v.mapping", "mapping show PLACE"),
    ("n.strata", "run PLACE"), ("n.md", "replay PLACE"),
    ("p.policies", "plan sample:Topics/Model1 --to sample:Topics/Model2 --policies PLACE"),
    ("s.stages", "plan sample:Topics/Model1 --to sample:Topics/Model2 --stages PLACE"),
    ("x.sqlite", "show PLACE"), ("x.xml", "show PLACE"),
  ]

  private func write(_ kind: String, in folder: TemporaryFolder, _ place: String) throws {
    let path = "\(place)/\(kind)"
    switch kind {
    case "x.sqlite", "x.xml":
      try folder.write(
        "<model><entity name=\"\(Self.marker)\"/></model>", to: "\(place)/k.xcdatamodel/contents")
      let created = TestSession(in: folder)(
        "create \(path) --model \(place)/k.xcdatamodel --rows 1")
      #expect(created.status == .done, "\(created)")
    case "m.xcdatamodel/contents":
      try folder.write("<model><entity name=\"\(Self.marker)\"/></model>", to: path)
    default: try folder.write("\(Self.marker) is no word\n", to: path)
    }
  }

  /// Ways out of `docs`, each by what stands in the file's place there.
  private static let methods = ["file", "folder", "again", "up", "alike"]

  @Test("nothing about a file outside is disclosed, in any way", arguments: kinds, methods)
  func refused(kind: (name: String, command: String), method: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "docs/here")
    let outside = method == "alike" ? "docs-secret" : "out"
    try write(kind.name, in: folder, outside)
    let top = String(kind.name.split(separator: "/")[0])
    let files = FileManager.default
    var place = "docs/\(top)"
    switch method {
    case "file":
      try files.createSymbolicLink(
        atPath: folder.path(place), withDestinationPath: folder.path("\(outside)/\(top)"))
    case "folder":
      try files.createSymbolicLink(
        atPath: folder.path("docs/linked"), withDestinationPath: "../\(outside)")
      place = "docs/linked/\(top)"
    case "again":
      try files.createSymbolicLink(
        atPath: folder.path("docs/first"), withDestinationPath: "../\(outside)/\(top)")
      try files.createSymbolicLink(atPath: folder.path(place), withDestinationPath: "first")
    default: place = "\(outside)/\(top)"
    }
    let before = try folder.state()
    let command = kind.command.replacing("PLACE", with: "../\(place)")
    let session = TestSession(
      try Session(replayingIn: folder.path("docs"), below: [folder.path("docs")]))
    let answer = session(command)
    #expect(answer.status != .done)
    #expect(!"\(answer.output)\(answer.diagnostics)".contains(Self.marker), "\(answer)")
    #expect(try folder.state() == before)
  }

  @Test("external binary data behind a link counts as missing", arguments: [true, false])
  func externalData(linksSupport: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "docs/here")
    try PhotoStore.write([1], to: folder.path("docs/p.sqlite"))
    let (support, out) = (folder.path("docs/.p_SUPPORT"), folder.path("out"))
    let files = FileManager.default
    let moved = linksSupport ? support : support + "/_EXTERNAL_DATA"
    try files.moveItem(atPath: moved, toPath: out)
    try files.createSymbolicLink(
      atPath: moved, withDestinationPath: "../\(linksSupport ? "" : "../")out")
    let before = try folder.state()
    let command = "count p.sqlite Photo --where 'length:(data) > 5'"
    let own = TestSession(in: folder)("count docs/p.sqlite Photo --where 'length:(data) > 5'")
    #expect(own.status == .done, "\(own)")
    let session = TestSession(
      try Session(replayingIn: folder.path("docs"), below: [folder.path("docs")]))
    let answer = session(command)
    #expect(answer.status == .failed || answer.output != own.output, "\(answer)")
    #expect(try folder.state() == before)
    // With the folder allowed, the link leads to what may be read.
    let both = TestSession(
      try Session(replayingIn: folder.path("docs"), below: [folder.path("docs"), out]))
    #expect(both(command).output == own.output)
  }

  @Test("a WAL or journal that is a link is not applied", arguments: ["-wal", "-journal"])
  func journals(end: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "docs/here")
    try SampleStore.topics(at: folder.path("docs/t.sqlite"))
    let bytes = end == "-wal" ? [0x37, 0x7F, 0x06, 0x82] : [0xD9, 0xD5, 0x05, 0xF9]
    try folder.write(bytes.map(UInt8.init) + [UInt8](repeating: 1, count: 5000), to: "out")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("docs/t.sqlite\(end)"), withDestinationPath: "../out")
    let before = try folder.state()
    let session = TestSession(
      try Session(replayingIn: folder.path("docs"), below: [folder.path("docs")]))
    #expect(session("count t.sqlite Topic").status == .failed)
    #expect(try folder.state() == before)
  }

  @Test("a document saved elsewhere is run again with the permissions of its session")
  func savedAgain() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.marker, to: "out/secret")
    try folder.write("what is open", to: "docs/open")
    try folder.write("", to: "docs/sub/here")
    let docs = folder.path("docs")
    for (file, isReported) in [
      (folder.path("out/secret"), false), (folder.path("docs/open"), true),
    ] {
      let session = TestSession(try Session(replayingIn: docs, below: [docs]))
      session("create t.sqlite --model sample:Topics/Model1")
      session("insert t.sqlite Topic content=@\(file) presenterName=w")
      session("rows t.sqlite Topic")
      let saved = session("save sub/o.md --all --reveal")
      #expect(saved.status == .done, "\(saved)")
      session("create u.sqlite --model sample:Topics/Model1")
      #expect(session("insert u.sqlite Topic content=@sub/o.md presenterName=w").status == .done)
      for (text, count) in [(Self.marker, 0), ("what is open", isReported ? 1 : 0)] {
        let found = session("count u.sqlite Topic --where 'content CONTAINS \"\(text)\"'")
        #expect(found.output == "\(count)\n", "\(found)")
      }
    }
  }

  @Test("a document can run others only in its folders, for any bytes in the name")
  func nestedReplay() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.marker, to: "out/secret")
    let inner =
      "# i\n\n```strata\n> create t.sqlite --model sample:Topics/Model1\n> insert t.sqlite Topic content=@secret presenterName=w\n> rows t.sqlite Topic\nwrong\n```\n"
    try folder.write(inner, to: "out/inner.md")
    try folder.write(inner, to: "docs/r\u{FFFD}/inner.md")
    #expect(symlink([0x72, -1, 0], folder.path("docs/l")) == 0)
    let bytes = Array(folder.path("docs/r").utf8CString.dropLast()) + [-1, 0]
    #expect(symlink(folder.path("out"), bytes) == 0)
    let docs = folder.path("docs")
    for line in ["replay l/inner.md", "replay l/inner.md --allow-read l", "replay l"] {
      let answer = TestSession(try Session(replayingIn: docs, below: [docs]))(line)
      #expect(answer.status != .done)
      #expect(!"\(answer)".contains(Self.marker), "\(line): \(answer)")
    }
  }

  @Test("without a working folder a relative name is refused")
  func noFolder() throws {
    let session = TestSession(Session(folder: ""))
    let name = "gone-\(UUID()).sqlite"
    for line in ["create \(name) --model sample:Topics/Model1", "load \(name)"] {
      let answer = session(line)
      #expect(answer.status == .failed && answer.diagnostics.contains("[file.noWorkingFolder]"))
      #expect(answer.diagnostics.contains("where: \(name)"), "\(answer)")
    }
    // What lies in no folder needs none.
    #expect(session("show sample:Topics/Model1.Topic").status == .done)
  }

  @Test("a report requested after `open` is private, like all written files")
  func reportAfterOpen() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try folder.write("load sample:Topics\n", to: "s.strata")
    let session = TestSession(in: folder)
    session("open s.strata")
    for line in ["replay s.strata --junit r.xml", "validate t.sqlite --junit v.xml"] {
      session(line)
    }
    for name in ["r.xml", "v.xml"] {
      #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }
  }
}
