import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Opened documents")
struct OpeningTests {
  private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  private static let notebook = """
    # The phone

    Prose with *marks*.

    ```strata
    > load sample:Topics
    loaded Topics: [..]

    > compare phone.sqlite Model2
    ...
    ? 1
    ```

    The end.

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    try folder.write(Self.notebook, to: "n.md")
    return folder
  }

  @Test("it runs, and later commands are added after it; the rest is unchanged")
  func continues() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    let opened = session("open n.md")
    #expect(opened.status == .done)
    #expect(
      opened.output.hasPrefix("\n# The phone\n\nProse with *marks*.\n\n> load sample:Topics\n"))
    #expect(opened.output.hasSuffix("opened n.md: 2 commands\n"), "\(opened.output)")
    session("# So:")
    #expect(session("count phone.sqlite Topic").status == .done)
    #expect(session("save").status == .done)
    let saved = try text(folder, "n.md")
    #expect(saved.hasPrefix(Self.notebook + "\nSo:\n\n```strata\n> count phone.sqlite Topic\n"))
    #expect(TestSession(in: folder)("replay n.md").output.contains("3 commands, 3 same"))
    // As a script it keeps the words.
    #expect(session("save n.strata").status == .done)
    #expect(try text(folder, "n.strata").contains("# Prose with *marks*.\n"))
    #expect(TestSession(in: folder)("replay n.strata").output.contains("3 commands, 3 same"))
  }

  @Test("the session's folder is that of the document, from any folder")
  func folderOfTheDocument() throws {
    let folder = try folder()
    let elsewhere = try TemporaryFolder()
    let session = TestSession(in: elsewhere)
    #expect(session("open '\(folder.path("n.md"))'").status == .done)
    #expect(session("count phone.sqlite Topic").status == .done)
    #expect(session("save").output == "saved 3 commands to n.md\n")
    // In another folder its paths, and those of its prose's commands, lead back.
    let other = session("save '\(elsewhere.path("o.md"))'")
    #expect(other.status == .done && other.diagnostics.isEmpty, "\(other)")
    let saved = try text(elsewhere, "o.md")
    #expect(saved.contains("/phone.sqlite Model2\n") && saved.contains("Prose with *marks*.\n"))
    #expect(
      TestSession(in: elsewhere)("replay o.md --allow-read '\(folder.url.path)'").status == .done)
  }

  @Test("its files are visible only in the session, unless --allow-writes is given")
  func writes() throws {
    let folder = try folder()
    try folder.write(
      "create made.sqlite --model sample:Topics/Model1 --rows 2\n"
        + "insert phone.sqlite TopicList title=x\n", to: "w.strata")
    let before = try folder.state()
    let session = TestSession(in: folder)
    for _ in 0..<2 {
      let opened = session("open w.strata")
      #expect(opened.status == .done, "\(opened)")
      #expect(opened.output.hasSuffix("its files are visible only in this session\n"))
      #expect(session("count made.sqlite Topic").output == "2\n")
      #expect(session("insert made.sqlite TopicList title=y").wrotePrivately)
      #expect(try folder.state() == before)
      #expect(session("open w.strata").diagnostics.contains("[session.unsaved]"))
      #expect(session("open w.strata --force").status == .done)
    }
    #expect(session("save").status == .done)
    #expect(try text(folder, "w.strata").contains("#| created made.sqlite"))
    #expect(session("open w.strata --allow-writes").status == .done)
    #expect(FileManager.default.fileExists(atPath: folder.path("made.sqlite")))
  }

  @Test(
    "files that a document writes are private, including saved ones",
    arguments: [
      "save victim.md --force", "save new.md", "replay n.md --update --all",
      "replay w.strata --allow-writes", "open w.strata --allow-writes --force",
      "replay n.md --junit victim.md --force", "run w.strata", "open w.strata --force",
      "open n.md --force\nsamples\nsave", "open n.md --force\nsamples\nsave\nloaded\nsave n.md",
      "samples --write out", "infer sample:Topics/Model1 sample:Topics/Model2 --write m.mapping",
    ])
  func evil(line: String) throws {
    let folder = try folder()
    try folder.write("Mine.\n", to: "victim.md")
    try folder.write("insert phone.sqlite TopicList title=x\n", to: "w.strata")
    try folder.write(line + "\n", to: "evil.strata")
    let before = try folder.state()
    let session = TestSession(in: folder)
    session("open evil.strata")
    #expect(try folder.state() == before)
    TestSession(in: folder)("replay evil.strata")
    #expect(try folder.state() == before)
    // What the user asks for then is real.
    #expect(session("save mine.md").status == .done)
    #expect(try folder.state().count == before.count + 1)
  }

  @Test("a text without a known extension is a script or notebook for every command")
  func anyName() throws {
    let folder = try folder()
    try folder.write(Self.notebook, to: "n.txt")
    try folder.write("# A script.\nmapping show sample:Recipes/Recipes1ToRecipes2\n", to: "s")
    for name in ["n.txt", "s"] {
      for command in ["run", "replay", "open"] {
        let answer = TestSession(in: folder)("\(command) \(name)")
        #expect(answer.status < .failed, "\(command) \(name): \(answer)")
      }
      let session = TestSession(in: folder)
      session("open \(name)")
      session("samples")
      #expect(session("save").status == .done)
      session("loaded")
      let saved = session("save \(name)")
      #expect(saved.status == .done, "\(saved)")
      #expect(try text(folder, name).contains("loaded"))
      #expect(session("save other.txt").diagnostics.contains("[command.unknownForm]"))
    }
    for command in ["run", "replay", "open"] {
      let answer = TestSession(in: folder)("\(command) phone.sqlite")
      #expect((answer.diagnostics + answer.output).contains("[script.unknownForm]"), "\(answer)")
    }
  }

  @Test("a recorded answer is kept if its command fails now, and every save warns of it")
  func notRecorded() throws {
    let folder = try TemporaryFolder()
    let recorded = "```strata\n> count gone.sqlite Topic\n3\n"
    try folder.write(recorded + "```\n", to: "n.md")
    let session = TestSession(in: folder)
    #expect(session("open n.md").status == .failed)
    session("samples")
    for name in ["", "", "n.md", "m.md", "sub/m.md", "s.strata"] {
      let saved = session("save \(name)")
      #expect(saved.status == .done, "\(name): \(saved)")
      #expect(!saved.output.contains("updated"), "\(name): \(saved)")
      #expect(saved.diagnostics.contains("[session.notTaken]"), "\(name): \(saved)")
      #expect(saved.diagnostics.contains("`? 2`"), "\(name): \(saved)")
      if !name.isEmpty, !name.hasSuffix(".strata") {
        #expect(try text(folder, name).contains(" Topic\n3\n"), "\(name)")
      }
    }
    // Where the document says that it fails, its answer is taken.
    try folder.write(recorded + "? 2\n```\n", to: "f.md")
    let other = TestSession(in: folder)
    #expect(other("open f.md").status == .done)
    let saved = other("save")
    #expect(saved.output.contains("1 answer updated") && saved.diagnostics.isEmpty, "\(saved)")
    #expect(try text(folder, "f.md").contains("is neither a loaded name nor a file"))
  }

  @Test("it stops at a failed command, and new commands are inserted before the rest")
  func stops() throws {
    let folder = try folder()
    try folder.write(
      "samples\nhash nowhere\n#| error: [..]\n#| ...\n#? 2\ncount lost.sqlite Topic\n#| 2\nloaded\n",
      to: "s.strata")
    let session = TestSession(in: folder)
    let opened = session("open s.strata")
    #expect(opened.status == .failed)
    #expect(opened.output.contains("stopped at line 6: 1 command was not run"), "\(opened.output)")
    session("count phone.sqlite Topic")
    #expect(session("save").status == .done)
    let lines = try text(folder, "s.strata").split(separator: "\n").map(String.init)
    let commands = lines.filter { !$0.hasPrefix("#") }
    #expect(
      commands == [
        "samples", "hash nowhere", "count lost.sqlite Topic", "count phone.sqlite Topic", "loaded",
      ])
    // What failed unexpectedly keeps what was expected of it.
    #expect(lines.contains("#| 2"))
  }

  @Test("a file that is not a document is refused, and the session is unchanged")
  func refused() throws {
    let folder = try folder()
    try folder.write("```strata\n> samples\n", to: "open.md")
    let session = TestSession(in: folder)
    TestSession(in: folder)("create x.xml --model sample:Topics/Model1")
    TestSession(in: folder)("write sample:Topics/Model1 M.xcdatamodel")
    session("load sample:Topics")
    for (line, said) in [
      ("open phone.sqlite --force", "did you mean `load phone.sqlite`"),
      ("open nothing.md --force", "nothing.md"), ("open open.md --force", "open.md:1"),
      ("open n.md", "1 line of this session is not saved"),
      ("open n.txt --force", "[file.notFound]"),
      ("open x.xml --force", "did you mean `load x.xml`"),
      ("open M.xcdatamodel --force", "did you mean `load M.xcdatamodel`"),
    ] {
      let evaluation = session(line)
      #expect(evaluation.status == .failed, "\(line)")
      #expect(evaluation.diagnostics.contains(said), "\(line): \(evaluation.diagnostics)")
    }
    #expect(session("loaded").output.hasPrefix("Topics"))
    try folder.write("open n.md --force\n", to: "o.strata")
    try folder.write("open p.strata --force\nsamples\n", to: "p.strata")
    for command in ["run", "replay"] { #expect(session("\(command) o.strata").status == .done) }
    #expect(session("open p.strata --force").output.contains("stopped at line 1"))
    #expect(session("replay p.strata --json").status == .no)
  }

  @Test(
    "existing files and samples are loaded, notebooks are opened, and anything else is a command")
  func opening() throws {
    let folder = try TemporaryFolder()
    let (store, notebook) = (try folder.write("", to: "a store"), try folder.write("", to: "n.md"))
    func opening(_ arguments: String..., onTerminal: Bool = false) -> [String]? {
      CommandLineParser.opening(arguments, onTerminal: onTerminal)
    }
    #expect(opening(store, "sample:Topics") == ["load", store, "sample:Topics"])
    #expect(opening(notebook) == ["open", notebook])
    #expect(opening("open", notebook) == ["open", notebook])
    #expect(opening("lesson", "versions") == ["lesson", "versions"])
    // The stepper of a shell ends with its command, but for the one on a terminal.
    let debug = ["debug", store, "--to", "sample:Topics/Model2"]
    #expect(opening(debug[0], debug[1], debug[2], debug[3], onTerminal: true) == debug)
    #expect(opening(debug[0], debug[1], debug[2], debug[3]) == nil)
    for other in [[], ["show", store], [store, "rows"], [store + "x"], ["--json"], ["lesson"]] {
      #expect(CommandLineParser.opening(other, onTerminal: true) == nil, "\(other)")
    }
  }
}
