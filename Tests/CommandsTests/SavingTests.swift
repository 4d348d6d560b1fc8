import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Saved sessions")
struct SavingTests {
  private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  /// The commands of a script, without what they answered.
  private func commands(_ folder: TemporaryFolder, _ name: String) throws -> [String] {
    try text(folder, name).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }

  @Test("comments become prose in a script and in a notebook")
  func remarks() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for line in ["# Why?", "#", "  #  Because.", "samples", "samples # no remark", "# End."] {
      session(line)
    }
    #expect(session("save s.md").output == "saved 2 commands to s.md\n")
    let notebook = try text(folder, "s.md")
    #expect(notebook.hasPrefix("Why?\n\n Because.\n\n```strata\n> samples\nsample:"))
    #expect(notebook.contains("```\n\nEnd.\n\n<!-- strata answers\n"))
    #expect(session("save s.strata").status == .done)
    #expect(
      try text(folder, "s.strata").hasPrefix(
        "#!/usr/bin/env -S strata run\n# Why?\n#\n#  Because.\n\nsamples\n#| sample:"))
  }

  @Test("undone commands are omitted, unless something used them")
  func undone() throws {
    let edit = "try Model1.Topic.content optional NO"
    let load = "load sample:Topics"
    for (lines, kept) in [
      ([load, edit, "try --reset", "samples"], [load, "samples"]),
      ([load, edit, "samples", edit, "try --reset"], [load, "samples"]),
      ([load, edit, "diff Model1 try:Model1", "try --reset"], nil),
      ([load, edit, "loaded", "try --reset"], nil),
      ([load, edit, "try --reset", edit], [load, edit]),
      ([load, "try --reset"], nil),
      ([load, "unload Topics", "samples"], ["samples"]),
      ([load, "samples", "unload Topics"], nil),
      ([load, edit, "unload Topics"], nil),
      ([load, load, "unload Topics"], nil),
      (["load sample:Topics sample:Recipes", "unload Topics"], nil),
      ([load, "load sample:Recipes", "unload Recipes", "unload Topics"], []),
    ] as [([String], [String]?)] {
      let folder = try TemporaryFolder()
      let session = TestSession(in: folder)
      for line in lines { #expect(session(line).status < .failed, "\(line)") }
      #expect(session("save s.strata").status == .done)
      #expect(try commands(folder, "s.strata") == kept ?? lines, "\(lines)")
      let fresh = TestSession(in: folder)
      for line in lines { fresh(line) }
      fresh("save all.strata --all")
      #expect(try commands(folder, "all.strata") == lines)
    }
  }

  @Test("paths and answers are relative to the document")
  func paths() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("data/phone.sqlite"))
    let session = TestSession(in: folder)
    for line in [
      "load '\(folder.path("data/phone.sqlite"))'", "loaded",
      "create made.sqlite --model sample:Topics/Model1 --rows 1", "count made.sqlite Topic",
      "validate \(folder.path("data/phone.sqlite"))",
    ] { #expect(session(line).status < .failed, "\(line)") }
    #expect(session("save inner/deep.md").diagnostics.isEmpty)
    let saved = try text(folder, "inner/deep.md")
    #expect(!saved.contains(folder.url.path), "\(saved)")
    #expect(saved.contains("> load ../data/phone.sqlite\n"))
    #expect(saved.contains("phone  store  ../data/phone.sqlite\n"))
    #expect(saved.contains("> count ../made.sqlite Topic\n1\n"))

    // The same session, saved beside the files: nothing of it needs another name.
    #expect(session("save here.strata").status == .done)
    #expect(try commands(folder, "here.strata").contains("count ./made.sqlite Topic"))

    // The same bytes, and the same answers, wherever the folder stands.
    let elsewhere = try TemporaryFolder()
    for name in ["data/phone.sqlite", "inner/deep.md", "here.strata", "made.sqlite"] {
      let place = elsewhere.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: place.path)
    }
    let replay = TestSession(in: elsewhere)("replay inner/deep.md here.strata --allow-read .")
    #expect(replay.status == .done, "\(replay.output)")
  }

  @Test("an answer that differs when a session is run again is reported")
  func otherAnswers() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    let session = TestSession(in: folder)
    let path = folder.path("phone.sqlite")
    session("load phone.sqlite")
    for line in ["count \(path) TopicList", "insert phone TopicList title=x"] { session(line) }
    let saved = session("save s.strata")
    #expect(saved.status == .done)
    #expect(saved.diagnostics.contains("2 answers differ from the session"), "\(saved.diagnostics)")
    #expect(saved.diagnostics.contains("line 5: count ./phone.sqlite TopicList"))
    #expect(TestSession(in: folder)("replay s.strata").status == .done)
  }

  @Test("a failure that occurs only when a session is run again is not recorded")
  func laterFailures() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    let session = TestSession(in: folder)
    let path = folder.path("phone.sqlite")
    let answer = session("count \(path) TopicList").output
    try FileManager.default.removeItem(atPath: path)
    #expect(session("save s.strata").diagnostics.contains("line 2: count ./phone.sqlite TopicList"))
    #expect(try text(folder, "s.strata").contains("#| \(answer)"))
    #expect(TestSession(in: folder)("replay s.strata").status == .no)
  }

  @Test("a bundle of any kind can be overwritten when a session is run again")
  func bundles() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for line in [
      "load sample:Recipes", "infer Recipes1 Recipes2 --write R.xcmappingmodel",
      "infer Recipes1 Recipes2 --write R.xcmappingmodel --force", "write Recipes1 R.xcdatamodeld/A",
      "write Recipes2 R.xcdatamodeld/A --force", "mapping write R.xcmappingmodel R.mapping",
    ] { #expect(session(line).status == .done, "\(line)") }
    let saved = session("save inner/s.md")
    #expect(saved.diagnostics.isEmpty, "\(saved.diagnostics)")
    #expect(TestSession(in: folder)("replay inner/s.md --allow-read .").status == .done)
  }

  @Test("a word with a line break is written on one line")
  func lineBreaks() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let title = "a\n'b'\\ \r\tc"
    session("create n.sqlite --model sample:Topics/Model1")
    #expect(
      session(arguments: ["insert", "n.sqlite", "TopicList", "title=\(title)"]).status == .done)
    session("rows n.sqlite TopicList --json")
    for name in ["s.md", "s.strata"] {
      #expect(session("save \(name)").status == .done)
      #expect(TestSession(in: folder)("replay \(name)").status == .done)
    }
    #expect(try text(folder, "s.strata").contains("title=$'a\\n\\'b\\'\\\\ \\r\tc'"))
  }

  @Test("every path of a command is relative to the document")
  func everyPath() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    try folder.write([1, 2, 3], to: "sub/blob.bin")
    try folder.write(
      "samples --write out\nhash out/Topics.xcdatamodeld/Model1+./out/Recipes.xcdatamodeld/Recipes1\n"
        + "write sample:Topics/Model1 B.xcdatamodeld/Model9\n"
        + "infer sample:Topics/Model4 sample:Topics/Model5 --split --into g.xcdatamodeld\n",
      to: "sub/r.strata")
    #expect(session("run sub/r.strata").status <= .no)
    let saved = session("save s.strata")
    #expect(saved.diagnostics.isEmpty, "\(saved.diagnostics)")
    let commands = try commands(folder, "s.strata")
    #expect(
      commands == [
        "samples --write ./sub/out",
        "hash ./sub/out/Topics.xcdatamodeld/Model1+./sub/out/Recipes.xcdatamodeld/Recipes1",
        "write sample:Topics/Model1 ./sub/B.xcdatamodeld/Model9",
        "infer sample:Topics/Model4 sample:Topics/Model5 --split --into ./sub/g.xcdatamodeld",
      ])
    let elsewhere = try TemporaryFolder()
    for place in [folder, elsewhere] {
      if place === elsewhere { try place.write(try text(folder, "s.strata"), to: "s.strata") }
      try FileManager.default.createDirectory(
        atPath: place.path("sub"), withIntermediateDirectories: true)
      let replay = TestSession(in: place)("replay s.strata")
      #expect(replay.status == .done, "\(replay.output)")
    }
  }

  @Test("a script has the answers for the folder in which it is saved")
  func folders() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("sub/s.sqlite"))
    try folder.write("load s.sqlite\n", to: "sub/r.strata")
    let session = TestSession(in: folder)
    session("run sub/r.strata")
    session("loaded")
    for name in ["sub/s.md", "t.md"] {
      #expect(session("save \(name)").status == .done)
      #expect(TestSession(in: folder)("replay \(name)").status == .done, "\(name)")
    }
  }

  @Test("forgotten commands are not saved, and a new unmet expectation gives a warning")
  func forgetting() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(session("forget").diagnostics.contains("[session.nothingToForget]"))
    for line in ["samples", "# A slip.", "expect hash sample:Topics/Model1.Topic 00000000"] {
      session(line)
    }
    let saved = session("save s.md")
    #expect(saved.diagnostics.contains("1 expectation is not met: a replay will fail"))
    #expect(saved.diagnostics.contains("line 17: expect hash"), "\(saved.diagnostics)")
    #expect(session("forget").status == .failed)
    session("expect hash sample:Topics/Model1.Topic 11111111")
    #expect(
      session("forget 7").output
        == "forgot expect hash sample:Topics/Model1.Topic 11111111\nthere are no more new lines: remove lines that are already saved with a text editor\n"
    )
    #expect(session("forget 0").status == .usage)
    #expect(!session("save").output.contains("updated"))
    #expect(try !text(folder, "s.md").contains("11111111"))
  }

  @Test("changed answers of the open document are reported by save")
  func renewed() throws {
    let folder = try TemporaryFolder()
    try folder.write("samples\n#| Sample\n\nloaded\n#| nothing[..]\n", to: "s.strata")
    let session = TestSession(in: folder)
    session("open s.strata")
    #expect(session("save").output == "saved 2 commands to s.strata, 1 answer updated\n")
    #expect(try text(folder, "s.strata").contains("#| nothing[..]\n"))
    #expect(try text(folder, "s.strata").contains("\n#= "))
  }

  @Test("an answer that looks like an elision is escaped")
  func elisions() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("p.sqlite"))
    for name in ["s.md", "s.strata"] {
      let session = TestSession(in: folder)
      session("sql p.sqlite 'SELECT char(91,46,46,93) AS a, 1 AS b'")
      session("sql p.sqlite 'SELECT char(46,46,46) AS a'")
      session("save \(name)")
      #expect(TestSession(in: folder)("replay \(name)").status == .done)
      let saved = try text(folder, name)
      #expect(saved.contains("\\...") && saved.contains("\\[..]"))
      for (old, new) in [("char(46,46,46)", "char(46,46,47)"), ("46,46,93)", "46,46,92)")] {
        try folder.write(saved.replacing(old, with: new), to: name)
        #expect(TestSession(in: folder)("replay \(name)").status == .no, "\(new)")
        #expect(TestSession(in: folder)("replay \(name) --update --all").status == .done)
        #expect(TestSession(in: folder)("replay \(name)").status == .done)
      }
    }
  }

  @Test("a change of shown objects is a change of the answer")
  func rows() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("p.sqlite"))
    let session = TestSession(in: folder)
    session("rows p.sqlite TopicList")
    session("save s.md")
    #expect(session("insert p.sqlite TopicList title=Fourth").status == .done)
    let replay = TestSession(in: folder)("replay s.md --ignore-wording")
    #expect(
      replay.status == .no && replay.output.contains("(the answer differs)"), "\(replay.output)")
  }

  /// A session in a folder with a store `p.sqlite` of a user's own model, with one object.
  private func sessionWithOwnStore(in folder: TemporaryFolder) throws -> TestSession {
    try folder.write(
      "<model><entity name='Item'><attribute name='a' optional='YES' attributeType='String'/></entity></model>",
      to: "My.xcdatamodeld/V1.xcdatamodel/contents")
    let session = TestSession(in: folder)
    for line in ["create p.sqlite --model My.xcdatamodeld", "insert p.sqlite Item a=secret"] {
      #expect(session(line).status == .done, "\(line)")
    }
    return session
  }

  @Test("the answer of a command that revealed values is hidden, unless they are saved on purpose")
  func revealed() throws {
    let folder = try TemporaryFolder()
    let session = try sessionWithOwnStore(in: folder)
    let answer = session("expect value p.sqlite Item.a p1 other --reveal --model My.xcdatamodeld")
    try #require((answer.output + answer.diagnostics).contains("secret"), "\(answer)")
    #expect(session("save s.md --all").output.contains("hidden"))
    #expect(try !text(folder, "s.md").contains("p1  secret"))
    #expect(session("save r.md --all --reveal").status == .done)
    #expect(try text(folder, "r.md").contains("secret"))
  }

  @Test("a hidden answer differs if its data do")
  func hidden() throws {
    for name in ["s.md", "s.strata"] {
      let folder = try TemporaryFolder()
      let session = try sessionWithOwnStore(in: folder)
      // The same command twice, with two answers.
      let reader = TestSession(in: folder)
      for line in [
        "load My.xcdatamodeld", "create q.sqlite --model My.xcdatamodeld --force",
        "rows q.sqlite Item", "insert q.sqlite Item a=new", "rows q.sqlite Item",
        "rows p.sqlite Item",
      ] {
        #expect(reader(line).status == .done, "\(line)")
      }
      #expect(reader("save \(name)").output.contains("answers hidden"))
      let saved = try text(folder, name)
      #expect(!saved.contains("secret"))
      #expect(TestSession(in: folder)("replay \(name)").status == .done)
      // An opened document keeps its fingerprints.
      let opened = TestSession(in: folder)
      #expect(opened("open \(name)").status == .done)
      #expect(opened("save").status == .done)
      #expect(try text(folder, name) == saved)
      // So do a longer document, and one in the other form.
      opened("count p.sqlite Item")
      let others = ["long.md", "long.strata"]
      for other in others { #expect(opened("save \(other)").status == .done) }
      #expect(session("insert p.sqlite Item a=other").status == .done)
      for other in others {
        let replay = TestSession(in: folder)("replay \(other)")
        #expect(replay.output.contains("7 commands, 5 same, 2 differ"), "\(other): \(replay)")
      }
      let replay = TestSession(in: folder)("replay \(name) --ignore-wording")
      #expect(replay.status == .no && replay.output.contains("(the answer differs)"), "\(replay)")
      #expect(replay.output.contains("6 commands, 5 same"), "\(replay)")
      let json = TestSession(in: folder)("replay \(name) --json").output
      #expect(
        json.contains("hidden because of possible values") && !json.contains("other"), "\(json)")
      #expect(TestSession(in: folder)("replay \(name) --update --all").status == .done)
      let updated = try text(folder, name)
      #expect(updated != saved && !updated.contains("other"))
      #expect(TestSession(in: folder)("replay \(name)").status == .done)
    }
  }

  @Test("an update hides values of a store that a document does not show yet")
  func hiddenUpdate() throws {
    for form in ["md", "strata"] {
      let folder = try TemporaryFolder()
      let session = try sessionWithOwnStore(in: folder)
      let commands = [
        "load My.xcdatamodeld", "count p.sqlite Item", "rows p.sqlite Item",
        "expect valid p.sqlite", "rows sample:Phone Topic --limit 1",
      ]
      let body =
        form == "md"
        ? "```strata\n\(commands.map { "> \($0)\n" }.joined())```\n"
        : commands.map { $0 + "\n" }.joined()
      for name in ["inner", "shown"] { try folder.write(body, to: "\(name).\(form)") }
      // So do documents that replay it, also through another one.
      try folder.write("replay inner.\(form) --complete\n", to: "outer.strata")
      try folder.write("run outer.strata\n", to: "outermost.strata")
      for name in ["outermost.strata", "outer.strata"] {
        let outer = session("replay \(name) --update --all")
        #expect(outer.output.contains("1 updated, 1 of them hidden"), "\(outer)")
        #expect(try text(folder, name).contains("#| ...\n"))
      }
      let update = session("replay inner.\(form) --update --all")
      #expect(update.output.contains("5 updated, 1 of them hidden: --reveal records"), "\(update)")
      let hidden = try text(folder, "inner.\(form)")
      #expect(!hidden.contains("secret"), "\(hidden)")
      #expect(session("replay inner.\(form)").status == .done)
      #expect(session("replay shown.\(form) --update --all --reveal").status == .done)
      #expect(try text(folder, "shown.\(form)").contains("secret"))
      #expect(session("insert p.sqlite Item a=other").status == .done)
      #expect(
        session("replay inner.\(form)").output.contains(
          "  rows p.sqlite Item  (the answer differs)"))
      // What a document shows stays visible.
      #expect(session("replay shown.\(form) --update --all").status == .done)
      #expect(try text(folder, "shown.\(form)").contains("other"))
    }
  }

  @Test("`...` written by hand matches any answer, also after the document is saved")
  func anyAnswer() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("p.sqlite"))
    try folder.write("rows p.sqlite TopicList\n#| ...\nsamples\n", to: "s.strata")
    let session = TestSession(in: folder)
    #expect(session("open s.strata").status == .done)
    session("loaded")
    #expect(session("save").status == .done)
    #expect(session("insert p.sqlite TopicList title=Fourth").status == .done)
    #expect(TestSession(in: folder)("replay s.strata").status == .done)
  }

  @Test("a session is saved to its document, unless the document was changed")
  func again() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(session("save").diagnostics.contains("session.nothingToSave"))
    session("samples")
    #expect(session("save").diagnostics.contains("command.noDocument"))
    session("save s.md")
    session("# More:")
    session("loaded")
    #expect(session("save").output == "saved 2 commands to s.md\n")
    #expect(session("save s.md").output == "saved 2 commands to s.md\n")
    #expect(try text(folder, "s.md").contains("```\n\nMore:\n\n```strata\n> loaded\n"))
    let mine = "Mine.\n\n```strata\n> samples\n```\n"
    for text in ["Mine.\n", mine] {
      try folder.write(text, to: "s.md")
      for line in ["save", "save s.md"] {
        #expect(session(line).diagnostics.contains("[file.changed]"), "\(line)")
        #expect(try self.text(folder, "s.md") == text)
      }
      let forced = session("save --force")
      #expect(forced.diagnostics.contains("[file.otherKind]") == (text != mine), "\(forced)")
    }
    #expect(try text(folder, "s.md").contains("> loaded\n"))
  }
}
