import StrataNotebook
import Testing

@Suite struct ReplayTests {
  private struct Failure: Error, Equatable {}

  private func document() throws -> SessionDocument {
    try SessionDocument(
      reading: "a\n#| A[..]\n# comment\nb\n#| b\nc\nd\n#? 1\n", form: .script)
  }

  @Test func everyCommandHasAVerdict() throws {
    let document = try document()
    var commands: [String] = []
    let report = SessionReplay.run(document) { entry in
      commands.append(entry.command)
      return SessionAnswer(RecordedOutput(text: entry.command.uppercased()))
    }
    #expect(commands == ["a", "b", "c", "d"])
    #expect((report.same, report.differing, report.notRecorded) == (1, 2, 1))
    #expect(!report.isSame)
    #expect(report.results.map(\.entry.line) == [1, 4, 6, 7])
    #expect(report.results[0].verdict == .same)
    #expect(report.results[2].verdict == .notRecorded)
    guard case .differs(let difference, nil) = report.results[3].verdict else {
      Issue.record("d must differ")
      return
    }
    #expect(difference.unified() == ["@@ -0,0 +1,1 @@", "+D", "-? 1", "+? 0"])
    #expect(
      try document.recording(report.outputs).text
        == "a\n#| A[..]\n# comment\nb\n#| B\nc\n#| C\nd\n#| D\n")
  }

  @Test func aRecordedDocumentReplaysTheSame() throws {
    let evaluate = { (entry: SessionEntry) in
      SessionAnswer(RecordedOutput(text: "> \(entry.command)\n```", status: 2))
    }
    let before = try SessionDocument(
      entries: ["a", "b"].map { SessionEntry(command: $0) }, form: .markdown)
    let report = SessionReplay.run(before, evaluate: evaluate)
    #expect(report.isSame)
    #expect(report.notRecorded == 2)
    let after = try before.recording(report.outputs)
    #expect(SessionReplay.run(after, evaluate: evaluate).same == 2)
    #expect(after != before)
  }

  @Test func whatTheEvaluatorThrowsEndsTheReplay() throws {
    let document = try document()
    var count = 0
    #expect(throws: Failure()) {
      try SessionReplay.run(document) { _ in
        count += 1
        if count == 2 { throw Failure() }
        return SessionAnswer(RecordedOutput())
      }
    }
    #expect(count == 2)
  }
}
