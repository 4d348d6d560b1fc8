import StrataBase
import StrataCommands
import StrataStore
import TestSupport
import Testing

/// Stages whose work is a script of commands.
@Suite("Scripts of stages")
struct StageScriptTests {
  private let folder: TemporaryFolder
  private let session: TestSession
  private static let line = "migrate t.sqlite --to Model2 --stages s.stages"

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    try SampleStore.topics(at: folder.path("t.sqlite"))
    session("load sample:Topics")
    try folder.write(
      "stage custom Model1 -> Model2\n  will: run before.strata\n  did: run after.strata\n",
      to: "s.stages")
    try folder.write("expect count store Topic 3\n", to: "before.strata")
    try folder.write(
      "expect count store Topic 3\ninsert store TopicList title=Made\n", to: "after.strata")
  }

  @Test("they run before and after the stage, with the store loaded as store")
  func scripts() throws {
    let migrated = session(Self.line)
    #expect(migrated.status == .done, "\(migrated)")
    #expect(session("count t.sqlite TopicList").output == "3\n")
    let metadata = try SQLiteStore(reading: folder.path("t.sqlite")).metadata
    #expect(metadata.others["StrataPendingStage"] == nil)
  }

  @Test("a name in quotes is the same name")
  func quotes() throws {
    try folder.write(
      "stage custom 'Model1' -> \"Model2\"\n  will: run 'before.strata'\n"
        + "  did: \"Topic\": set content = 'x'\n", to: "s.stages")
    let migrated = session(Self.line)
    #expect(migrated.status == .done, "\(migrated)")
  }

  @Test("the stepper says at the end which of them a commit runs")
  func stepped() throws {
    session("debug t.sqlite --to Model2 --stages s.stages")
    let end = session("hop")
    #expect(end.output.contains("`commit` applies it and then runs after.strata"), "\(end)")
    #expect(session("commit").status == .done)
    #expect(session("count t.sqlite TopicList").output == "3\n")
  }

  @Test(
    "what they have deleted is told where the migration fails",
    arguments: [
      "will: Topic: require presenterName == 'q', \"no\"", "will: run failing.strata",
      "did: Topic: require presenterName == 'q', \"no\"",
    ])
  func failing(step: String) throws {
    try folder.write("delete store Topic p2\n", to: "deleting.strata")
    try folder.write("expect count store Topic 99\n", to: "failing.strata")
    try folder.write(
      "stage custom Model1 -> Model2\n  will: run deleting.strata\n  \(step)\n", to: "s.stages")
    let failed = session(Self.line)
    #expect(failed.status == .failed, "\(failed)")
    #expect(
      failed.diagnostics.contains("the scripts of the stage have deleted 1 Topic object: p2"),
      "\(failed)")
    let count = "SELECT count(*) FROM ZTOPIC WHERE Z_PK <> 2"
    #expect(try Python.value(count, in: folder.path("t.sqlite")) == "2")
    #expect(try Python.value("SELECT count(*) FROM ZTOPIC", in: folder.path("t.sqlite")) == "2")
  }

  @Test("a store whose scripts have run is not called unchanged where its objects are invalid")
  func invalid() throws {
    try folder.writeBundle(brief: ["V1": "A\n  n String", "V2": "A\n  n String required"])
    try folder.write("delete store A p1\n", to: "deleting.strata")
    try folder.write("stage custom V1 -> V2\n  will: run deleting.strata\n", to: "a.stages")
    session("load X.xcdatamodeld")
    session("create a.sqlite --model X/V1")
    for value in ["n=1", "n=nil"] { session("insert a.sqlite A \(value)") }
    let line = "migrate a.sqlite --to X/V2 --stages a.stages"
    let rehearsed = session(line + " --dry-run")
    #expect(rehearsed.output.contains("a.sqlite is unchanged"), "\(rehearsed)")
    #expect(session("count a.sqlite A").output == "2\n")
    let failed = session(line)
    #expect(failed.status == .failed, "\(failed)")
    #expect(failed.output.contains("A 1 object is deleted by the scripts of the stage: p1"))
    #expect(failed.output.contains("; a.sqlite is at V1") && !failed.output.contains("unchanged"))
    #expect(session("count a.sqlite A").output == "1\n")
  }

  @Test("a copy of a store with pending scripts is told")
  func copied() throws {
    try folder.write("expect count store Topic 99\n", to: "after.strata")
    #expect(session(Self.line).status == .failed)
    let copied = session("migrate t.sqlite --to Model2 --output copy.sqlite")
    #expect(copied.status == .done, "\(copied)")
    #expect(copied.diagnostics.contains("after.strata has not run yet"), "\(copied)")
  }

  @Test("a rehearsal runs them on its own store, which is deleted")
  func rehearsal() throws {
    try folder.write(
      "insert store TopicList title=Made\nsave kept.strata\n", to: "after.strata")
    let before = try folder.state()
    let rehearsed = session(Self.line + " --dry-run")
    #expect(rehearsed.status == .done, "\(rehearsed)")
    #expect(try folder.state() == before)
  }

  @Test("a script that fails stops the migration; the migration continues with it")
  func resumed() throws {
    try folder.write("expect count store Topic 4\n", to: "before.strata")
    let refused = session(Self.line)
    #expect(refused.status == .failed && refused.diagnostics.contains("before.strata:1"))
    #expect(session("identify t.sqlite").output.contains("Model1"))

    try folder.write("expect count store Topic 3\n", to: "before.strata")
    try folder.write("expect count store Topic 9\n", to: "after.strata")
    let half = session(Self.line)
    #expect(half.status == .failed && half.diagnostics.contains("after.strata:1"), "\(half)")
    #expect(session("identify t.sqlite").output.contains("Model2"))

    try folder.write("insert store TopicList title=Made\n", to: "after.strata")
    let done = session(Self.line)
    #expect(done.status == .done, "\(done)")
    #expect(session("count t.sqlite TopicList").output == "3\n")
    #expect(session(Self.line).output.hasPrefix("nothing to do"))
  }

  @Test("every migration reports pending scripts and keeps them pending")
  func pending() throws {
    try folder.write("expect count store Topic 9\n", to: "after.strata")
    let half = session(Self.line)
    #expect(half.diagnostics.contains("note: t.sqlite is now at Model2"), "\(half)")
    try folder.write("stage custom Model1 -> Model2\n", to: "other.stages")
    let other = session("migrate t.sqlite --to Model2 --stages other.stages")
    #expect(
      other.status == .failed && other.diagnostics.contains("after.strata has not run yet"))
    let plain = session("migrate t.sqlite --to Model2")
    #expect(plain.diagnostics.contains("after.strata has not run yet"), "\(plain)")
    let seen = session("doctor t.sqlite")
    #expect(seen.status == .no && seen.output.contains("after.strata"), "\(seen)")
    // A rehearsal tries them.
    let refused = session(Self.line + " --dry-run")
    #expect(
      refused.status == .no && refused.diagnostics.contains("after.strata:1"), "\(refused)")
    try folder.write("insert store TopicList title=Made\n", to: "after.strata")
    let rehearsed = session(Self.line + " --dry-run")
    #expect(rehearsed.output.contains("would be run"), "\(rehearsed)")
    #expect(session("count t.sqlite TopicList").output == "2\n")
    #expect(session(Self.line).output.contains("have been run"))
    #expect(session("doctor t.sqlite").status == .done)
  }

  @Test("objects that they delete are lost: counted and refused", arguments: ["before", "after"])
  func deletions(place: String) throws {
    for name in ["before", "after"] {
      let script = name == place ? "delete store TopicList p1" : "count store Topic"
      try folder.write("\(script)\n", to: "\(name).strata")
    }
    let before = try folder.state()
    let refused = session(Self.line + " --strict=rows")
    #expect(refused.status == .failed, "\(refused)")
    #expect(
      refused.output.contains("refused by --strict: 2 rows would be lost; t.sqlite is unchanged"))
    let expected = session("expect loses nothing t.sqlite Model2 --stages s.stages")
    #expect(expected.output.contains("loses 2 rows"), "\(expected)")
    #expect(try folder.state() == before)

    let rows = "SELECT (SELECT count(*) FROM ZTOPIC) + (SELECT count(*) FROM ZTOPICLIST)"
    func count() throws -> Int? { Int(try Python.value(rows, in: folder.path("t.sqlite"))) }
    let old = try #require(try count())
    let migrated = session(Self.line)
    #expect(
      migrated.output.contains("\n  Topic 1 object is deleted by the scripts of the stage: p1\n"))
    #expect(
      migrated.output.contains(
        "\n  TopicList 1 object is deleted by the scripts of the stage: p1\n"))
    #expect(migrated.output.contains("migrated: 2 objects lost; "))
    #expect(try count() == old - 2)
  }

  @Test("what they delete after an interruption is told")
  func laterDeletions() throws {
    try folder.write("expect count store Topic 9\n", to: "after.strata")
    _ = session(Self.line)
    try folder.write("delete store TopicList p1\n", to: "after.strata")
    let resumed = session(Self.line)
    #expect(
      resumed.diagnostics.contains(
        "the scripts of the stage have deleted 1 Topic object: p1; 1 TopicList object: p1"),
      "\(resumed)")
  }

  /// A store at Model2 whose script has not run.
  private func interrupt(then script: String) throws {
    try folder.write("expect count store Topic 9\n", to: "after.strata")
    try #require(session(Self.line).status == .failed)
    try folder.write(script, to: "after.strata")
  }

  @Test("what is left after an interruption is refused by --strict before it runs")
  func strictLater() throws {
    try interrupt(then: "delete store TopicList p1\n")
    try folder.write(
      "stage custom Model1 -> Model2\n  will: run before.strata\n  did: run after.strata\n"
        + "stage lightweight Model3\n", to: "on.stages")
    let before = try folder.state()
    for (line, message) in [
      (
        Self.line,
        "the scripts of the stage would delete 1 Topic object: p1; 1 TopicList object: p1"
      ),
      (Self.line + " --dry-run", "would delete 1 Topic object"),
      (
        "migrate t.sqlite --to Model3 --stages on.stages",
        "refused by --strict: 2 rows would be lost"
      ),
    ] {
      let refused = session("\(line) --strict=rows")
      #expect(
        refused.status == .failed && (refused.output + refused.diagnostics).contains(message),
        "\(refused)")
      #expect(try folder.state() == before)
    }
    #expect(session(Self.line + " --dry-run").diagnostics.contains("would delete 1 Topic object"))
    #expect(try folder.state() == before)
    // Of the other categories, they lose nothing.
    #expect(session(Self.line + " --strict=links").status == .done)
  }

  @Test("an interrupted stage is finished first, in place and with its stages")
  func unfinished() throws {
    try interrupt(then: "insert store TopicList title=Made\n")
    session("create u.sqlite --model sample:Topics/Model2")
    let before = try folder.state()
    for line in [
      Self.line + " --output o.sqlite", Self.line + " --output u.sqlite --append",
      Self.line + " --output o.sqlite --dry-run", "migrate t.sqlite --to Model1",
      "migrate t.sqlite --to Model3", "migrate t.sqlite --to Model3 --output o.sqlite",
      "debug t.sqlite --to Model3",
    ] {
      let refused = session(line)
      #expect(
        refused.status == .failed && refused.diagnostics.contains("after.strata has not run yet"),
        "\(line): \(refused)")
      #expect(try folder.state() == before, "\(line)")
    }
    let plan = session("plan t.sqlite --to Model3")
    #expect(plan.status == .done && plan.diagnostics.contains("has not run yet"), "\(plan)")
    #expect(session(Self.line).status == .done)
    #expect(session("migrate t.sqlite --to Model3").status == .done)
  }

  @Test("of several scripts, those that have run do not run again")
  func severalScripts() throws {
    try folder.write(
      "stage custom Model1 -> Model2\n  did: run one.strata\n  did: run two.strata\n  did: run three.strata\n",
      to: "s.stages")
    for name in ["one", "two", "three"] {
      try folder.write("insert store TopicList title=\(name)\n", to: "\(name).strata")
    }
    try folder.write("expect count store Topic 9\n", to: "two.strata")
    #expect(session(Self.line).status == .failed)
    #expect(
      session("doctor t.sqlite").output.contains(
        "before these scripts ran: two.strata, three.strata"))
    #expect(session(Self.line).status == .failed)
    try folder.write("insert store TopicList title=two\n", to: "two.strata")
    #expect(session(Self.line).status == .done)
    for name in ["one", "two", "three"] {
      let count = session("count t.sqlite TopicList --where 'title == \"\(name)\"'")
      #expect(count.output == "1\n", "\(name): \(count)")
    }
    #expect(session("doctor t.sqlite").status == .done)
  }

  @Test("a missing script is an error before anything is changed")
  func missing() throws {
    try folder.write(
      "stage custom Model1 -> Model2\n  did: run nowhere.strata\n", to: "s.stages")
    let before = try folder.state()
    let refused = session(Self.line)
    #expect(refused.status == .failed && refused.diagnostics.contains("nowhere.strata"))
    #expect(try folder.state() == before)
  }

  @Test("in a replayed document they write only in a private folder")
  func replayed() throws {
    try folder.write(
      "insert ./t.sqlite TopicList title=Evil\ncreate ./planted.sqlite --model sample:Topics/Model1\n",
      to: "after.strata")
    try folder.write(
      "```strata\n> load sample:Topics\n...\n> \(Self.line)\n...\n```\n", to: "x.md")
    let before = try folder.state()
    let replayed = session("replay x.md")
    #expect(try folder.state() == before, "\(replayed)")
  }

  @Test("a script that migrates with its own stages is refused")
  func recursive() throws {
    try folder.write(
      "migrate store --to sample:Topics/Model2 --stages s.stages\n", to: "before.strata")
    let refused = session(Self.line)
    #expect(refused.status == .failed, "\(refused)")
    #expect(session("identify t.sqlite").output.contains("Model1"))
  }
}
