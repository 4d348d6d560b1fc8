import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Typed mistakes and what is advised")
struct TypedMistakeTests {
  @Test(
    "the advice names what was meant",
    arguments: [
      ("count Phone Topic --where 'content == Hello'", "a text is written in quotes: 'Hello';"),
      ("count Phone Topic --where 'content BEGINSWITH Hello'", "in quotes: 'Hello';"),
      ("count Phone Topic --where 'content == Content'", "did you mean content?"),
      ("count Phone Topic --where 'timeBudget == Hello'", "fix: `show <model>.<entity>` lists"),
      ("count Phone Topic --where 'Hello == content'", "fix: `show <model>.<entity>` lists"),
      ("> count Phone Topic", "leave out the prompt >"),
      ("strata> count Phone Topic", "leave out the prompt strata>"),
      ("$ strata", "leave out the prompt $"),
      ("undo", "did you mean back?"), ("print 1", "did you mean eval?"),
      ("ls", "did you mean loaded?"),
    ])
  func advice(line: String, advice: String) throws {
    let session = TestSession(in: try TemporaryFolder())
    session("load sample:Phone")
    let answer = session(line)
    #expect(answer.status != .done && answer.diagnostics.contains(advice), "\(answer)")
  }

  @Test("a word in a change of a stage is advised to be quoted")
  func stage() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "stage custom Model1 -> Model2\n  did: Topic: set content = 'a' when content == Hello",
      to: "app.stages")
    let answer = TestSession(in: folder)(
      "plan sample:Phone --to sample:Topics/Model2 --stages app.stages")
    #expect(answer.diagnostics.contains("a text is written in quotes: 'Hello'"), "\(answer)")
  }
}
