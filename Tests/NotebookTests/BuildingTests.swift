import StrataBase
import StrataNotebook
import Testing

@Suite struct BuildingTests {
  private static let entries = [
    SessionEntry(command: "load sample:Topics", recorded: RecordedOutput(text: "loaded")),
    SessionEntry(command: "set width 80"),
    SessionEntry(command: "hash", recorded: RecordedOutput(text: "> no\n```\n\n#| x", status: 1)),
    SessionEntry(command: "loaded", recorded: RecordedOutput()),
  ]

  @Test func script() throws {
    #expect(
      try SessionDocument(entries: Self.entries, form: .script).text == """
        load sample:Topics
        #| loaded

        set width 80
        hash
        #| > no
        #| ```
        #|
        #| #| x
        #? 1

        loaded
        #? 0

        """)
  }

  @Test func markdown() throws {
    #expect(
      try SessionDocument(entries: Self.entries, form: .markdown).text == """
        ````strata
        > load sample:Topics
        loaded

        > set width 80
        > hash
        \\> no
        ```

        #| x
        ? 1

        > loaded
        ? 0
        ````

        """)
  }

  @Test(arguments: SessionForm.allCases)
  func nothingIsAnEmptyDocument(form: SessionForm) throws {
    #expect(try SessionDocument(entries: [], form: form).text == "")
  }

  @Test(
    arguments: [
      "", " ", "\t", "\\", "\\\\", "a\\", "#", "# a", "  # a", "#| a", "#|", "#? 1", "##| a",
      "#| \\", "> a", "```", "\u{FEFF}a", "e\u{301}", "...", "[..]",
    ], SessionForm.allCases)
  func anyCommandReadsBack(command: String, form: SessionForm) throws {
    let entry = SessionEntry(command: command, recorded: RecordedOutput(text: "x"))
    let document = try SessionDocument(entries: [entry, entry], form: form)
    let back = try SessionDocument(reading: document.text, form: form).entries
    #expect(back.map { Array($0.command.utf8) } == [Array(command.utf8), Array(command.utf8)])
    #expect(back.map(\.recorded) == [entry.recorded, entry.recorded])
  }

  /// Documents made of the marks of both forms, and outputs recorded into them again and again.
  @Test(arguments: SessionForm.allCases)
  func randomDocumentsReadBackEqual(form: SessionForm) throws {
    let pieces = [
      ">", "> ", "\\", "?", "? ", "0", "1", "#", "#|", "#| ", "#? ", " ", "\t", "`", "```", "````",
      "~~~", "strata", "...", "[..]", "a", "é", "e\u{301}", "\u{FEFF}", "\u{2028}",
    ]
    var random = SeededRandom(seed: 42)
    func line(_ random: inout SeededRandom) -> String {
      (0..<Int.random(in: 0...4, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    func output(_ random: inout SeededRandom) -> RecordedOutput {
      let count = Int.random(in: 0...4, using: &random)
      return RecordedOutput(
        lines: (0..<count).map { _ in line(&random) },
        status: [0, 0, 1, 64].randomElement(using: &random) ?? 0)
    }
    for round in 0..<2000 {
      let entries = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        SessionEntry(
          command: line(&random), recorded: Bool.random(using: &random) ? output(&random) : nil)
      }
      let document = try SessionDocument(entries: entries, form: form)
      let back = try SessionDocument(reading: document.text, form: form)
      let isEqual = back == document && sameContents(back.entries, entries)
      #expect(isEqual, "round \(round): \(entries) as \(document.text)")

      guard let index = entries.indices.randomElement(using: &random) else { continue }
      let new = output(&random)
      let recorded = try document.recording([index: new])
      var expected = entries
      expected[index].recorded = entries[index].recorded?.rewritten(for: new) ?? new.expectation
      let isRecorded =
        sameContents(recorded.entries, expected)
        && recorded.entries[index].recorded?.compare(to: new) == nil
      #expect(isRecorded, "round \(round): \(new) at \(index) of \(document.text)")
    }
  }

  private func sameContents(_ a: [SessionEntry], _ b: [SessionEntry]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy {
        Array($0.command.utf8) == Array($1.command.utf8) && $0.recorded == $1.recorded
      }
  }
}
