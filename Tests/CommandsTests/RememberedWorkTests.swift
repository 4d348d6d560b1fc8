import Foundation
import StrataBase
import StrataCommands
import StrataObjectModel
import Synchronization
import TestSupport
import Testing

/// What a session has computed about its models is not computed again: counted, not timed.
@Suite("Results that a session caches")
struct RememberedWorkTests {
  /// How often something of each kind was computed and not remembered.
  private static func computed(_ body: () throws -> Void) rethrows -> [String: Int] {
    let counts = Mutex([String: Int]())
    let listener: @Sendable (Any.Type) -> Void = { type in
      counts.withLock { $0["\(type)", default: 0] += 1 }
    }
    try ModelMemory.$listener.withValue(listener, operation: body)
    return counts.withLock { $0 }
  }

  @Test("many expectations of one version hash it once")
  func expectations() throws {
    let session = TestSession(in: try TemporaryFolder())
    session("load sample:Topics")
    let counts = Self.computed {
      for _ in 0..<20 {
        for line in [
          "expect hash Model1.Topic cb75b3e2", "expect hash Model1.TopicList 4927b7d1",
          "expect not hash Model2.Topic cb75b3e2",
        ] {
          let answer = session(line)
          #expect(answer.status == .done, "\(answer)")
        }
      }
    }
    #expect(counts["EntityHashes"] == 2, "\(counts)")
  }

  @Test("comparing strategies infers each pair of versions once, and the second time none")
  func comparison() throws {
    let session = TestSession(in: try TemporaryFolder())
    session("load sample:Topics")
    let line = "plan Model1 --to Model5 --compare"
    var answers: [String] = []
    let counts = Self.computed { answers.append(session(line).output) }
    // Each of four versions to the next, and to the last: the fourth's next is the last.
    #expect(try #require(counts["Inference"]) <= 7, "\(counts)")
    #expect(counts["EntityHashes"] == 5, "\(counts)")
    let again = Self.computed { answers.append(session(line).output) }
    #expect(again.isEmpty, "\(again)")
    #expect(answers[0] == answers[1])
  }

  @Test("an edited model, or a model whose file changes, is read again")
  func changes() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("write sample:Topics/Model1 X.xcdatamodeld/One")
    session("load X.xcdatamodeld")
    let first = session("hash One").output
    session("try One.Topic.content optional NO")
    #expect(session("hash try:One").output != first)
    #expect(session("hash One").output == first)
    let path = folder.path("X.xcdatamodeld/One.xcdatamodel/contents")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("presenterName", with: "speakerName")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let second = session("hash One").output
    #expect(second != first && second.contains("Topic"))
    #expect(session("expect hash One.Topic \(Self.hash(of: "Topic", in: first))").status == .no)
    #expect(session("expect hash One.Topic \(Self.hash(of: "Topic", in: second))").status == .done)
  }

  @Test(
    "a mapping text or policy whose file changes is read again",
    arguments: [
      ("X.mapping", "TopicToTopic", "TopicAsTopic", "mapping show X.mapping"),
      (
        "b/Recipes.policy", "cuisine == nil", "cuisine != nil",
        "migrate r.sqlite --to b/Recipes.xcdatamodeld/Recipes2 --dry-run"
      ),
    ])
  func changedTexts(file: String, old: String, new: String, command: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("samples --write b")
    session("create r.sqlite --model b/Recipes.xcdatamodeld/Recipes1 --rows 3")
    session("mapping write sample:Topics/Model1ToModel2 X.mapping")
    let text = try String(contentsOfFile: folder.path(file), encoding: .utf8)
    #expect(text.contains(old))
    let first = session(command)
    // The size is the same, and in place the inode, too.
    let changed = text.replacing(old, with: new)
    for (content, isAtomic) in [(changed, false), (text, true), (changed, true), (text, false)] {
      try Data(content.utf8).write(
        to: URL(fileURLWithPath: folder.path(file)), options: isAtomic ? .atomic : [])
      let answer = session(command)
      #expect(answer.status == .done)
      #expect(answer.output == TestSession(in: folder)(command).output)
      #expect((answer.output == first.output) == (content == text), "\(answer)")
    }
  }

  /// The first eight letters of an entity's hash.
  private static func hash(of entity: String, in answer: String) -> Substring {
    let line = answer.split(separator: "\n").first { $0.hasPrefix(entity + " ") } ?? ""
    return line.drop { $0 != "<" }.dropFirst().prefix(8)
  }

  @Test("names follow what is loaded, tried and written")
  func names() throws {
    let session = TestSession(in: try TemporaryFolder())
    #expect(session("hash Model1").status != .done)
    session("load sample:Topics")
    #expect(session("hash Model1").status == .done)
    session("load sample:FirstTopics")
    // Both have a version of the name.
    #expect(session("hash Model1").status != .done)
    session("unload FirstTopics")
    #expect(session("hash Model1").status == .done)
    #expect(session("hash try:Model1").status != .done)
    session("try Model1.Topic.content optional NO")
    #expect(session("hash try:Model1").status == .done)
    session("try --reset")
    #expect(session("hash try:Model1").status != .done)
  }

  @Test("a line has the same meaning each time, independent of earlier lines")
  func lines() throws {
    let (first, second) = (
      TestSession(in: try TemporaryFolder()), TestSession(in: try TemporaryFolder())
    )
    let line = "expect hash sample:Topics/Model1.Topic cb75b3e2"
    let answers = [first(line), second(line + " --json"), first(line), second(line)]
    #expect(answers.map(\.output)[0] == answers[2].output && answers[2].output == answers[3].output)
    #expect(answers[1].output.hasPrefix("{"))
    // A word that looks like an option is one, and what is wrong is said as ever.
    let wrong = first("expect hash sample:Topics/Model1.Topic cb75b3e2 --nothing")
    #expect(wrong.status == .usage && wrong.diagnostics.contains("expect has no option --nothing"))
    #expect(first("expect").status == .usage)
    #expect(first("expect -- hash sample:Topics/Model1.Topic cb75b3e2").status == .done)
  }
}
