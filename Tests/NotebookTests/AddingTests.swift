import StrataBase
import StrataNotebook
import Testing

@Suite struct AddingTests {
  private let added: [SessionPart] = [
    .command(SessionEntry(command: "b", recorded: RecordedOutput(text: "B")))
  ]

  private func script(_ text: String, after entry: Int? = nil) throws -> String {
    try SessionDocument(reading: text, form: .script).adding(added, after: entry).text
  }

  private func markdown(
    _ text: String, _ parts: [SessionPart]? = nil, after entry: Int? = nil
  ) throws -> String {
    try SessionDocument(reading: text, form: .markdown).adding(parts ?? added, after: entry).text
  }

  @Test func aScriptContinuesAtItsEndOrAfterACommand() throws {
    #expect(try script("") == "b\n#| B\n")
    #expect(try script("a") == "a\nb\n#| B\n")
    #expect(try script("a\n#| A\n") == "a\n#| A\n\nb\n#| B\n")
    #expect(try script("a\n# end\n") == "a\n# end\n\nb\n#| B\n")
    #expect(try script("a\n#| A\n\nc\n", after: 0) == "a\n#| A\n\nb\n#| B\n\nc\n")
    #expect(
      try SessionDocument(reading: "a\n", form: .script).adding([.prose(["so", "", "it is"])]).text
        == "a\n\n# so\n#\n# it is\n")
  }

  @Test func aNotebookContinuesInTheBlockThatEndsIt() throws {
    #expect(try markdown("") == "```strata\n> b\nB\n```\n")
    #expect(try markdown("Hi.\n") == "Hi.\n\n```strata\n> b\nB\n```\n")
    #expect(try markdown("```strata\n> a\nA\n```\n") == "```strata\n> a\nA\n\n> b\nB\n```\n")
    #expect(try markdown("```strata\n> a\n```") == "```strata\n> a\n> b\nB\n```")
    #expect(
      try markdown("```strata\n> a\n```\nEnd.\n")
        == "```strata\n> a\n```\nEnd.\n\n```strata\n> b\nB\n```\n")
  }

  @Test func proseSplitsTheBlockThatContainsIt() throws {
    let parts = [.prose(["Why?"])] + added
    #expect(
      try markdown("```strata\n> a\n```\n", parts)
        == "```strata\n> a\n```\n\nWhy?\n\n```strata\n> b\nB\n```\n")
    #expect(
      try markdown("```strata\n> a\n> c\n```\n", added + parts, after: 0) == """
        ```strata
        > a
        > b
        B
        ```

        Why?

        ```strata
        > b
        B
        ```

        ```strata
        > c
        ```

        """)
  }

  @Test func aSplitBlockKeepsItsFences() throws {
    let output = RecordedOutput(lines: ["```", "````"])
    let parts: [SessionPart] = [
      .command(SessionEntry(command: "b", recorded: output)), .prose(["Why?"]),
    ]
    let document = try SessionDocument(reading: " ~~~strata\n > a\n > c\n ~~~\n", form: .markdown)
      .adding(parts, after: 0)
    #expect(document.entries.map(\.command) == ["a", "b", "c"])
    #expect(document.entries[1].recorded == output)
    #expect(document.text.hasPrefix(" ~~~strata\n > a\n > b\n"))
  }

  /// Whatever is added, wherever: the document that was there stays, and what was added reads back.
  @Test(arguments: SessionForm.allCases)
  func whatIsAddedReadsBack(form: SessionForm) throws {
    var random = SeededRandom(seed: 11)
    let pieces = [
      "> ", "\\", "? 1", "#", "#| ", "#= ", " ", "```", "~~~~", "strata", "...", "a", "!",
    ]
    func line(_ random: inout SeededRandom) -> String {
      (0..<Int.random(in: 0...3, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    func parts(_ random: inout SeededRandom) -> [SessionPart] {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in
        if Int.random(in: 0..<3, using: &random) == 0 {
          return .prose((0..<Int.random(in: 1...3, using: &random)).map { _ in line(&random) })
        }
        let recorded = RecordedOutput(
          lines: [line(&random), line(&random)],
          status: [0, 0, 2].randomElement(using: &random) ?? 0)
        return .command(
          SessionEntry(
            command: line(&random), recorded: Bool.random(using: &random) ? recorded : nil,
            digest: Bool.random(using: &random) ? AnswerDigest(of: "\(recorded)", status: 0) : nil))
      }
    }
    for round in 0..<3000 {
      let document = try SessionDocument(parts: parts(&random), form: form)
      let added = parts(&random)
      let place = document.entries.indices.randomElement(using: &random)
      let after = Bool.random(using: &random) ? place : nil
      let whole = try document.adding(added, after: after)
      let new = added.compactMap { if case .command(let entry) = $0 { entry } else { nil } }
      let split = after.map { $0 + 1 } ?? document.entries.count
      let expected = Array(document.entries[..<split]) + new + Array(document.entries[split...])
      let isRight =
        expected.map(\.command) == whole.entries.map(\.command)
        && expected.map(\.recorded) == whole.entries.map(\.recorded)
      #expect(
        isRight, "round \(round): \(added) after \(after ?? -1) of \(document.text)\n\(whole.text)")
      if !isRight { return }
      let other: SessionForm = form == .script ? .markdown : .script
      let turned = try whole.converted(to: other)
      #expect(turned.entries.map(\.command) == whole.entries.map(\.command))
      #expect(turned.entries.map(\.recorded) == whole.entries.map(\.recorded))
    }
  }
}
