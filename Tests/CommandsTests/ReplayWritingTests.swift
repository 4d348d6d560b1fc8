import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Files that a replayed document writes")
struct ReplayWritingTests {
  /// Every command that writes, and after each what reads it back, by path and by name.
  private static let session = [
    "create made.sqlite --model sample:Topics/Model1 --rows 2",
    "insert made.sqlite TopicList title=Mine",
    "create made.xml --model sample:Topics/Model1 --rows 1",
    "insert made.xml TopicList title=Mine --model sample:Topics/Model1",
    "load made.sqlite", "insert made Topic content=x presenterName=y topicList=p1",
    "compare made.sqlite made.xml --rows",
    "load s.sqlite --as phone", "insert s.sqlite TopicList title=More", "count s.sqlite TopicList",
    "insert phone TopicList title=Yet", "rows phone TopicList",
    "show s.sqlite", "validate phone", "loaded",
    "write sample:Topics Topics.xcdatamodeld",
    "write sample:Topics/Model1 Topics.xcdatamodeld/Last --current",
    "load Topics.xcdatamodeld --as topics", "hash topics --all",
    "load Mine.xcdatamodeld", "write sample:Topics/Model2 Mine.xcdatamodeld/More", "loaded",
    "hash Mine/More",
  ]

  /// What lies beside a bundle counts too: mapping models, policies and stages that the document wrote.
  private static let project = [
    "samples --write .", "create old.sqlite --model Topics.xcdatamodeld/Model1",
    "insert old.sqlite TopicList title=Maps",
    "insert old.sqlite Topic content=12345678901234567890 presenterName=Ben topicList=p1",
    "plan old.sqlite --to Topics.xcdatamodeld/Model2", "project",
    "plan old.sqlite --to Topics.xcdatamodeld --strategy hybrid",
    "mapping find Topics.xcdatamodeld/Model1 Topics.xcdatamodeld/Model2",
    "mapping lint Model1ToModel2.xcmappingmodel",
    "migrate old.sqlite --to Topics.xcdatamodeld/Model2", "rows old.sqlite Topic",
    "migrate old.sqlite --to Topics.xcdatamodeld --strategy hybrid", "rows old.sqlite Member",
  ]

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("s.sqlite"))
    let outside = TestSession(in: folder)
    #expect(outside("write sample:Topics/Model1 Mine.xcdatamodeld/Model1").status == .done)
    return folder
  }

  @Test(
    "they are read back as if they existed, and no real file changes",
    arguments: [session, project])
  func readBack(lines: [String]) throws {
    let real = try Self.folder()
    let recorder = TestSession(in: real)
    for line in lines {
      let evaluation = recorder(line)
      #expect(evaluation.status < .failed, "\(line): \(evaluation)")
    }
    #expect(recorder("save session.md").status == .done)
    let text = try String(
      contentsOf: real.url.appendingPathComponent("session.md"), encoding: .utf8)

    let folder = try Self.folder()
    try folder.write(text, to: "session.md")
    // Once is enough for the longer one.
    let after = ["count s.sqlite Topic", "create made.sqlite --model sample:Recipes"]
    for line in after.prefix(lines == Self.session ? 2 : 1) {
      let before = try folder.state()
      let replay = TestSession(in: folder)("replay session.md")
      #expect(replay.status == .done, "\(replay.output)")
      #expect(replay.output.contains("\(lines.count) same"), "\(replay.output)")
      #expect(try folder.state() == before)
      // What the document makes may be there, from the time when it was recorded or of another kind.
      #expect(TestSession(in: folder)(line).status == .done)
    }
  }

  @Test("links, pipes and files elsewhere are not changed or copied")
  func elsewhere() throws {
    let (folder, other) = (try Self.folder(), try Self.folder())
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.path("link.sqlite"), withDestinationPath: folder.path("s.sqlite"))
    try files.createSymbolicLink(
      atPath: folder.path("Mine.xcdatamodeld/Model9.xcdatamodel"),
      withDestinationPath: other.path("Mine.xcdatamodeld/Model1.xcdatamodel"))
    try files.createSymbolicLink(
      atPath: folder.path("other"), withDestinationPath: other.url.path)
    let before = (try folder.state(), try other.state())
    let inner = TestSession(
      try Session(
        replayingIn: folder.url.path, below: [folder.url.path]))
    for line in [
      "insert link.sqlite TopicList title=x", "insert other/s.sqlite TopicList title=x",
      "insert \(other.path("s.sqlite")) TopicList title=x",
      "create \(other.path("s.sqlite")) --model sample:Topics/Model1 --force",
      "create link.sqlite --model sample:Topics/Model1 --force",
      "create missing/s.sqlite --model sample:Topics/Model1",
      "create missing/s.xml --model sample:Topics/Model1",
      "write sample:Topics/Model2 Mine.xcdatamodeld/Model9 --force",
      "create . --model sample:Topics/Model1 --force",
    ] {
      let evaluation = inner(line)
      #expect(evaluation.status == .failed, "\(line): \(evaluation)")
      let said = "\(evaluation)".replacingOccurrences(of: "strata-tests-", with: "")
      #expect(!said.contains("strata-"), "\(line): \(evaluation)")
    }
    for line in ["samples --write .", "samples --write new/er", "save new.strata"] {
      let evaluation = inner(line)
      #expect(evaluation.status == .done, "\(line): \(evaluation)")
    }
    // A new file elsewhere is seen by the document alone.
    let new = other.path("new.sqlite")
    #expect(inner("create \(new) --model sample:Topics/Model1 --rows 2").status == .done)
    #expect(inner("count \(new) Topic").output == "2\n")
    #expect(try folder.state() == before.0)
    #expect(try other.state() == before.1)
  }

  @Test("only existing files that the document has read conflict with its new files")
  func existing() throws {
    let folder = try Self.folder()
    let create = "create s.sqlite --model sample:Topics/Model1"
    let write = "write sample:Topics/Model2 Mine.xcdatamodeld/Model1"
    func session() throws -> TestSession {
      TestSession(try Session(replayingIn: folder.url.path, below: [folder.url.path]))
    }
    let fresh = try session()
    for line in [create, write] {
      #expect(fresh(line).status == .done)
      #expect(fresh(line).diagnostics.contains("file.exists"), "\(line)")
    }
    #expect(fresh("count s.sqlite Topic").output == "0\n")
    let knowing = try session()
    knowing("count s.sqlite Topic")
    knowing("load Mine.xcdatamodeld")
    for line in [create, write] {
      #expect(knowing(line).diagnostics.contains("file.exists"), "\(line)")
      #expect(knowing(line + " --force").status == .done)
    }
  }

  @Test("no link in read or changed files leaves the folder", arguments: [false, true])
  func links(mayWrite: Bool) throws {
    let (folder, other) = (try Self.folder(), try Self.folder())
    let files = FileManager.default
    func link(_ path: String, to target: String) throws {
      let place = folder.url.appendingPathComponent(path)
      try files.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: place.path, withDestinationPath: other.path(target))
    }
    let model = "Mine.xcdatamodeld/Model1.xcdatamodel"
    try link("Contents.xcdatamodeld/Model1.xcdatamodel/contents", to: "\(model)/contents")
    try link("Elements.xcdatamodel/elements", to: "\(model)/contents")
    try files.copyItem(
      atPath: folder.path("Mine.xcdatamodeld"), toPath: folder.path("Current.xcdatamodeld"))
    try? files.removeItem(atPath: folder.path("Current.xcdatamodeld/.xccurrentversion"))
    try link("Current.xcdatamodeld/.xccurrentversion", to: "s.sqlite")
    try link(".s_SUPPORT", to: "Mine.xcdatamodeld")
    try link("dangling.sqlite", to: "nothing.sqlite")
    let before = try other.state()
    let session = TestSession(
      try Session(
        replayingIn: folder.url.path, below: [folder.url.path], mayWrite: mayWrite))
    for line in [
      "show Contents.xcdatamodeld", "hash Elements.xcdatamodel", "load Current.xcdatamodeld",
      "write sample:Topics/Model2 Contents.xcdatamodeld/Model1 --force",
      "write sample:Topics/Model2 Elements.xcdatamodel --force",
      "insert s.sqlite TopicList title=x",
      "create dangling.sqlite --model sample:Topics/Model1 --force",
    ] {
      let evaluation = session(line)
      #expect(
        evaluation.diagnostics.contains("session."), "\(line): \(evaluation)")
    }
    #expect(try other.state() == before)
  }

  /// A session in `docs` of a folder, beside which lies `out`.
  private static func session(in folder: TemporaryFolder, mayWrite: Bool) throws -> TestSession {
    TestSession(
      try Session(
        replayingIn: folder.path("docs"), below: [folder.path("docs")], mayWrite: mayWrite))
  }

  @Test("a file with another hard link is not changed", arguments: [false, true])
  func hardLinks(mayWrite: Bool) throws {
    let folder = try TemporaryFolder()
    let own = TestSession(in: folder)
    try folder.write("", to: "docs/here")
    try folder.write("keep", to: "out/t.json")
    try folder.write("keep", to: "out/m.mapping")
    try SampleStore.topics(at: folder.path("out/h.sqlite"))
    try SampleStore.topics(at: folder.path("docs/s.sqlite"))
    own("create out/h.xml --model sample:Topics/Model1")
    own("write sample:Topics/Model1 docs/Mine.xcdatamodeld/Model1")
    try folder.write("", to: "docs/Mine.xcdatamodeld/here")
    let contents = "Mine.xcdatamodeld/Model1.xcdatamodel/contents"
    try FileManager.default.moveItem(
      atPath: folder.path("docs/\(contents)"), toPath: folder.path("out/contents"))
    for (name, second) in [
      ("t.json", "t.json"), ("m.mapping", "m.mapping"), ("h.sqlite", "h.sqlite"),
      ("h.xml", "h.xml"), ("contents", contents),
    ] {
      try FileManager.default.linkItem(
        atPath: folder.path("out/\(name)"), toPath: folder.path("docs/\(second)"))
    }
    let before = try folder.state()
    let session = try Self.session(in: folder, mayWrite: mayWrite)
    for line in [
      "insert h.sqlite TopicList title=x",
      "insert h.xml TopicList title=x --model sample:Topics/Model1",
      "migrate s.sqlite --to sample:Topics/Model2 --dry-run --trace-json t.json --force",
      "infer sample:Topics/Model1 sample:Topics/Model2 --write m.mapping --force",
      "write sample:Topics/Model2 Mine.xcdatamodeld/Model1 --force",
      "migrate h.sqlite --to sample:Topics/Model2",
      "create h.sqlite --model sample:Topics/Model1 --force",
    ] {
      let answer = session(line)
      #expect(answer.diagnostics.contains("hard link") == mayWrite, "\(line): \(answer)")
    }
    #expect(
      try folder.state().filter { $0.key.hasPrefix("out") }
        == before.filter { $0.key.hasPrefix("out") })
  }

  @Test(
    "nothing is written through a link to another folder", .part(2),
    arguments: ["plain", "chain", "bytes", "mark"], [false, true])
  func written(method: String, mayWrite: Bool) throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try folder.write("keep", to: "out/t.json")
    try folder.write("keep", to: "out/m.mapping")
    try SampleStore.topics(at: folder.path("docs/s.sqlite"))
    let out = folder.path("out")
    switch method {
    case "chain":
      for number in 1...25 {
        try files.createSymbolicLink(
          atPath: folder.path(number == 25 ? "docs/a" : "docs/c\(number)"),
          withDestinationPath: number == 1 ? out : folder.path("docs/c\(number - 1)"))
      }
    case "bytes":
      try folder.write("", to: "docs/q\u{FFFD}/here")
      #expect(symlink([0x71, -1, 0], folder.path("docs/a")) == 0)
      #expect(symlink(out, Array(folder.path("docs/q").utf8CString.dropLast()) + [-1, 0]) == 0)
    default: try files.createSymbolicLink(atPath: folder.path("docs/a"), withDestinationPath: out)
    }
    let before = try folder.state().filter { $0.key.hasPrefix("out") }
    let session = try Self.session(in: folder, mayWrite: mayWrite)
    let place = method == "mark" ? "a/\u{301}" : "a/"
    session("show sample:Topics")
    for line in [
      "samples --write \(place)n", "create \(place)n.xml --model sample:Topics/Model1",
      "create \(place)n.sqlite --model sample:Topics/Model1",
      "infer sample:Topics/Model1 sample:Topics/Model2 --write \(place)m.mapping --force",
      "infer sample:Topics/Model1 sample:Topics/Model2 --write \(place)new.mapping",
      "migrate s.sqlite --to sample:Topics/Model2 --dry-run --trace-json \(place)t.json --force",
      "migrate s.sqlite --to sample:Topics/Model2 --dry-run --trace-json \(place)new.json",
      "validate s.sqlite --junit \(place)t.json --force", "save \(place)s.md",
      "write sample:Topics/Model1 \(place)B.xcdatamodeld",
    ] {
      let answer = session(line)
      // In private, what is new is written where nobody sees it.
      #expect(answer.status == .failed || !mayWrite, "\(line): \(answer)")
    }
    #expect(try folder.state().filter { $0.key.hasPrefix("out") } == before)
    #expect(try files.contentsOfDirectory(atPath: out).sorted() == ["m.mapping", "t.json"])
  }

  /// Where a link is on the way to the external data of a store, and whether its target exists; `root` is a link to
  /// the folder of the document itself, which may be written to.
  @Test(
    "external data is written only below the folder",
    arguments: [
      "none", "support", "data", "support to nothing", "data to nothing", "hard", "root",
    ],
    [false, true])
  func externalData(method: String, mayWrite: Bool) throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try folder.write("keep", to: "out/_EXTERNAL_DATA/here")
    try folder.write(String(repeating: "x", count: 200_000), to: "docs/big")
    try PhotoStore.write([1], to: folder.path("docs/p.sqlite"))
    try files.removeItem(atPath: folder.path("docs/.p_SUPPORT"))
    let missing = method.hasSuffix("nothing") ? "/missing" : ""
    func link(_ path: String, to target: String) throws {
      try files.createSymbolicLink(
        atPath: folder.path(path), withDestinationPath: folder.path(target))
    }
    switch method.split(separator: " ")[0] {
    case "support": try link("docs/.p_SUPPORT", to: "out" + missing)
    case "data":
      try folder.write("", to: "docs/.p_SUPPORT/here")
      try link("docs/.p_SUPPORT/_EXTERNAL_DATA", to: "out/_EXTERNAL_DATA" + missing)
    case "hard":
      try folder.write("", to: "docs/.p_SUPPORT/_EXTERNAL_DATA/here")
      try files.linkItem(
        atPath: folder.path("out/_EXTERNAL_DATA/here"),
        toPath: folder.path("docs/.p_SUPPORT/_EXTERNAL_DATA/other"))
    case "root": try link("alias", to: "docs")
    default: break
    }
    let before = try folder.state().filter { $0.key.hasPrefix("out") }
    let root = folder.path(method == "root" ? "alias" : "docs")
    let session = TestSession(
      try Session(replayingIn: root, below: [root], mayWrite: mayWrite))
    let answer = session("insert \(root)/p.sqlite Photo title=x data=@\(root)/big")
    let isRefused = method.hasPrefix("support") || method.hasPrefix("data")
    #expect((answer.status == .done) == !isRefused || !mayWrite, "\(answer)")
    if mayWrite {
      let written = try files.subpathsOfDirectory(atPath: folder.path("docs"))
      #expect(written.contains { $0.hasPrefix(".p_SUPPORT/_EXTERNAL_DATA/") } == !isRefused)
    }
    #expect(try folder.state().filter { $0.key.hasPrefix("out") } == before)
    #expect(!files.fileExists(atPath: folder.path("out/missing")))
  }

  @Test(
    "`doctor --fix` moves no files behind a link",
    arguments: [".p_SUPPORT.3012345678", ".q_SUPPORT.3012345678", ".p_SUPPORT"], [true, false])
  func givenBack(name: String, linksFolder: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "docs/here")
    try PhotoStore.write([1], to: folder.path("docs/p.sqlite"))
    try folder.write("key", to: "out/_EXTERNAL_DATA/id")
    let files = FileManager.default
    if name == ".p_SUPPORT" {
      try files.moveItem(
        atPath: folder.path("docs/.p_SUPPORT"), toPath: folder.path("docs/.p_SUPPORT.3012345678"))
    }
    if linksFolder {
      try files.createSymbolicLink(
        atPath: folder.path("docs/\(name)"), withDestinationPath: folder.path("out"))
    } else {
      try files.createDirectory(
        atPath: folder.path("docs/\(name)"), withIntermediateDirectories: true)
      try files.createSymbolicLink(
        atPath: folder.path("docs/\(name)/_EXTERNAL_DATA"),
        withDestinationPath: folder.path("out/_EXTERNAL_DATA"))
    }
    let before = try folder.state()
    for mayWrite in [false, true] {
      let session = try Self.session(in: folder, mayWrite: mayWrite)
      #expect(session("doctor p.sqlite --fix").status != .done || !mayWrite)
    }
    TestSession(in: folder)("doctor docs/p.sqlite --fix")
    #expect(try folder.state() == before)
  }

  @Test(
    "an answer about a forbidden path does not depend on its contents",
    arguments: [false, true])
  func facts(mayWrite: Bool) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("docs/s.sqlite"))
    try SampleStore.topics(at: folder.path("out/a.sqlite"))
    try folder.write("expect count store Topic 3\n", to: "out/a.strata")
    for name in ["a", "b"] {
      try folder.write(
        "stage custom Model1 -> Model2\n  will: run ../out/\(name).strata\n",
        to: "docs/\(name).stages")
      for (link, target) in [
        ("link-\(name)", "a.sqlite"), ("link-\(name).sqlite", "\(name).sqlite"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: folder.path("docs/\(link)"), withDestinationPath: folder.path("out/\(target)"))
      }
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("out/folder-a"), withIntermediateDirectories: true)
    for line in [
      "show ../out/NAME.sqlite", "show link-NAME.sqlite", "load ../out/NAME.sqlite",
      "create ../out/NAME.sqlite --model sample:Topics/Model1",
      "create ../out/NAME.sqlite --model sample:Topics/Model1 --force",
      "create link-NAME.sqlite --model sample:Topics/Model1 --force",
      "create ../out/folder-NAME/n.sqlite --model sample:Topics/Model1",
      "create ../out/folder-NAME --model sample:Topics/Model1",
      "validate s.sqlite --junit ../out/NAME.sqlite --force",
      "validate s.sqlite --junit ../out/NAME.sqlite",
      "migrate s.sqlite --to sample:Topics/Model2 --dry-run --trace-json ../out/NAME.sqlite --force",
      "plan s.sqlite --to sample:Topics/Model2 --stages NAME.stages",
      "replay ../out/NAME.strata", "run ../out/NAME.strata", "doctor ../out/NAME.sqlite",
    ] {
      let answers = try ["a", "b"].map { name in
        let session = try Self.session(in: folder, mayWrite: mayWrite)
        let typed = line.replacing("NAME", with: name)
        let answer = session(typed)
        return "\(answer.status) \(answer.output)\(answer.diagnostics)"
          .replacing("\(name).s", with: "NAME.s").replacing("folder-\(name)", with: "folder-NAME")
      }
      #expect(answers[0] == answers[1], "\(line)")
    }
  }

  @Test("a document found in a folder is not followed through a link out of it")
  func linkedDocument() throws {
    let folder = try TemporaryFolder()
    let text = "# t\n\n```strata\n> samples\nold\n```\n"
    try folder.write(text, to: "out/linked.md")
    try folder.write(text, to: "docs/a/own.md")
    let files = FileManager.default
    for (link, target) in [
      ("out.md", "../out/linked.md"), ("in.md", "a/own.md"), ("sub", "../out"),
    ] {
      try files.createSymbolicLink(
        atPath: folder.path("docs/\(link)"), withDestinationPath: target)
    }
    let before = try folder.state()
    let session = TestSession(in: folder)
    let replay = session("replay docs")
    #expect(replay.status == .failed)
    #expect("\(replay)".contains("replay.linkedDocument"), "\(replay)")
    let update = session("replay docs --update --all")
    #expect(update.status == .failed, "\(update)")
    let after = try folder.state()
    #expect(after["out/linked.md"] == before["out/linked.md"])
    #expect(after["docs/a/own.md"] != before["docs/a/own.md"])
    // The user who names it means it.
    #expect(session("replay docs/out.md --update --all").status == .done)
    #expect(try folder.state()["out/linked.md"] != before["out/linked.md"])
  }

  @Test(
    "a link may point to the folder of a document, but not out of it", arguments: [false, true])
  func linkedRoot(mayWrite: Bool) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("docs/s.sqlite"))
    try SampleStore.topics(at: folder.path("out/s.sqlite"))
    for (link, target) in [("alias", "docs"), ("docs/up", "../out"), ("docs/back", "../alias")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(link), withDestinationPath: target)
    }
    let alias = folder.path("alias")
    let session = TestSession(
      try Session(replayingIn: alias, below: [alias], mayWrite: mayWrite))
    for path in ["s.sqlite", folder.path("docs/s.sqlite"), folder.path("alias/s.sqlite")] {
      #expect(session("count \(path) Topic").output == "3\n")
      #expect(session("insert \(path) TopicList title=x").status == .done)
    }
    for path in ["up/s.sqlite", "../out/s.sqlite", "../docs/up/s.sqlite"] {
      #expect(session("count \(path) Topic").diagnostics.contains("session.pathRefused"))
    }
  }

  @Test("with --allow-writes, real files change, only in the folder")
  func allowed() throws {
    let (folder, other) = (try Self.folder(), try Self.folder())
    try folder.write("insert s.sqlite TopicList title=x\n", to: "insert.strata")
    try folder.write(
      "create \(other.path("new.sqlite")) --model sample:Topics/Model1\n", to: "elsewhere.strata")
    let before = try other.state()
    let session = TestSession(in: folder)
    let count = session("count s.sqlite TopicList").output
    #expect(session("replay insert.strata").status == .done)
    #expect(session("count s.sqlite TopicList").output == count)
    #expect(session("replay insert.strata --allow-writes").status == .done)
    #expect(session("count s.sqlite TopicList").output != count)
    #expect(session("replay elsewhere.strata --allow-writes").status == .no)
    #expect(try other.state() == before)
  }
}
