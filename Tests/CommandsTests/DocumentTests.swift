import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Scripts and replays")
struct DocumentTests {
  @Test(
    "a saved session replays without differences, also from another folder",
    arguments: ["session.strata", "session.md"])
  func saveAndReplay(name: String) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("data/Topics.sqlite"))
    let session = TestSession(in: folder)
    for line in [
      "load sample:Topics", "load 'data/Topics.sqlite' --as phone", "identify phone",
      "compare phone Model2",
      "bogus", "hash nowhere", "trace migration 1", "migrate phone --to Model2 --dry-run",
      "compare data/Topics.sqlite Model1 --json",
    ] { session(line) }
    #expect(
      session("save \(name)").output.hasPrefix(
        "saved 7 commands to \(name), not saved: 1 failed"))
    let other = TestSession(in: folder)
    other("samples")
    #expect(other("save \(name)").diagnostics.contains("[file.exists]"))

    let elsewhere = try TemporaryFolder()
    let replayed = TestSession(in: elsewhere)("replay '\(folder.path(name))'")
    #expect(replayed.status == .done, "\(replayed.output)")
    #expect(replayed.output.hasSuffix(": 7 commands, 7 same\n"))
  }

  @Test("an answer that differs is shown, with exit status 1")
  func difference() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "samples\n#| nothing like it\nload sample:Topics\n#| loaded [..], current Model5\n",
      to: "s.strata")
    let evaluation = TestSession(in: folder)("replay s.strata")
    #expect(evaluation.status == .no)
    #expect(evaluation.output.contains("s.strata:1  samples  (the output differs)\n"))
    #expect(evaluation.output.contains("-nothing like it"))
    #expect(evaluation.output.hasSuffix("replayed s.strata: 2 commands, 1 same, 1 differs\n"))
  }

  @Test("a command without a recorded answer must not fail")
  func unrecordedFailure() throws {
    let folder = try TemporaryFolder()
    try folder.write("samples\nbogus x\n", to: "s.strata")
    let evaluation = TestSession(in: folder)("replay s.strata")
    #expect(evaluation.status == .no)
    #expect(
      evaluation.output.contains(
        "s.strata:2  bogus x  (not recorded, and failed)\n  error: there is no command bogus"))
  }

  @Test("a script continues after 1 and stops at 2 and 64; --strict also stops at 1")
  func status() throws {
    let folder = try TemporaryFolder()
    let no = "compare sample:Topics/Model1 sample:Topics/Model2"
    for (script, options, status, ends) in [
      ("samples\n", "", 0, true), ("\(no)\nsamples\n", "", 1, true),
      ("\(no)\nsamples\n", "--strict", 1, false),
      ("hash nowhere\nsamples\n", "", 2, false), ("bogus\nsamples\n", "", 64, false),
      ("quit\nsamples\n", "", 0, false),
    ] {
      try folder.write(script, to: "s.strata")
      let evaluation = TestSession(in: folder)("run s.strata \(options)")
      #expect(Int(evaluation.status.rawValue) == status, "\(script)")
      #expect(evaluation.output.contains("sample:Topics ") == ends, "\(script) \(options)")
    }
  }

  @Test("an expected failure does not stop a script; quit ends only the script")
  func expectedFailures() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "hash nowhere\n#? 2\ncompare sample:Topics/Model1 sample:Topics/Model2\n#| ...\n#? 1\nquit\nbogus\n",
      to: "s.strata")
    try folder.write("run s.strata\nsamples\n", to: "t.strata")
    for options in ["", "--strict"] {
      let session = TestSession(in: folder)
      #expect(session("run s.strata \(options)").status == .done)
      #expect(!session.session.isOver)
      #expect(
        session("run t.strata \(options)").output.hasSuffix(
          "4 trips with 6 stops, five with a note\n"))
    }
    try folder.write("hash nowhere\n#? 1\nsamples\n", to: "u.strata")
    let other = TestSession(in: folder)("run u.strata")
    #expect(other.status == .failed)
    #expect(other.output.contains("script: u.strata:1  hash nowhere  (1 command not run)"))
  }

  @Test(
    "where a script elsewhere misses a file, it says what its paths are relative to",
    arguments: ["a/s.strata", "./a/s.strata", "s.strata"])
  func pathsOfScripts(file: String) throws {
    let folder = try TemporaryFolder()
    for command in [
      "hash nowhere", "hash ./nowhere", "load nowhere.sqlite", "count nowhere.sqlite X",
    ] {
      try folder.write("\(command)\n", to: file)
      let output = TestSession(in: folder)("run \(file)").output
      let parent = file.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      #expect(
        output.hasSuffix(
          parent.isEmpty ? "\(command)\n" : "its paths are relative to its folder, \(parent)\n"),
        "\(output)")
    }
  }

  @Test(
    "as JSON, the answers of a script are in one value, with their errors, and nothing is shown")
  func answersAsJSON() throws {
    let folder = try TemporaryFolder()
    try folder.write("hash nowhere\n#? 2\nrun inner.strata\nbogus\nsamples\n", to: "s.strata")
    try folder.write("echo\n#? 64\nloaded\n", to: "inner.strata")
    let session = TestSession(in: folder)
    let inner = session("run inner.strata").output
    var shown: [String] = []
    session.session.deliver = { shown.append($0.output) }
    let answer = session("run s.strata --json")
    #expect(shown.isEmpty)
    #expect(answer.status == .usage)
    #expect(answer.diagnostics.isEmpty)
    let value = try #require(
      try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
    #expect(value["commands"] as? Int == 3)
    #expect(value["status"] as? Int == 64)
    let answers = try #require(value["answers"] as? [[String: Any]])
    #expect(answers.map { $0["line"] as? Int } == [1, 3, 4])
    #expect(
      answers.map { $0["command"] as? String } == ["hash nowhere", "run inner.strata", "bogus"])
    #expect(answers.map { $0["status"] as? Int } == [2, 0, 64])
    #expect(answers.map { $0["expected"] as? Bool } == [true, true, false])
    #expect(answers[1]["output"] as? String == inner)
    let problems = answers.map { ($0["problems"] as? [[String: [String: Any]]] ?? []) }
    #expect(
      problems.map { $0.compactMap { $0["error"]?["id"] as? String } } == [
        ["reference.unknown"], [], ["command.unknown"],
      ])
    // Later answers are shown again.
    session("run inner.strata")
    #expect(!shown.isEmpty)
  }

  @Test(
    "without an extension, a document with blocks is a notebook; a folder stands for its documents")
  func kinds() throws {
    let folder = try TemporaryFolder()
    try folder.write("Words.\n\n```strata\n> samples\n```\n", to: "page")
    try folder.write("samples\n", to: "all/b/s.strata")
    try folder.write("```strata\n> loaded\n```\n", to: "all/a.md")
    try folder.write("Words.\n", to: "all/words.md")
    try folder.write("bogus\n", to: "all/.hidden/h.strata")
    try folder.write("bogus\n", to: "all/other.txt")
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: true)
    let session = TestSession(in: folder)
    #expect(session("run page").status == .done)
    #expect(session("replay page").output.contains("1 command"))
    let all = session("replay all")
    #expect(all.status == .done && all.diagnostics.isEmpty, "\(all)")
    #expect(
      all.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
        "replayed all/a.md", "replayed all/b/s.strata", "replayed all/words.md", "3 documents",
      ])
    #expect(session("replay all/ --quiet").output == "3 documents: all passed\n")
    #expect(session("replay empty").diagnostics.contains("[script.noDocuments]"))
    #expect(session("replay all --allow-read nowhere").diagnostics.contains("[file.noFolder]"))
    #expect(session("page.md").diagnostics.contains("did you mean `open page.md`"))
  }

  @Test("paths of a script are relative to it")
  func relativePaths() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("inner/t.sqlite"))
    try folder.write("load t.sqlite\nloaded\n", to: "inner/s.strata")
    let evaluation = TestSession(in: folder)("run inner/s.strata")
    #expect(evaluation.status == .done)
    #expect(evaluation.output == "loaded t: SQLite store of 2 entities\nt  store  t.sqlite\n")
  }

  @Test("a script that runs itself is stopped")
  func recursion() throws {
    let folder = try TemporaryFolder()
    try folder.write("run s.strata\n", to: "s.strata")
    let evaluation = TestSession(in: folder)("run s.strata")
    #expect(evaluation.status == .failed)
    #expect(evaluation.output.contains("[script.cycle]"))
  }

  @Test(
    "a replayed document that replays itself ends",
    arguments: ["replay s.strata", "run t.strata"])
  func replayRecursion(line: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(line + "\n", to: "s.strata")
    try folder.write("replay s.strata\n", to: "t.strata")
    let evaluation = TestSession(in: folder)("replay s.strata --update --all")
    #expect(evaluation.status == .done)
    let text = try String(contentsOfFile: folder.path("s.strata"), encoding: .utf8)
    #expect(text.contains("#| s.strata:1  \(line)  (not recorded, and failed)"), "\(text)")
  }

  @Test("a replayed document may replay another one with its own permissions")
  func nestedReplay() throws {
    let folder = try TemporaryFolder()
    try folder.write("samples\n", to: "outside.strata")
    try folder.write(
      "create made.sqlite --model sample:Topics/Model1 --rows 1\n"
        + "count made.sqlite Topic\nsave s.md\nreplay s.md\nreplay inner.strata\n",
      to: "inner/outer.strata")
    try folder.write(
      "count made.sqlite Topic\n#| 1\ninsert made.sqlite TopicList title=x\n",
      to: "inner/inner.strata")
    for line in [
      "replay ../outside.strata", "replay inner.strata --update --all",
      "replay inner.strata --allow-writes", "open inner.strata --allow-writes",
      "replay inner.strata --allow-read ..",
    ] {
      try folder.write(line + "\n", to: "inner/bad.strata")
      let before = try folder.state()
      #expect(TestSession(in: folder)("replay inner/bad.strata").status == .no, "\(line)")
      #expect(try folder.state() == before)
    }
    let before = try folder.state()
    let replay = TestSession(in: folder)("replay inner/outer.strata")
    #expect(replay.status == .done, "\(replay.output)")
    #expect(try folder.state() == before)
    let session = TestSession(
      try Session(replayingIn: folder.path("inner"), below: [folder.path("inner")]))
    for line in [
      "create made.sqlite --model sample:Topics/Model1 --rows 1", "count made.sqlite Topic",
    ] {
      session(line)
    }
    // What the outer document wrote is read by the inner one, and not changed by it.
    #expect(session("replay inner.strata").output.contains("2 commands, 1 same, 1 not recorded"))
    #expect(session("count made.sqlite TopicList").output == "1\n")
  }

  @Test("an invalid path is refused")
  func paths() throws {
    let session = TestSession(in: try TemporaryFolder())
    #expect(session(arguments: ["load", String(repeating: "/", count: 100_000)]).status == .failed)
    #expect(session(arguments: ["save", "a\u{0}b.strata"]).status == .failed)
  }

  @Test(
    "a replayed document reads only files in its folder",
    arguments: [
      "load ../outside.sqlite", "show /etc/hosts", "run ../outside.strata", "load link.sqlite",
      "load Linked.xcdatamodeld", "hash Linked.xcdatamodel",
      "replay ../outside.strata", "hash ~/x",
    ])
  func sandbox(line: String) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("outside.sqlite"))
    try folder.write("samples\n", to: "outside.strata")
    try folder.write("load sample:Topics\n\(line)\n", to: "inner/s.strata")
    try folder.write("<model><entity name=\"A\"/></model>", to: "Out.xcdatamodel/contents")
    for (link, target) in [
      ("inner/Linked.xcdatamodeld/V.xcdatamodel", "Out.xcdatamodel"),
      ("inner/Linked.xcdatamodel/contents", "Out.xcdatamodel/contents"),
    ] {
      let url = URL(fileURLWithPath: folder.path(link))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: url.path, withDestinationPath: folder.path(target))
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("inner/link.sqlite"), withDestinationPath: folder.path("outside.sqlite"))
    let before = try folder.state()
    let evaluation = TestSession(in: folder)("replay inner/s.strata --json")
    #expect(evaluation.status == .no, "\(evaluation.output)")
    #expect(evaluation.output.contains("\"failing\" : 1"), "\(evaluation.output)")
    #expect(try folder.state() == before)
  }

  @Test("--allow-read permits another folder")
  func allowRead() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("data/t.sqlite"))
    try folder.write(
      "load ../data/t.sqlite\n#| loaded t: SQLite store of 2 entities\n", to: "inner/s.strata")
    #expect(TestSession(in: folder)("replay inner/s.strata").status == .no)
    #expect(TestSession(in: folder)("replay inner/s.strata --allow-read data").status == .done)
  }

  @Test("a file that is not a script is refused", arguments: ["run", "replay"])
  func notText(command: String) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("s"))
    try folder.write([0xFF, 0xFE], to: "t")
    for (name, id) in [("s", "script.unknownForm"), ("t", "script.notText")] {
      let evaluation = TestSession(in: folder)("\(command) \(name)")
      #expect(evaluation.status == .failed && evaluation.diagnostics.contains("[\(id)]"))
    }
  }
}
