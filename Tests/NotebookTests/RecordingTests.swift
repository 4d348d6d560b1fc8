import StrataBase
import StrataNotebook
import Testing

@Suite struct RecordingTests {
  private func script(
    _ text: String, _ outputs: [Int: RecordedOutput]
  ) throws -> String {
    try SessionDocument(reading: text, form: .script).recording(outputs).text
  }

  private func markdown(
    _ text: String, _ outputs: [Int: RecordedOutput]
  ) throws -> String {
    try SessionDocument(reading: text, form: .markdown).recording(outputs).text
  }

  @Test func outputsAreReplacedAndNothingElse() throws {
    let text = "# head\na\n#| old\n#? 1\n\n# tail\nb \\\n c\nd\n#|\n"
    #expect(
      try script(text, [0: RecordedOutput(text: "new"), 1: RecordedOutput()])
        == "# head\na\n#| new\n\n# tail\nb \\\n c\n#? 0\nd\n#|\n")
    #expect(
      try script(text, [2: RecordedOutput(lines: ["", "x"], status: 3)])
        == "# head\na\n#| old\n#? 1\n\n# tail\nb \\\n c\nd\n#|\n#| x\n#? 3\n")
    #expect(try script(text, [:]) == text)
  }

  @Test func theDocumentsLineBreakIsUsed() throws {
    #expect(try script("a\r\nb", [1: RecordedOutput(text: "x")]) == "a\r\nb\r\n#| x\r\n")
    #expect(try script("a", [0: RecordedOutput(text: "x")]) == "a\n#| x\n")
    #expect(
      try markdown("```strata\r\n> a\r\n```\r\n", [0: RecordedOutput(text: "x")])
        == "```strata\r\n> a\r\nx\r\n```\r\n")
  }

  @Test func whatFitsKeepsEveryByte() throws {
    let text = "a\n#| \n#| n: [..]\n#| ...\n#|  \n"
    #expect(try script(text, [0: RecordedOutput(lines: ["", "n: 1", "x", "y"])]) == text)
  }

  @Test func elisionsStayWhereTheyStillMatch() throws {
    #expect(
      try script(
        "a\n#| n: [..]\n#| ...\n#| z [..]\n#| end\n",
        [0: RecordedOutput(lines: ["n: 7", "p", "q", "y 1", "end"])])
        == "a\n#| n: [..]\n#| ...\n#| y 1\n#| end\n")
    #expect(
      try script("a\n#| same\n#| ...\n", [0: RecordedOutput(lines: ["same", "x"], status: 1)])
        == "a\n#| same\n#| ...\n#? 1\n")
  }

  @Test func elisionsThatNothingHoldsGo() {
    func rewritten(_ old: [String], _ new: [String], status: StrataBase.ExitStatus = .done)
      -> [String]
    {
      RecordedOutput(lines: old).rewritten(for: RecordedOutput(lines: new, status: status)).lines
    }
    #expect(rewritten(["12 rows", "..."], ["13 rows", "a", "b"]) == ["13 rows", "..."])
    #expect(
      rewritten(["12 rows", "..."], ["error: x", " fix: y"], status: 2)
        == ["error: x", " fix: y"])
    #expect(rewritten(["a", "...", "b"], ["error"]) == ["error"])
    #expect(rewritten(["a", "...", "b"], ["x", "y", "z"]) == ["x", "y", "z"])
    #expect(rewritten(["a", "...", "b"], ["a", "x", "y", "z"]) == ["a", "...", "z"])
    #expect(rewritten(["a", "...", "b"], ["a", "b", "c"]) == ["a", "...", "b", "c"])
  }

  @Test func proseAndLayoutStay() throws {
    let text =
      "# Head\n\n```strata\n\n> a\nold\n\n\n> b\n\n```\n"
      + "> quote\n\n  ~~~strata\n  > c\n  ~~~\n"
    #expect(
      try markdown(
        text,
        [
          0: RecordedOutput(text: "new", status: 1), 1: RecordedOutput(),
          2: RecordedOutput(lines: ["x", "", " y"]),
        ])
          == """
          # Head

          ```strata

          > a
          new
          ? 1


          > b
          ? 0

          ```
          > quote

            ~~~strata
            > c
            x

             y
            ~~~

          """)
  }

  @Test func aFenceGrowsWithItsOutputs() throws {
    let text = "```strata x\n> a\nold\n> b\n```\n\n~~~strata\n> c\n~~~~\n"
    let output = RecordedOutput(lines: ["```", "  ````", "~~~"])
    let document = try SessionDocument(reading: text, form: .markdown)
      .recording([0: output, 2: output])
    #expect(
      document.text
        == "`````strata x\n> a\n```\n  ````\n~~~\n> b\n`````\n\n"
        + "~~~~strata\n> c\n```\n  ````\n~~~\n~~~~\n")
    #expect(document.entries.map(\.recorded) == [output, nil, output])
  }

  @Test func linesThatReadLikeCommandsSurvive() throws {
    let output = RecordedOutput(
      lines: ["> a", "? 1", "\\> b", "\\\\? 0", "\\d", "\\", ">", "? 1 ", "```strata", "```"])
    for text in ["```strata\n> a\n```\n", " ```strata\n > a\n ```\n"] {
      let document = try SessionDocument(reading: text, form: .markdown).recording([0: output])
      #expect(document.entries.map(\.recorded) == [output])
      #expect(document.text.contains("\\> a\n"))
    }
  }
}
