import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import StrataNotebook
import TestSupport
import Testing

@Suite("Options of replay")
struct ReplayOptionTests {
  private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  /// A notebook with three changes: in words alone, in the data, and in what nobody recorded.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for line in [
      "load sample:Topics", "diff Model1 Model2", "show Model1", "hash Model1 --json",
    ] { session(line) }
    session("save n.md")
    // The words of the first answer as an earlier program said them, with the data behind them.
    let document = try SessionDocument(reading: try text(folder, "n.md"), form: .markdown)
    let digest = try #require(document.entries[0].digest)
    var saved = try document.recording(
      [0: RecordedOutput(text: "Topics is loaded")], digests: [0: digest]
    ).text
    saved = saved.replacing(
      "+ attribute timeBudget: Integer 32", with: "+ attribute budget: Integer 16")
    saved = saved.replacing("> show Model1\n", with: "> samples\n\n> show Model1\n")
    try folder.write(saved, to: "n.md")
    return folder
  }

  @Test("a change of wording is distinguished from a change of data, and may pass")
  func wording() throws {
    let folder = try folder()
    let replay = TestSession(in: folder)("replay n.md")
    #expect(replay.status == .no)
    #expect(
      replay.output.contains("n.md:2  load sample:Topics  (only the wording differs)\n"),
      "\(replay.output)")
    #expect(replay.output.contains("  diff Model1 Model2  (the output differs)\n"))
    #expect(
      replay.output.hasSuffix(
        "5 commands, 2 same, 1 differs, 1 reworded, 1 not recorded\n"))
    let passing = TestSession(in: folder)("replay n.md --ignore-wording --json")
    #expect(passing.status == .no)
    try folder.write(
      try text(folder, "n.md").replacing(
        "+ attribute budget: Integer 16", with: "+ attribute timeBudget: Integer 32"),
      to: "n.md")
    #expect(TestSession(in: folder)("replay n.md").status == .no)
    #expect(TestSession(in: folder)("replay n.md --ignore-wording").status == .done)
  }

  @Test("changes are accepted one by one")
  func prompting() throws {
    for (answers, status, updated, remains) in [
      (["n", "n", "n"], 1, 0, ["Topics is loaded", "attribute budget"]),
      (["y", "n", "y"], 1, 2, ["attribute budget"]),
      (["?", "x", "y", "y", "n"], 0, 2, []),
      (["a"], 0, 3, []),
      (["y", "d"], 1, 1, ["attribute budget"]),
      (["n", nil], 1, 0, ["Topics is loaded", "attribute budget"]),
    ] as [([String?], Int32, Int, [String])] {
      let folder = try folder()
      let before = try text(folder, "n.md")
      let session = TestSession(in: folder)
      var rest = answers[...]
      var promptCount = 0
      session.session.prompt = { shown, question in
        promptCount += 1
        #expect(
          !shown.isEmpty && question.hasPrefix("accept this change (")
            && question.hasSuffix(" of 3)? [y,n,a,d,q,?] "))
        return rest.popFirst() ?? nil
      }
      let replay = session("replay n.md --update --json")
      #expect(replay.status.rawValue == status, "\(answers): \(replay.output)")
      #expect(promptCount == answers.count, "\(answers)")
      #expect(replay.output.contains("\"updated\" : \(updated)"), "\(answers): \(replay.output)")
      let after = try text(folder, "n.md")
      for text in ["Topics is loaded", "attribute budget"] {
        #expect(after.contains(text) == remains.contains(text), "\(answers): \(text)")
      }
      #expect((after == before) == (updated == 0))
      // What was taken over fits, and what was not is as before.
      let again = TestSession(in: folder)("replay n.md --json")
      #expect(again.status.rawValue == status)
    }
  }

  @Test(
    "--all records every change except unrecorded failures; without a terminal it is required")
  func all() throws {
    let folder = try folder()
    try folder.write(try text(folder, "n.md") + "\n```strata\n> hash nowhere\n```\n", to: "n.md")
    let session = TestSession(in: folder)
    #expect(session("replay n.md --update").diagnostics.contains("[command.noTerminal]"))
    #expect(session("replay n.md --all").status == .usage)
    let replay = session("replay n.md --update --all")
    #expect(replay.status == .no)
    #expect(
      replay.output.contains("5 same, 1 failed, 3 updated"), "\(replay.output)")
    #expect(try text(folder, "n.md").contains("> hash nowhere\n```\n"))
    #expect(!session("replay n.md --ignore-wording").output.contains("differ"))
  }

  @Test("quitting skips the other documents and keeps the accepted changes")
  func quitting() throws {
    let folder = try folder()
    for name in ["a.strata", "b.strata"] { try folder.write("samples\nloaded\n", to: name) }
    for (answers, promptCount, kept) in [
      (["y", "q"], 2, 1), (["d", "y", "y"], 3, 2), (["a", "a"], 2, 4),
    ] {
      let session = TestSession(in: folder)
      var rest = answers[...]
      var count = 0
      session.session.prompt = { _, _ in
        count += 1
        return rest.popFirst()
      }
      session("replay a.strata b.strata --update")
      #expect(count == promptCount)
      let recorded = try ["a.strata", "b.strata"].map {
        try SessionDocument(reading: try text(folder, $0), form: .script).entries
          .count { $0.recorded != nil }
      }
      #expect(recorded.reduce(0, +) == kept)
      for name in ["a.strata", "b.strata"] { try folder.write("samples\nloaded\n", to: name) }
    }
  }

  @Test("a document that changes during the questions is not updated")
  func changedMeanwhile() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    session.session.prompt = { _, _ in
      _ = try? folder.write("Mine.\n", to: "n.md")
      return "a"
    }
    #expect(session("replay n.md --update").diagnostics.contains("[file.changed]"))
    #expect(try text(folder, "n.md") == "Mine.\n")
  }

  @Test("a bad document does not prevent the replay of the others, with any number of jobs")
  func manyFiles() throws {
    let folder = try folder()
    try folder.write("samples\n", to: "good.strata")
    try folder.write("```strata\n> samples\n", to: "open.md")
    try folder.write("Just words.\n", to: "words.md")
    let files = ["good.strata", "lost.md", "open.md", "n.md", "words.md"]
    var outputs: Set<String> = []
    for jobs in [1, 2, 5, 8] {
      let replay = TestSession(in: folder)(
        "replay \(files.joined(separator: " ")) --jobs \(jobs) --junit report\(jobs).xml")
      #expect(replay.status == .failed)
      #expect(replay.output.contains("replayed good.strata: 1 command"))
      #expect(replay.output.hasSuffix("5 documents: 2 passed, 3 failed\n"))
      #expect(replay.diagnostics.contains("lost.md") && replay.diagnostics.contains("open.md:1"))
      #expect(replay.diagnostics.contains("[script.empty]"))
      outputs.insert(replay.output + replay.diagnostics + (try text(folder, "report\(jobs).xml")))
    }
    #expect(outputs.count == 1)
    let report = try MarkupElement(reading: Array(try text(folder, "report1.xml").utf8))
    #expect(report.children.map { $0.attributes["name"] } == files)
    #expect(
      report.attributes
        == ["name": "strata replay", "tests": "8", "failures": "2", "errors": "2"])
    let session = TestSession(in: folder)
    #expect(session("replay good.strata --junit report1.xml").diagnostics.contains("[file.exists]"))
    #expect(session("replay good.strata --junit report1.xml --force").status == .done)
  }

  @Test("failures are printed as annotations of a workflow")
  func annotations() throws {
    let folder = try folder()
    let replay = TestSession(in: folder)("replay n.md lost.md --annotate")
    #expect(
      replay.output.contains(
        "::error file=n.md,line=2,title=only the wording differs::load sample:Topics%0A@@"))
    #expect(replay.output.contains("::error file=lost.md,line=1,title="))
    #expect(TestSession(in: folder)("replay n.md --annotate --json").status == .usage)
  }

  @Test("a fresh block starts a new session")
  func fresh() throws {
    let folder = try TemporaryFolder()
    let block = "> load sample:Topics\n> create a.sqlite --model Model1 --rows 1\n> loaded\n"
    try folder.write(
      "```strata\n\(block)```\n\n```strata fresh\n> loaded\nnothing is loaded[..]\n\n\(block)```\n",
      to: "f.md")
    let session = TestSession(in: folder)
    #expect(session("replay f.md").status == .done)
    #expect(session("replay f.md --update --all").status == .done)
    #expect(session("replay f.md").output.contains("7 commands, 7 same"))
    #expect(session("open f.md").status == .done)
    #expect(session("save f.strata").diagnostics.contains("[notebook.severalSessions]"))
    #expect(session("save g.md").status == .done)
    #expect(session("replay g.md").output.contains("7 commands, 7 same"))
  }
}
