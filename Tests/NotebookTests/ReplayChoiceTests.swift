import StrataBase
import StrataNotebook
import Testing

/// Every way of taking some of up to four changes into a document.
@Suite("Answers that a replay records in a document")
struct ReplayChoiceTests {
  private enum Kind: CaseIterable {
    case same, reworded, answer, notRecorded

    var isChange: Bool { self != .same }
  }

  /// A document with an answer that is the same, and one command of each kind.
  private static func document(_ kinds: [Kind]) throws -> SessionDocument {
    let entries = ([.same] + kinds).enumerated().map { index, kind in
      SessionEntry(
        command: "c\(index)",
        recorded: kind == .notRecorded
          ? nil : RecordedOutput(text: kind == .same ? "new \(index)" : "old \(index)"),
        digest: kind == .notRecorded
          ? nil : AnswerDigest(of: "\(kind == .answer ? "old" : "data") \(index)", status: 0))
    }
    return try SessionDocument(entries: entries, form: .script)
  }

  private static func answers(_ document: SessionDocument) -> ReplayReport {
    var index = -1
    return SessionReplay.run(document) { _ in
      index += 1
      return Answer(
        RecordedOutput(text: "new \(index)"),
        digest: AnswerDigest(of: "data \(index)", status: 0))
    }
  }

  @Test(
    "an accepted answer gets the new fingerprint, a rejected one keeps the old", arguments: 1...4)
  func combinations(count: Int) throws {
    for code in 0..<(1 << (2 * count)) {
      let kinds = (0..<count).map { Kind.allCases[code >> (2 * $0) & 3] }
      let document = try Self.document(kinds)
      let report = Self.answers(document)
      for choice in 0..<(1 << count) {
        let accepted = (0..<count).filter { kinds[$0].isChange && choice >> $0 & 1 == 1 }
        let outputs = Dictionary(
          uniqueKeysWithValues: accepted.map { ($0 + 1, report.commands[$0 + 1].answer.output) })
        let renewed = try document.recording(outputs, digests: report.digests(accepting: outputs))
        let again = report.compared(with: renewed)
        for (index, kind) in kinds.enumerated() {
          let (old, new) = (document.entries[index + 1], renewed.entries[index + 1])
          let result = report.commands[index + 1]
          if accepted.contains(index) {
            #expect(new.recorded == result.answer.output && new.digest == result.answer.digest)
            #expect(again.commands[index + 1].verdict == .same)
          } else {
            #expect(new.recorded == old.recorded && new.digest == old.digest, "\(kinds) \(index)")
            #expect(again.commands[index + 1].verdict == result.verdict, "\(kind)")
          }
        }
      }
    }
  }

  @Test("a fingerprint is updated if the old output matches different data")
  func elisions() throws {
    let old = AnswerDigest(of: "old", status: 0)
    for text in ["n[..]", "...\n[..]"] {
      let entry = SessionEntry(command: "c", recorded: RecordedOutput(text: text), digest: old)
      let report = Self.answers(try SessionDocument(entries: [entry], form: .script))
      #expect(report.commands[0].verdict == .same)
      #expect(report.digests(accepting: [:])[0] == report.commands[0].answer.digest)
    }
  }

  @Test("a hidden answer differs from other data, and gets their fingerprint if it is accepted")
  func hidden() throws {
    let old = AnswerDigest(of: "old", status: 0)
    for digest in [old, nil] {
      let entry = SessionEntry(command: "c", recorded: RecordedOutput(text: "..."), digest: digest)
      let document = try SessionDocument(entries: [entry], form: .script)
      let report = Self.answers(document)
      guard digest != nil else {
        // Any answer is expected.
        #expect(report.commands[0].verdict == .same && report.digests(accepting: [:]).isEmpty)
        continue
      }
      #expect(report.commands[0].verdict.isUpdate)
      #expect(report.commands[0].verdict != .same && report.digests(accepting: [:]).isEmpty)
      let answer = report.commands[0].answer
      let accepted = [0: answer.output]
      let renewed = try document.recording(accepted, digests: report.digests(accepting: accepted))
      #expect(renewed.entries[0].recorded == entry.recorded)
      #expect(renewed.entries[0].digest == answer.digest)
    }
  }

  @Test("unmet expectations remain errors when other answers are recorded")
  func failures() throws {
    let document = try Self.document([.reworded, .notRecorded])
    let report = SessionReplay.run(document) { entry in
      var answer = Answer(RecordedOutput(text: "new"))
      answer.expectation = ["c1": Answer.Expectation.fulfilled, "c2": .unfulfilled][entry.command]
      return answer
    }
    let again = report.compared(with: document)
    #expect(again == report)
    #expect(again.commands.map(\.answer.expectation) == [nil, .fulfilled, .unfulfilled])
    #expect(again.commands[2].verdict == .unfulfilled(nil))
  }
}
