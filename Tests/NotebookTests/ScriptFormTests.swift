import StrataBase
import StrataNotebook
import Testing

@Suite struct ScriptFormTests {
  private static let session = """
    #!/usr/bin/env -S strata run
    # A comment.

    load sample:Topics
    #| loaded Topics: 5 versions, current Model5
    hash Model1 \\
      --json
    #| {
    #|
    #| }
    compare phone Model5
    #| not compatible
    #? 1
    loaded
    #? 0
      # An indented comment
      quit

    """

  @Test func entries() throws {
    let entries = try SessionDocument(reading: Self.session, form: .script).entries
    #expect(
      entries.map(\.command) == [
        "load sample:Topics", "hash Model1   --json", "compare phone Model5", "loaded", "  quit",
      ])
    #expect(entries.map(\.line) == [4, 6, 11, 14, 17])
    #expect(
      entries.map(\.recorded) == [
        RecordedOutput(text: "loaded Topics: 5 versions, current Model5"),
        RecordedOutput(lines: ["{", "", "}"]),
        RecordedOutput(text: "not compatible", status: 1),
        RecordedOutput(),
        nil,
      ])
  }

  @Test(arguments: [
    "", "\n", "load x", "load x\n", "\u{FEFF}load x\r\n#| a\r\n", "a\r\r\n#| b\n\r\n",
    "\t\n#\n#?\n",
    "#|no output\nload\n#!x", "x\n#| \n#|\n", "e\u{301}\n#| é\n",
    "lone\rreturn\n\n\n", "a\\\n\n", session,
  ])
  func givesEveryByteBack(text: String) throws {
    let document = try SessionDocument(reading: text, form: .script)
    #expect(Array(document.text.utf8) == Array(text.utf8))
    #expect(document == (try SessionDocument(reading: text, form: .script)))
  }

  @Test func carriageReturnsBelongToTheLineBreak() throws {
    let entries = try SessionDocument(
      reading: "\u{FEFF}load x\\\r\n y\r\n#| a\rb\r\n#? 2\r\n", form: .script
    ).entries
    #expect(entries.map(\.command) == ["load x y"])
    #expect(entries[0].recorded == RecordedOutput(lines: ["a\rb"], status: 2))
  }

  @Test func severalCarriageReturnsAreOneLineBreak() throws {
    let entries = try SessionDocument(reading: "x\r\r\n#| y\r\r", form: .script).entries
    #expect(entries.map(\.command) == ["x"])
    #expect(entries[0].recorded?.lines == ["y"])
  }

  @Test func onlyTheExactMarksRecord() throws {
    let entries = try SessionDocument(
      reading: "a\n#|x\nb\n #| x\nc\n#?\nd\n#? 64\n", form: .script
    ).entries
    #expect(entries.map(\.command) == ["a", "b", "c", "d"])
    #expect(entries.map(\.recorded) == [nil, nil, nil, RecordedOutput(status: 64)])
  }

  @Test func blankLinesAtTheEndOfAnOutputDoNotCount() throws {
    let entries = try SessionDocument(
      reading: "a\n#|\n#| b\n#| \n#|  \t\nc\n#|\n", form: .script
    ).entries
    #expect(entries.map(\.recorded) == [RecordedOutput(lines: ["", "b"]), RecordedOutput()])
  }

  @Test func formByExtension() {
    #expect(SessionForm.form(forPath: "a/b.strata") == .script)
    #expect(SessionForm.form(forPath: "B.MD") == .markdown)
    #expect(SessionForm.form(forPath: "b.markdown") == .markdown)
    #expect(SessionForm.form(forPath: "folder.md/file") == nil)
    #expect(SessionForm.form(forPath: "strata") == nil)
    #expect(SessionForm.form(forPath: "a.strata.txt") == nil)
    #expect(SessionForm.form(forPath: "-") == nil)
  }

  @Test func formByText() {
    for text in [
      "```strata\n> a\n```\n", "Prose.\n\n~~~strata fresh\n> a\n~~~\n", "  ```` strata\n",
      "Prose.\r\n```strata\r\n", "\u{FEFF}```strata",
    ] {
      #expect(SessionForm.form(ofText: text) == .markdown, "\(text)")
    }
    for text in [
      "", "a\n#| ```strata\n", "# ```strata\n", "```swift\n```\n", "```stratagem\n```\n",
      "```strata``` in a line\n", "    ```strata\n",
    ] {
      #expect(SessionForm.form(ofText: text) == .script, "\(text)")
    }
  }
}
