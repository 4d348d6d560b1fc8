import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("What a replayed document writes")
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
    "it is read back as if it were there, and no real file changes", arguments: [session, project])
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

  @Test("links, pipes and what lies elsewhere are not changed, not even a copy of them")
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

  @Test("what the document knows to be there is in its way, what it does not know is not")
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

  @Test("no link in what it reads or changes leads out of the folder", arguments: [false, true])
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

  @Test("where it is allowed, real files change, below the folder only")
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
