import StrataBase
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
      return Answer(RecordedOutput(text: entry.command.uppercased()))
    }
    #expect(commands == ["a", "b", "c", "d"])
    #expect(report.commands.map(\.entry.line) == [1, 4, 6, 7])
    #expect(report.commands[0].verdict == .same)
    #expect(report.commands[2].verdict == .notRecorded)
    let differences = report.commands.map(\.verdict.difference)
    #expect(differences.map { $0 == nil } == [true, false, true, false])
    let difference = try #require(differences[3])
    #expect(report.commands[3].verdict == .differs(difference, isKnown: false))
    #expect(difference.unified() == ["@@ -0,0 +1,1 @@", "+D", "-? 1", "+? 0"])
    #expect(
      try document.recording(report.outputs).text
        == "a\n#| A[..]\n# comment\nb\n#| B\nc\n#| C\nd\n#| D\n")
  }

  @Test func aRecordedDocumentReplaysTheSame() throws {
    let evaluate = { (entry: SessionEntry) in
      Answer(RecordedOutput(text: "> \(entry.command)\n```", status: 2))
    }
    let before = try SessionDocument(
      entries: ["a", "b"].map { SessionEntry(command: $0) }, form: .markdown)
    let report = SessionReplay.run(before, evaluate: evaluate)
    #expect(report.commands.map(\.verdict) == [.failed, .failed])
    let after = try before.recording(report.outputs)
    #expect(
      SessionReplay.run(after, evaluate: evaluate).commands.map(\.verdict) == [.same, .same])
    #expect(after != before)
  }

  @Test func whatTheEvaluatorThrowsEndsTheReplay() throws {
    let document = try document()
    var count = 0
    #expect(throws: Failure()) {
      try SessionReplay.run(document) { _ in
        count += 1
        if count == 2 { throw Failure() }
        return Answer(RecordedOutput())
      }
    }
    #expect(count == 2)
  }
}
