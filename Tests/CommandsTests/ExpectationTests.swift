import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Expectations")
struct ExpectationTests {
  private static let fulfilled = [
    "compatible made.sqlite Model1", "inferable Model1 Model2", "valid made.sqlite",
    "hash Model1.Topic cb75b3e2", "hash Model1.Topic '<cb75b3e2 fa30458c d4538d5a>'",
    "hash Model1.Topic CB75B3E2FA30458CD4538D5AA54E84A2248BED5164A021F8F507608B08D6D89C",
    "hash Model1.Topic.content 9bb97c21",
    "hash Model1 2kZ6lIbhVUARTunBun63WFG+jsHe6KlJ4OQEj88dJto=",
    "hash made.sqlite 2kZ6lIbhVUARTunBun63WFG+jsHe6KlJ4OQEj88dJto=",
    "count made.sqlite TopicList 4", "count made.sqlite TopicList '>= 4'",
    "count made.sqlite TopicList '!= 5'", "count made.sqlite TopicList '< 5'",
    "count made.sqlite TopicList 1 --where 'title == \"Mine\"'",
    "value made.sqlite TopicList title Mine --where 'title == \"Mine\"'",
    "value made.sqlite TopicList topics.@count 0 --where 'topics.@count == 0'",
    "value made.sqlite TopicList 'uppercase:(title)' MINE --where 'title == \"Mine\"'",
    "all made.sqlite Topic 'topicList != nil OR topicList == nil'",
    "all made.sqlite TopicList 'title == \"Mine\"' --where 'title IN {\"Mine\"}'",
    "count made.sqlite TopicList >= 4", "count made.sqlite TopicList '>=4'",
    "hash made.sqlite 2kZ6lIbh",
    "safe Model2 Model3", "safe Model1 Model1", "reaches Model1 Model5", "reaches Model1 Model1",
    "fits sample:Topics/Model1ToModel2 Model1 Model2", "migrates made.sqlite Model5",
    "migrates made.sqlite Model1", "loses nothing made.sqlite Model1",
    "loses nothing kept.sqlite Model3",
  ]

  private static let unfulfilled = [
    "all made.sqlite Topic 'content == nil' --where 'FALSEPREDICATE'", "hash made.sqlite 2kZ6lIbi",
    "compatible made.sqlite Model2", "inferable Model1 try:Model1", "hash Model1.Topic cb75b3e3",
    "hash Model1 cb75b3e2", "hash Model2.Topic cb75b3e2", "count made.sqlite TopicList 5",
    "count made.sqlite TopicList '> 4'", "count made.sqlite TopicList '<= 3'",
    "value made.sqlite TopicList title Mine",
    "value made.sqlite TopicList title x --where 'FALSEPREDICATE'",
    "all made.sqlite TopicList 'title == \"Mine\"'", "valid broken.sqlite",
    "safe Model1 Model5", "safe Model1 try:Model1", "reaches Model1 try:Model1",
    "fits sample:Topics/Model1ToModel2 Model2 Model1",
    "fits sample:Topics/Model1ToModel2 Model1 Model1", "migrates made.sqlite try:Model1",
    "migrates broken.sqlite Model3", "loses nothing made.sqlite Model5",
  ]

  private func session() throws -> (TestSession, TemporaryFolder) {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for line in [
      "load sample:Topics", "create made.sqlite --model Model1 --rows 3",
      "insert made.sqlite TopicList title=Mine",
      "create broken.sqlite --model Model2 --rows 1", "create kept.sqlite --model Model2 --rows 2",
      "try Model1.Topic.content attributeType Binary",
    ] { #expect(session(line).status <= .no, "\(line)") }
    let other = try OtherProgram(using: folder.path("broken.sqlite"))
    try other.run("UPDATE ZTOPIC SET ZPRESENTERNAME = NULL")
    other.close()
    return (session, folder)
  }

  @Test("a note is not a warning: a change of a hash modifier is safe")
  func notes() throws {
    let session = TestSession(in: try TemporaryFolder())
    session("load sample:Topics")
    session("try Model5.Member.email versionHashModifier lowercase")
    #expect(session("infer Model5 try:Model5").output.contains("note: Member.email"))
    let safe = session("expect safe Model5 try:Model5")
    #expect(safe.status == .done && safe.output.contains("with no warnings"), "\(safe)")
    session("try Model5.Member.email remove")
    let lossy = session("expect safe Model5 try:Model5")
    #expect(lossy.status == .no && lossy.output.contains("with 1 warning;"), "\(lossy)")
  }

  @Test("each condition is checked, and negated by 'not'")
  func conditions() throws {
    let (session, folder) = try session()
    for (conditions, isFulfilled) in [(Self.fulfilled, true), (Self.unfulfilled, false)] {
      for condition in conditions {
        let answer = session("expect \(condition)")
        #expect(answer.status == (isFulfilled ? .done : .no), "\(condition): \(answer)")
        #expect(answer.output.hasPrefix(isFulfilled ? "as expected: " : "not as expected: "))
        let turned = session("expect not \(condition) --json")
        #expect(turned.status == (isFulfilled ? .no : .done), "\(condition)")
        #expect(turned.output.contains("\"met\" : \(!isFulfilled)"))
      }
    }
    withExtendedLifetime(folder) {}
  }

  @Test(
    "an invalid expectation is an error, not an answer",
    arguments: [
      ("", 64), ("not", 64), ("bogus", 64), ("count made.sqlite TopicList", 64),
      ("count made.sqlite TopicList many", 64), ("count made.sqlite TopicList '~ 4'", 64),
      ("count made.sqlite TopicList '> 4 5'", 64), ("valid made.sqlite --where x", 64),
      ("hash Model1.Topic cb75b3", 64), ("hash Model1.Topic zzzzzzzz", 64),
      ("loses made.sqlite Model5", 64), ("loses", 64), ("fits Model1 Model2", 64),
      ("fits Model1 Model1 Model2", 2), ("reaches Model1 Model9", 2),
      ("migrates nowhere.sqlite Model2", 2), ("loses nothing made.sqlite try:Model1", 2),
      ("not loses nothing made.sqlite try:Model1", 2), ("reaches Model1 Model2 --where x", 64),
      ("compatible nowhere Model1", 2), ("count made.sqlite Topik 1", 2),
      ("value made.sqlite TopicList topics 1", 2), ("all made.sqlite Topic 'contnt == nil'", 2),
      ("all made.sqlite Topic '('", 2),
    ])
  func mistakes(condition: String, status: Int32) throws {
    let (session, folder) = try session()
    let answer = session("expect \(condition)")
    #expect(answer.status.rawValue == status, "\(answer)")
    #expect(answer.diagnostics.hasPrefix("error: "))
    withExtendedLifetime(folder) {}
  }

  @Test("an unmet expectation fails a replay, recorded or not, and stops run --strict")
  func replays() throws {
    let (session, folder) = try session()
    let line = "expect count made.sqlite TopicList 5"
    for text in ["\(line)\n", "\(line)\n#| not as expected[..]\n#? 1\n"] {
      try folder.write(text, to: "e.strata")
      let replay = session("replay e.strata --junit e.xml --force")
      #expect(replay.status == .no)
      #expect(
        replay.output.contains("e.strata:1  \(line)  (not as expected)\n"), "\(replay.output)")
      #expect(replay.output.contains(", 1 not as expected"))
      #expect(
        try String(contentsOfFile: folder.path("e.xml"), encoding: .utf8)
          .contains(#"<failure message="not as expected">"#))
      let updated = session("replay e.strata --update --all")
      #expect(updated.status == .no)
      #expect(try String(contentsOfFile: folder.path("e.strata"), encoding: .utf8) == text)
    }
    try folder.write("\(line)\nsamples\n", to: "s.strata")
    #expect(!session("run s.strata --strict").output.contains("sample:"))
    #expect(session("run s.strata").output.contains("sample:"))
    for condition in Self.fulfilled { session("expect \(condition)") }
    #expect(session("save all.md").status == .done)
    try folder.write("expect not count made.sqlite TopicList 5\n", to: "n.strata")
    #expect(session("replay n.strata").status == .done)
  }
}
