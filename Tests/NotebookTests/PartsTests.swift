import StrataBase
import StrataNotebook
import Testing

@Suite struct PartsTests {
  private let script = """
    #!/usr/bin/env -S strata run
    # Is it still compatible?
    #
    # We shall see.

    load phone.sqlite
    #| loaded phone

    # So:
    compare phone Model5
    #| no
    #? 1

    """
  private let notebook = """
    Is it still compatible?

    We shall see.

    ```strata
    > load phone.sqlite
    loaded phone
    ```

    So:

    ```strata
    > compare phone Model5
    no
    ? 1
    ```

    """

  @Test func aScriptAndItsNotebook() throws {
    let document = try SessionDocument(reading: script, form: .script)
    #expect(try document.converted(to: .markdown).text == notebook)
    let back = try SessionDocument(reading: notebook, form: .markdown).converted(to: .script)
    #expect(
      "#!/usr/bin/env -S strata run\n" + back.text == script.replacing("# So:\n", with: "# So:\n\n")
    )
    #expect(try document.converted(to: .script) == document)
  }

  @Test func proseThatWouldBeABlockIsEscaped() throws {
    let prose = ["~~~", "one", "```strata", "<!-- strata answers", "```json", "{}", "```"]
    let text = try SessionDocument(parts: [.prose(prose)], form: .markdown).text
    #expect(
      text == "\\~~~\none\n\\```strata\n\\<!-- strata answers\n```json\n{}\n```\n")
  }

  @Test func blocksOfTheirOwn() throws {
    let text = "```strata\n> a\n```\n\n```strata fresh\n> b\n> c\n```\n"
    let document = try SessionDocument(reading: text, form: .markdown)
    #expect(document.entries.map(\.startsFresh) == [false, true, false])
    #expect(try SessionDocument(parts: document.parts, form: .markdown).text == text)
    #expect(throws: NotebookError.severalSessions(entry: 1)) { try document.converted(to: .script) }
  }

  @Test func fingerprintsStayWithTheirAnswers() throws {
    let digest = AnswerDigest(of: "{}", status: 0)
    let entries = [
      SessionEntry(command: "a", recorded: RecordedOutput(text: "A"), digest: digest),
      SessionEntry(command: "b", recorded: RecordedOutput(text: "B")),
    ]
    for form in SessionForm.allCases {
      let document = try SessionDocument(entries: entries, form: form)
      #expect(document.text.contains(digest.text))
      #expect(document.entries.map(\.digest) == [digest, nil])
      // Whoever edits the expectation takes the fingerprint off it.
      let edited = document.text.replacing("A\n", with: "C\n")
      let reread = try SessionDocument(reading: edited, form: form)
      #expect(reread.entries.map(\.digest) == [nil, nil])
      // A command that moves keeps it.
      let moved = try SessionDocument(
        reading: (form == .script ? "x\n" : "```strata\n> x\n```\n\n") + document.text, form: form)
      #expect(moved.entries.map(\.digest) == [nil, digest, nil])
      // A new answer brings its own.
      let other = AnswerDigest(of: "[]", status: 0)
      let renewed = try document.recording(
        [0: RecordedOutput(text: "D")], digests: [0: other])
      #expect(renewed.entries.map(\.digest) == [other, nil])
    }
  }

  @Test func onlyFingerprintsAreTheToolsOwn() throws {
    for text in [
      "# T\n\n<!-- strata answers\n\nPrecious.\n\n```strata\n> a\n```\n\n<!--\nnote\n-->\n",
      "<!-- strata answers\nmy own words\n-->\n\n```strata\n> a\n```\n",
      "<!-- strata answers\n01234567:89abcdef and more\n-->\n\n```strata\n> a\n```\n",
      "<!-- strata answers\n```strata\n> a\n```\n",
    ] {
      let document = try SessionDocument(reading: text, form: .markdown)
      #expect(document.entries.map(\.command) == ["a"], "\(text)")
      let digest = AnswerDigest(of: "x", status: 0)
      let recorded = try document.recording([0: RecordedOutput(text: "A")]).marked([digest])
      #expect(recorded.text.replacing("A\n", with: "").hasPrefix(text), "\(recorded.text)")
      #expect(recorded.entries[0].digest == digest)
    }
    let script = try SessionDocument(reading: "#= my own words\na\n#| A\n", form: .script)
    #expect(try script.marked([nil]).text == "#= my own words\na\n#| A\n")
    // A wall of beginnings costs no more than its lines.
    let wall = String(repeating: "<!-- strata answers\n", count: 100_000)
    #expect(try SessionDocument(reading: wall, form: .markdown).entries.isEmpty)
  }

  @Test func aChangeOfWordingDiffersFromAChangeOfTheAnswer() throws {
    let digest = AnswerDigest(of: "12", status: 0)
    let document = try SessionDocument(
      entries: [SessionEntry(command: "a", recorded: RecordedOutput(text: "12"), digest: digest)],
      form: .script)
    func verdict(_ text: String, _ payload: String?) -> ReplayVerdict {
      let report = SessionReplay.run(document) { _ in
        Answer(
          RecordedOutput(text: text), digest: payload.map { AnswerDigest(of: $0, status: 0) })
      }
      return report.commands[0].verdict
    }
    func difference(_ text: String) throws -> OutputDifference {
      try #require(RecordedOutput(text: "12").compare(to: RecordedOutput(text: text)))
    }
    let (prose, number) = (try difference("twelve"), try difference("13"))
    #expect(verdict("twelve", "12") == .reworded(prose))
    #expect(verdict("13", "13") == .differs(number, isKnown: true))
    #expect(verdict("twelve", nil) == .differs(prose, isKnown: false))
    #expect(AnswerDigest(of: "12", status: 1) != digest)
  }

  @Test func changesAreAcceptedOneByOne() throws {
    let lines = (1...20).map(String.init)
    var new = lines
    new[1] = "two"
    new[17] = "eighteen"
    let difference = try #require(
      RecordedOutput(lines: lines).compare(to: RecordedOutput(lines: new, status: 1)))
    #expect(difference.hunks().count == 2)
    func taking(_ hunks: Set<Int>, status: Bool = false) -> RecordedOutput {
      difference.rewritten(accepting: hunks, takesStatus: status)
    }
    var half = lines
    half[17] = "eighteen"
    #expect(taking([]) == RecordedOutput(lines: lines))
    #expect(taking([1]) == RecordedOutput(lines: half))
    #expect(taking([], status: true) == RecordedOutput(lines: lines, status: 1))
    #expect(taking([0, 1], status: true) == RecordedOutput(lines: new, status: 1))
  }
}
