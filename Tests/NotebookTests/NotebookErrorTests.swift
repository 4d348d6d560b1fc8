import StrataBase
import StrataNotebook
import Testing

@Suite struct NotebookErrorTests {
  @Test(
    arguments: [
      ("# a\n#| b\n", .strayOutput(line: 2, form: .script)),
      ("a\n\n#| b\n", .strayOutput(line: 3, form: .script)),
      ("a\n#| b\n#? 1\n#| c\n", .strayOutput(line: 4, form: .script)),
      ("#? 1", .strayOutput(line: 1, form: .script)),
      ("a\n#? why\n", .badStatus(line: 2, found: "why")),
      ("a\n#? 01\n", .badStatus(line: 2, found: "01")),
      ("a\n#? 99999999999\n", .badStatus(line: 2, found: "99999999999")),
      ("a\n#? -1\n", .badStatus(line: 2, found: "-1")),
      ("\na \\\n", .unfinishedCommand(line: 2)),
      ("a \\\nb \\\n#| c\n", .unfinishedCommand(line: 2)),
    ] as [(String, NotebookError)])
  func script(text: String, error: NotebookError) {
    #expect(throws: error) { try SessionDocument(reading: text, form: .script) }
  }

  @Test(
    arguments: [
      ("\n```strata\n> a\n", .unclosedFence(line: 2)),
      ("a\n\n~~~\n```\n", .unclosedFence(line: 3)),
      ("````strata\n> a\n```", .unclosedFence(line: 1)),
      ("```strata\n> a \\", .unclosedFence(line: 1)),
      ("```strata\n\ntext\n```\n", .strayOutput(line: 3, form: .markdown)),
      ("```strata\n> a\n? 1\nmore\n```\n", .strayOutput(line: 4, form: .markdown)),
      ("```strata\n> a \\\n```\n", .unfinishedCommand(line: 2)),
      ("```strata\n> a \\\nb\n```\n", .unfinishedCommand(line: 2)),
      ("```strata\n> a \\\n  \n```\n", .unfinishedCommand(line: 2)),
      ("```strata\n> a \\\n> b\\\n\n```\n", .unfinishedCommand(line: 3)),
    ] as [(String, NotebookError)])
  func markdown(text: String, error: NotebookError) {
    #expect(throws: error) { try SessionDocument(reading: text, form: .markdown) }
  }

  @Test(arguments: SessionForm.allCases)
  func sizes(form: SessionForm) throws {
    let longest = String(repeating: "#", count: 1_000_000)
    #expect(try SessionDocument(reading: "\n" + longest + "\r\n", form: form).entries.isEmpty)
    #expect(throws: NotebookError.lineTooLong(line: 2, bytes: 1_000_001, limit: 1_000_000)) {
      try SessionDocument(reading: "\n" + longest + "#\r\n", form: form)
    }
    let million = longest + "#"
    #expect(throws: NotebookError.documentTooLarge(bytes: 20_000_020, limit: 20_000_000)) {
      try SessionDocument(reading: String(repeating: million, count: 20), form: form)
    }
  }

  @Test func lines() throws {
    let lines = String(repeating: "\n", count: 199_999) + "a"
    #expect(try SessionDocument(reading: lines, form: .script).entries.map(\.line) == [200_000])
    #expect(throws: NotebookError.tooManyLines(limit: 200_000)) {
      try SessionDocument(reading: lines + "\nb", form: .script)
    }
  }

  @Test func whatCannotBeWritten() throws {
    let entries = [SessionEntry(command: "a"), SessionEntry(command: "b\nc")]
    #expect(throws: NotebookError.lineBreakInCommand(entry: 1)) {
      try SessionDocument(entries: entries, form: .script)
    }
    #expect(throws: NotebookError.lineBreakInCommand(entry: 0)) {
      try SessionDocument(entries: [SessionEntry(command: "\r")], form: .markdown)
    }
    let long = RecordedOutput(text: String(repeating: "x", count: 1_000_000))
    let document = try SessionDocument(reading: "a\n", form: .script)
    #expect(throws: NotebookError.lineTooLong(line: 2, bytes: 1_000_003, limit: 1_000_000)) {
      try document.recording([0: long])
    }
  }

  @Test(
    arguments: [
      (.documentTooLarge(bytes: 2, limit: 1), "documentTooLarge", nil),
      (.lineTooLong(line: 3, bytes: 2, limit: 1), "lineTooLong", 3),
      (.tooManyLines(limit: 1), "tooManyLines", nil),
      (.unclosedFence(line: 4), "unclosedFence", 4),
      (.strayOutput(line: 5, form: .script), "strayOutput", 5),
      (.strayOutput(line: 6, form: .markdown), "strayOutput", 6),
      (.badStatus(line: 7, found: "x"), "badStatus", 7),
      (.unfinishedCommand(line: 8), "unfinishedCommand", 8),
      (.lineBreakInCommand(entry: 0), "lineBreakInCommand", nil),
    ] as [(NotebookError, String, Int?)])
  func message(error: NotebookError, id: String, line: Int?) {
    let diagnostic = error.diagnostic
    #expect(diagnostic.id == "notebook." + id)
    #expect(diagnostic.location?.line == line)
    #expect(diagnostic.fix?.isEmpty == false)
  }
}
