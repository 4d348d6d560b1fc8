import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Bad documents give a diagnostic with a line and change nothing")
struct BadDocumentTests {
  private static let commands = ["replay", "run", "open", "replay --update --all"]

  @Test(
    "an unreadable document is reported with its line",
    arguments: [
      ("a.md", "Words.\n\n```strata\n> samples\n", "a.md:3", "notebook.unclosedFence"),
      ("a.md", "Words.\n\n```\ncode\n", "a.md:3", "notebook.unclosedFence"),
      ("a.md", "```strata\nsamples\n```\n", "a.md:2", "notebook.strayOutput"),
      ("a.strata", "# a\n#| b\n", "a.strata:2", "notebook.strayOutput"),
      ("a.strata", "samples\n#? soon\n", "a.strata:2", "notebook.badStatus"),
      ("a.strata", "samples \\\n", "a.strata:1", "notebook.unfinishedCommand"),
      ("a.strata", "samples\u{0}", "a.strata", "script.notText"),
    ], commands)
  func unreadable(_ bad: (String, String, String, String), command: String) throws {
    let (name, text, place, id) = bad
    let folder = try TemporaryFolder()
    try folder.write(text, to: name)
    let before = try folder.state()
    let evaluation = TestSession(in: folder)("\(command) \(name)")
    #expect(evaluation.status == .failed, "\(evaluation)")
    #expect(evaluation.diagnostics.contains("[\(id)]"), "\(evaluation.diagnostics)")
    #expect(evaluation.diagnostics.contains(" where: \(place)\n"), "\(evaluation.diagnostics)")
    #expect(evaluation.diagnostics.contains("fix: "))
    #expect(try folder.state() == before)
  }

  @Test("a removed command and a moved file are reported with their lines")
  func gone() throws {
    let folder = try TemporaryFolder()
    let text =
      "# Long ago.\nsamples\n\nmigrate-all phone.sqlite\n#| done\nidentify lost/phone.sqlite\n#| phone\n"
    try folder.write(text, to: "old.strata")
    let session = TestSession(in: folder)
    let replay = session("replay old.strata")
    #expect(replay.status == .no)
    #expect(
      replay.output.contains("old.strata:4  migrate-all phone.sqlite  (the output differs)\n"),
      "\(replay.output)")
    #expect(replay.output.contains("+error: there is no command migrate-all"))
    #expect(
      replay.output.contains("old.strata:6  identify lost/phone.sqlite  (the output differs)\n"))
    #expect(replay.output.contains("+error: lost/phone.sqlite is neither a loaded name nor a file"))
    let run = session("run old.strata")
    #expect(run.status == .usage)
    #expect(run.output.contains("old.strata:4"), "\(run)")
    let open = TestSession(in: folder)("open old.strata")
    #expect(open.status == .usage)
    #expect(open.output.contains("stopped at line 4: 1 command was not run"))
  }

  @Test("a recorded output of 100 MB is refused before it is read", arguments: ["md", "strata"])
  func enormous(form: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("big.\(form)")
    let line = form == "md" ? "output\n" : "#| output\n"
    try folder.write(form == "md" ? "```strata\n> samples\n" : "samples\n", to: "big.\(form)")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    let megabyte = Data(String(repeating: line, count: 1_000_000 / line.utf8.count).utf8)
    for _ in 0..<101 { try file.write(contentsOf: megabyte) }
    try file.close()
    for command in Self.commands {
      let evaluation = TestSession(in: folder)("\(command) big.\(form)")
      #expect(evaluation.status == .failed)
      #expect(evaluation.diagnostics.contains("big.\(form)"), "\(evaluation.diagnostics)")
      #expect(evaluation.diagnostics.contains("fix: "), "\(evaluation.diagnostics)")
    }
  }

  @Test("an unmet expectation in a nested document fails the replay")
  func nestedExpectations() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "expect not inferable sample:Topics/Model1 sample:Topics/Model2\n", to: "in.strata")
    for text in [
      "run in.strata\n", "run in.strata\n#| ...\n#? 1\n", "open in.strata\n#| ...\n",
      "replay in.strata\n#| ...\n#? 1\n", "expect hash sample:Topics/Model1.Nope 00000000\n#? 2\n",
      "expect hesh sample:Topics/Model1 00000000\n#? 64\n",
    ] {
      try folder.write(text, to: "d.strata")
      let replay = TestSession(in: folder)("replay d.strata")
      #expect(replay.status == .no && replay.output.contains("1 not as expected"), "\(text)")
    }
  }

  @Test("a document cannot read standard input", arguments: ["run -", "replay -"])
  func standardInput(line: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(line + "\n#? 2\n", to: "d.strata")
    for command in ["replay", "run", "open"] {
      let answer = TestSession(in: folder)("\(command) d.strata")
      #expect(answer.status == .done, "\(command): \(answer)")
    }
  }

  @Test("devices and pipes are not replaced by files, and read-only files are unchanged")
  func specialFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("samples\n", to: "d.strata")
    for name in ["p", "p.md"] { #expect(mkfifo(folder.path(name), 0o600) == 0) }
    for line in ["replay d.strata --junit p --force", "replay d.strata --junit d.strata --force"] {
      let answer = TestSession(in: folder)(line)
      #expect(answer.status >= .failed, "\(line)")
    }
    let session = TestSession(in: folder)
    session("samples")
    #expect(session("save p.md --force").diagnostics.contains("device or a pipe"))
    let type = try FileManager.default.attributesOfItem(atPath: folder.path("p"))[.type]
    #expect(type as? FileAttributeType != .typeRegular)
    // The answers are told although the report could not be written.
    #expect(
      TestSession(in: folder)("replay d.strata --junit p --force").output.contains(
        "replayed d.strata"))
  }

  @Test("an unwritable document does not stop the update of the others")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    for name in ["a.strata", "b.strata"] { try folder.write("samples\n", to: name) }
    let session = TestSession(in: folder)
    var isFirst = true
    session.session.prompt = { _, _ in
      if isFirst { _ = try? folder.write("Mine\n", to: "a.strata") }
      isFirst = false
      return "y"
    }
    let replay = session("replay a.strata b.strata --update")
    #expect(replay.status == .failed && replay.diagnostics.contains("[file.changed]"))
    #expect(replay.output.contains("replayed b.strata: 1 command, 1 same, 1 updated"))
  }

  @Test("a document cannot read or write outside its folder in any way")
  func outside() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try SampleStore.topics(at: other.path("theirs.sqlite"))
    try other.write("samples\n", to: "theirs.strata")
    let there = other.url.path
    let lines = [
      "load \(there)/theirs.sqlite", "insert \(there)/theirs.sqlite TopicList title=x",
      "create \(there)/theirs.sqlite --model sample:Topics/Model1 --force",
      "save \(there)/theirs.strata --force", "run \(there)/theirs.strata",
      "open \(there)/theirs.strata --force", "replay \(there)/theirs.strata",
      "write sample:Topics/Model1 \(there)/M.xcdatamodel", "samples --write \(there)",
      "create new.sqlite --model sample:Topics/Model1", "save new.strata",
      "replay theirs.strata --junit \(there)/report.xml",
      "infer sample:Topics/Model1 sample:Topics/Model2 --write \(there)/m.mapping",
      "load \(String(repeating: "../", count: 30))etc/passwd",
    ]
    let before = (try folder.state(), try other.state())
    for name in ["bad.md", "bad.strata"] {
      let text =
        name == "bad.md"
        ? "```strata\n" + lines.map { "> \($0)\n" }.joined() + "```\n"
        : lines.map { $0 + "\n" }.joined()
      try folder.write(text, to: name)
      let replay = TestSession(in: folder)("replay \(name)")
      #expect(replay.status == .no)
      for reading in ["load", "insert", "run", "open", "replay"] {
        #expect(
          replay.output.contains("  \(reading) \(there)/theirs"), "\(reading): \(replay.output)")
      }
      // Even where its real files may change, those elsewhere may not.
      _ = TestSession(in: folder)("replay \(name) --allow-writes")
      #expect(try other.state() == before.1)
      for output in ["new.sqlite", "new.strata", name] {
        try? FileManager.default.removeItem(atPath: folder.path(output))
      }
      #expect(try folder.state() == before.0)
    }
  }
}
