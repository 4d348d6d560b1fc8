import Foundation
import StrataArchives
import StrataBase
import StrataCommands
import StrataNotebook
import TestSupport
import Testing

@Suite("Replays of answers that were never recorded")
struct CompleteReplayTests {
  private func replay(
    _ text: String, _ options: String, in folder: TemporaryFolder
  ) throws -> (answer: Evaluation, results: [String]) {
    try folder.write(text, to: "d.strata")
    let answer = TestSession(in: folder)("replay d.strata --junit r.xml --force \(options)")
    let root = try MarkupElement(
      reading: Array(Data(contentsOf: URL(fileURLWithPath: folder.path("r.xml")))))
    return (answer, root.children[0].children.map { $0.children.first?.name ?? "passed" })
  }

  @Test("a met expectation is a passed test, recorded or not; other answers are skipped")
  func junit() throws {
    let folder = try TemporaryFolder()
    let fulfilled = "expect inferable sample:Topics/Model1 sample:Topics/Model2"
    let recorded =
      "\(fulfilled)\n#| as expected: sample:Topics/Model1 to sample:Topics/Model2 is inferable\n"
    for (text, expected) in [
      ("\(fulfilled)\n", "passed"), (recorded, "passed"), ("samples\n", "skipped"),
      ("expect not \(fulfilled.dropFirst(7))\n", "failure"), ("expect bogus\n", "failure"),
      ("# a remark\n\(fulfilled)\n", "passed"),
    ] {
      let (answer, results) = try replay(text, "", in: folder)
      #expect(results == [expected], "\(text): \(answer.output)")
      #expect(answer.status == (expected == "failure" ? .no : .done), "\(text)")
    }
    let (answer, _) = try replay("\(fulfilled)\nsamples\n", "", in: folder)
    #expect(
      answer.output == "replayed d.strata: 2 commands, 0 same, 1 as expected, 1 not recorded\n")
  }

  @Test("--complete refuses answers that were never recorded, and accepts met expectations")
  func complete() throws {
    let folder = try TemporaryFolder()
    let fulfilled = "expect inferable sample:Topics/Model1 sample:Topics/Model2\n"
    for (text, isComplete) in [
      (fulfilled, true), ("loaded\n", false), ("loaded\n#| [..]\n", true),
      ("\(fulfilled)loaded\n", false),
      ("quit\n", true), ("samples\n#| ...\n", true),
    ] {
      let (answer, results) = try replay(text, "--complete", in: folder)
      #expect(answer.status == (isComplete ? .done : .no), "\(text): \(answer)")
      #expect(results.contains("failure") == !isComplete, "\(text)")
      #expect(answer.output.contains("  (not recorded)\n") == !isComplete)
      #expect(answer.output.contains("; --complete refuses 1 answer that") == !isComplete)
      #expect(try replay(text, "", in: folder).answer.status == .done, "\(text)")
    }
  }

  @Test("an update records missing answers, including those of met expectations")
  func update() throws {
    let folder = try TemporaryFolder()
    for line in ["loaded", "expect inferable sample:Topics/Model1 sample:Topics/Model2"] {
      try folder.write(line + "\n", to: "d.strata")
      let update = TestSession(in: folder)("replay d.strata --complete --update --all")
      #expect(update.status == .done && update.output.contains("1 same, 1 updated"), "\(update)")
      #expect(TestSession(in: folder)("replay d.strata --complete").output.contains("1 same"))
    }
  }

  @Test("a document rehearses the migration of a store that it creates")
  func rehearsals() throws {
    let folder = try TemporaryFolder()
    let lines = [
      "create s.sqlite --model sample:Topics/Model1 --rows 2",
      "expect migrates s.sqlite sample:Topics/Model2",
      "expect loses nothing s.sqlite sample:Topics/Model2",
      "expect not loses nothing s.sqlite sample:Topics/Model5",
    ]
    let (answer, results) = try replay(lines.joined(separator: "\n") + "\n", "", in: folder)
    #expect(results == ["skipped", "passed", "passed", "passed"], "\(answer)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.sqlite")))
  }

  @Test("an unmet expectation fails the replay although other answers are recorded")
  func failureAndUpdate() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "load sample:Topics\n#| old\nexpect compatible Model1 Model2\n", to: "d.strata")
    let answer = TestSession(in: folder)("replay d.strata --update --all")
    #expect(answer.status == .no, "\(answer)")
    #expect(answer.output.contains("1 not as expected"))
  }

  /// Four answers that differ from the recorded ones: two in words alone, two in the data.
  private static func notebook(in folder: TemporaryFolder) throws -> SessionDocument {
    let session = TestSession(in: folder)
    for number in 1...4 { session("hash sample:Topics/Model\(number).Topic") }
    session("save n.md")
    let document = try read(folder)
    let digests = document.entries.enumerated().map { index, entry in
      index % 2 == 0 ? entry.digest : AnswerDigest(of: "other \(index)", status: 0)
    }
    let old = (0..<4).map { ($0, RecordedOutput(text: "old \($0)")) }
    let edited = try document.recording(Dictionary(uniqueKeysWithValues: old)).marked(digests)
    try folder.write(edited.text, to: "n.md")
    return edited
  }

  private static func read(_ folder: TemporaryFolder) throws -> SessionDocument {
    try SessionDocument(
      reading: String(contentsOf: URL(fileURLWithPath: folder.path("n.md")), encoding: .utf8),
      form: .markdown)
  }

  @Test("rejected changes are not recorded, whichever others are accepted")
  func choices() throws {
    let folder = try TemporaryFolder()
    let original = try Self.notebook(in: folder)
    for choice in 0..<16 {
      try folder.write(original.text, to: "n.md")
      let session = TestSession(in: folder)
      var promptCount = 0
      session.session.prompt = { _, _ in
        defer { promptCount += 1 }
        return choice >> promptCount & 1 == 1 ? "y" : "n"
      }
      let answer = session("replay n.md --update")
      #expect(promptCount == 4 && answer.status == (choice == 15 ? .done : .no), "\(answer)")
      let renewed = try Self.read(folder)
      for (index, entry) in renewed.entries.enumerated() {
        let isAccepted = choice >> index & 1 == 1
        let old = original.entries[index]
        #expect((entry.recorded == old.recorded) == !isAccepted)
        #expect(
          (entry.digest == old.digest) == (!isAccepted || index % 2 == 0), "\(choice) \(index)")
      }
      let again = TestSession(in: folder)("replay n.md").output
      let refused = (0..<4).filter { choice >> $0 & 1 == 0 }
      let counts = [true, false].map { isEven in
        refused.count { ($0 % 2 == 0) == isEven }
      }
      #expect(again.components(separatedBy: "(only the wording differs)").count - 1 == counts[0])
      #expect(again.components(separatedBy: "(the answer differs)").count - 1 == counts[1])
    }
  }
}
