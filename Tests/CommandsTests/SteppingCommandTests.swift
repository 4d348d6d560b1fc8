import Foundation
import StrataBase
import StrataCommands
import StrataRendering
import TestSupport
import Testing

@Suite("The stepper's commands")
struct SteppingCommandTests {
  /// A walk through everything that reads, writes or goes back.
  private static let walk = [
    "step 3", "source", "associations", "destination Topic", "sql source 'SELECT * FROM ZTOPIC'",
    "rows source Topic", "count destination Topic",
    "sql destination 'SELECT count(*) FROM sqlite_master'", "back", "next", "break pass 3",
    "watch Topic", "trace sql 4", "continue", "continue", "trace sql 0", "back pass", "mark here",
    "hop", "back hop", "restart", "goto here", "continue", "log", "break error", "break warning",
    "continue", "explain", "where",
  ]

  @Test(
    "eval keeps the quotes of a text, and has no answer without the object that a key refers to")
  func evaluation() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1")
    let inserted = session("insert t.sqlite Topic content='a b' presenterName=x")
    #expect(inserted.status == .done, "\(inserted)")
    session("debug t.sqlite --to sample:Topics/Model2 --strategy custom")
    for line in ["content == 'C'", "nonsense == 'x'", "'content == 1'", "content", "SELF == nil"] {
      #expect(session("eval \(line)").status == .no, "\(line)")
    }
    #expect(session("eval 1 + 1").output == "2\n")
    // A sign at the start is no option.
    for line in ["eval -7 + 2", "eval '-7 + 2'"] {
      #expect(session(line).output == "-5\n", "\(line)")
    }
    #expect(session("eval '-7 + 2' --json").output.contains("-5"))
    for _ in 0..<10 where session("eval $source.content").status == .no { session("step") }
    #expect(session("eval $source.content == 'a b'").output == "YES\n")
    #expect(session("eval $source.content != 'other'").output == "YES\n")
    #expect(session("eval $source.content == 'other'").output == "NO\n")
    for line in ["--json $source.content == 'a b'", "$source.content == 'a b' --json"] {
      #expect(session("eval \(line)").output == "true\n", "\(line)")
    }
    #expect(session("eval '$source.content == \"other\"'").output == "NO\n")
    #expect(session("eval content == 'other'").output.contains("no destination object yet"))
  }

  @Test(
    "an abandoned migration has changed no byte, time or name",
    arguments: JournaledStore.Journal.allCases,
    JournaledStore.options)
  func abandoned(journal: JournaledStore.Journal, option: String) throws {
    let folder = try TemporaryFolder()
    let store = try JournaledStore(journal, in: folder)
    let session = TestSession(in: folder)
    session("load sample:Topics")
    let before = try store.state()
    let begin = session("debug \(store.path) --to Model5 \(option)")
    #expect(begin.status == .done, "\(begin)")
    for line in Self.walk {
      let evaluation = session(line)
      let isBetweenModels = evaluation.diagnostics.contains("[step.betweenModels]")
      #expect(evaluation.status < .failed || isBetweenModels, "\(line): \(evaluation)")
    }
    let end = session("abandon")
    #expect(end.status == .done, "\(end)")
    #expect(try store.state() == before)
    store.close()
  }

  @Test("commit refuses a store that has changed since `debug`")
  func changedMeanwhile() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("debug t.sqlite --to Model2")
    try StoreFixture.run(["UPDATE ZTOPIC SET ZCONTENT = 'other'"], on: folder.path("t.sqlite"))
    let before = try folder.state()
    let evaluation = session("commit")
    #expect(evaluation.status == .failed)
    #expect(evaluation.diagnostics.contains("[step.storeChanged]"), "\(evaluation)")
    #expect(try folder.state() == before)
    #expect(session("where").status == .done)
  }

  @Test(
    "commit applies the debugged plan, independent of new files beside the store",
    arguments: [JournaledStore.Journal.none, .deadWAL, .hotJournal], ["Model2", "Model3"])
  func committed(journal: JournaledStore.Journal, target: String) throws {
    let folder = try TemporaryFolder()
    let store = try JournaledStore(journal, in: folder)
    store.close()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    // To Model3 it is inferred, and happens in place.
    #expect(session("debug \(store.path) --to \(target)").status == .done)
    #expect(session("step 4").status == .done)
    let commit = session("commit")
    #expect(commit.status == .done, "\(commit)")
    #expect(session("where").status == .failed)
    #expect(session("identify \(store.path)").output.contains(target))
  }

  @Test("a commit that fails does not move the stepper")
  func failedCommit() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("debug t.sqlite --to Model2")
    session("step 3")
    let place = session("where").output
    try SampleStore.topics(at: folder.path("new.sqlite"))
    #expect(session("commit --output new.sqlite").diagnostics.contains("[file.exists]"))
    #expect(session("where").output == place)
    #expect(session("step").output.contains("Topic/p3 -> Topic/p3"))
    let forced = session("commit --output new.sqlite --force")
    #expect(forced.status == .done, "\(forced)")
  }

  @Test("a trace does not overwrite the store or its companions")
  func traceOverStore() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    let before = try folder.state()
    for (name, id) in [
      ("t.sqlite", "[file.otherKind]"), ("t.sqlite-wal", "[migration.sameStore]"),
      ("./t.sqlite-journal", "[migration.sameStore]"),
    ] {
      for command in ["debug t.sqlite --to Model2", "migrate t.sqlite --to Model2 --dry-run"] {
        let evaluation = session("\(command) --trace-json \(name) --force")
        #expect(evaluation.diagnostics.contains(id), "\(evaluation)")
      }
    }
    #expect(try folder.state() == before)
  }

  @Test(
    "a script that ends while debugging abandons the migration; a script that only steps does not")
  func scripts() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try "load sample:Topics\ndebug t.sqlite --to Model2\nstep\n".write(
      toFile: folder.path("begins.strata"), atomically: true, encoding: .utf8)
    try "step\nstep\n".write(
      toFile: folder.path("steps.strata"), atomically: true, encoding: .utf8)
    let session = TestSession(in: folder)
    #expect(session("run begins.strata").status == .done)
    #expect(session("where").status == .failed)
    session("debug t.sqlite --to Model2")
    #expect(session("run steps.strata").status == .done)
    #expect(session("where").output.contains("object 2 of 3"))
  }

  @Test("the trace file has one event per line, and records going back")
  func traceFile() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("trace sql 2")
    session("debug t.sqlite --to Model2 --trace-json trace.jsonl")
    for line in ["step 3", "back 2", "continue", "abandon"] { session(line) }
    let lines = try String(contentsOfFile: folder.path("trace.jsonl"), encoding: .utf8)
      .split(separator: "\n")
    let events = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let names = events.compactMap { $0["event"] as? String }
    #expect(names.count == lines.count && events.allSatisfy { $0["mark"] is Int })
    #expect(names.first == "hopBegan" && names.last == "hopEnded", "\(names)")
    #expect(names.count { $0 == "wentBack" } == 1)
    #expect(
      Set(names).isSuperset(
        of: [
          "passBegan", "entityMappingBegan", "objectCreated", "relationshipsSet", "sqlBegan",
          "sqlEnded",
        ]))
    // What happened once more after going back is written once more.
    #expect(names.count { $0 == "objectCreated" } == 5 + 2)
    let exists = session("debug t.sqlite --to Model2 --trace-json trace.jsonl")
    #expect(exists.diagnostics.contains("[file.exists]"))
  }

  @Test("values and times are shown live, and saved only with --reveal")
  func masks() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = Session(
      folder: folder.url.path, renderer: Renderer(style: .plain, isLive: true))
    let type = TestSession(session)
    type("load sample:Topics")
    for (option, isKept) in [("", false), (" --reveal", true)] {
      type("trace sql 3\(option)")
      type("debug t.sqlite --to Model2")
      let shown = type("step 3").output
      #expect(shown.contains("SQLite bind[0] = 1\n"), "\(shown)")
      #expect(shown.contains("Hashes"), "\(shown)")
      type("abandon")
      type("save \(isKept).md")
      let saved = try String(contentsOfFile: folder.path("\(isKept).md"), encoding: .utf8)
      #expect(saved.contains("CoreData: details: SQLite bind[0] = "))
      #expect(saved.contains("Hashes") == isKept, "\(saved)")
      #expect(saved.contains("sql execution time: 0.0000s"))
      #expect(type("replay \(isKept).md").status == .done)
    }
  }
}
