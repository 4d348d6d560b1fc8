import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Completion")
struct CompletionTests {
  /// What Tab makes of a line; `nil` where it leaves it.
  @Test(
    "Tab completes commands, names, options and files",
    arguments: [
      ("has", "hash "), ("HAS", "hash "), ("loa", "load"), ("nothing", nil), ("# lo", nil),
      ("hash --al", "hash --all "), ("hash --all --al", nil), ("hash -- --al", nil),
      ("hash sample:R", "hash sample:Recipes"),
      ("hash sample:Topics/Model3.To", "hash sample:Topics/Model3.Topic"),
      ("hash Model1.TopicL", "hash Model1.TopicList"),
      ("hash Model1.Topic.cont", "hash Model1.Topic.content "),
      ("diff Model1 mod", "diff Model1 Model"),
      ("diff Model1+Model2.TopicL", "diff Model1+Model2.TopicList"),
      ("diff Model1 Model2 Mod", nil),
      ("plan phone.sqlite --to Topics/Model2", "plan phone.sqlite --to Topics/Model2 "),
      ("show ph", "show phone.sqlite "), ("show ./ph", "show ./phone.sqlite "),
      ("show 'a f", "show 'a folder/"),
      ("show a\\ folder/in", "show 'a folder/inner file' "), ("show .hid", "show .hidden "),
      ("samples --write a", "samples --write 'a folder/"),
      ("load Bun", "load Bundle.xcdatamodeld "),
      ("load Bundle.xcdatamodeld/O", "load Bundle.xcdatamodeld/One "),
      ("unload To", "unload Topics "), ("help ref", "help references "),
      ("trace m", "trace migration "), ("mapping li", "mapping lint "),
      ("mapping show Model3ToM", "mapping show Model3ToModel4 "),
      ("show Model1ToM", "show Model1ToModel2 "), ("hash Model1To", nil),
      ("show Model1ToModel2.TopicT", "show Model1ToModel2.TopicToTopic "),
      ("set ed", "set editing "), ("set editing v", "set editing vi "),
      ("try Model1.Topic add att", "try Model1.Topic add attribute "),
      (
        "try Model1.Topic add attribute x attributeType=Dat",
        "try Model1.Topic add attribute x attributeType=Date "
      ),
      (
        "try Model1.Topic.content attributeType 'Integer 1",
        "try Model1.Topic.content attributeType 'Integer 16' "
      ),
      (
        "try Model1.Topic.topicList deletionRule C",
        "try Model1.Topic.topicList deletionRule Cascade "
      ),
      ("show Sp", "show Spaced"), ("show 'Spaced/Model 1.Not", "show 'Spaced/Model 1.Note'"),
      ("show 'Spaced/Model 1.Note'.ti", "show 'Spaced/Model 1.Note'.title "),
      ("count phone.sqlite TopicL", "count phone.sqlite TopicList "),
      ("edit count phone.sqlite TopicL", "edit count phone.sqlite TopicList "),
      ("count phone.sqlite \\\nTopicL", "count phone.sqlite \\\nTopicList "),
      ("count phone.sqlite Topic > pho", "count phone.sqlite Topic > phone.sqlite "),
      ("sql phone.sqlite 'sel", "sql phone.sqlite 'SELECT "),
      ("sql phone.sqlite 'SELECT\n* FRO", "sql phone.sqlite 'SELECT\n* FROM "),
      ("sql phone.sqlite \"SELECT\n* FRO", "sql phone.sqlite \"SELECT\n* FROM "),
      (
        "sql phone.sqlite 'SELECT count(*) FROM ZTOPICL",
        "sql phone.sqlite 'SELECT count(*) FROM ZTOPICLIST "
      ),
      (
        "sql phone.sqlite 'SELECT * FROM ZTOPIC WHERE zpresentern",
        "sql phone.sqlite 'SELECT * FROM ZTOPIC WHERE ZPRESENTERNAME "
      ),
      ("sql phone.sqlite 'SELECT * FROM ZTOPICLIST WHERE ZPRESENTERN", nil),
      (
        "rows phone.sqlite Topic --where 'upperc",
        "rows phone.sqlite Topic --where 'uppercase:("
      ),
      ("rows phone.sqlite Topic --sort pres", "rows phone.sqlite Topic --sort presenter"),
      (
        "rows phone.sqlite Topic --sort content,topicList.ti",
        "rows phone.sqlite Topic --sort content,topicList.title"
      ),
      (
        "count phone.sqlite TopicList --where 'ANY topics.cont",
        "count phone.sqlite TopicList --where 'ANY topics.content "
      ),
      ("rows phone.sqlite Topic --where con", "rows phone.sqlite Topic --where 'content "),
      ("rows phone.sqlite Topic --where 'con", "rows phone.sqlite Topic --where 'content "),
      (#"rows phone.sqlite Topic --where "con"#, #"rows phone.sqlite Topic --where "content "#),
      ("rows phone.sqlite Topic --where $'con", "rows phone.sqlite Topic --where $'content "),
      (
        #"rows phone.sqlite Topic --where "content beg"#,
        #"rows phone.sqlite Topic --where "content BEGINSWITH "#
      ),
      (
        #"rows phone.sqlite Topic --where 'content == "a" A"#,
        #"rows phone.sqlite Topic --where 'content == "a" AND "#
      ),
      (#"rows phone.sqlite Topic --where 'content == "con"#, nil),
      (
        "rows phone.sqlite Topic --columns topicList.ti",
        "rows phone.sqlite Topic --columns topicList.title"
      ),
      ("hash 'Model1.Topic.cont", "hash 'Model1.Topic.content' "),
      (#"hash "Model1.topic"#, #"hash "Model1.Topic"#),
      ("rows Mod", nil), ("rows sample:T", nil), ("rows sample:Ph", "rows sample:Phone "),
      ("plan phone.sqlite --mapping Model4", "plan phone.sqlite --mapping Model4ToModel5-"),
      ("write Model1 Bundle.xcdatamodeld/O", "write Model1 Bundle.xcdatamodeld/One "),
      ("plan phone.sqlite --strategy hy", "plan phone.sqlite --strategy hybrid "),
      ("plan phone.sqlite --mapping Model1ToM", "plan phone.sqlite --mapping Model1ToModel2 "),
      ("create new.sqlite --type x", "create new.sqlite --type xml "),
      ("compare Model1 ph", "compare Model1 phone.sqlite "),
      ("expect count ph", "expect count phone.sqlite "),
      ("expect count phone.sqlite TopicL", "expect count phone.sqlite TopicList "),
      ("insert phone.sqlite TopicL", "insert phone.sqlite TopicList "),
      ("delete phone.sqlite TopicL", "delete phone.sqlite TopicList "),
      ("insert phone.sqlite Topic cont", "insert phone.sqlite Topic content="),
    ] as [(String, String?)])
  func completes(line: String, expected: String?) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    let completion = session.completion(of: line)
    #expect(completion.flatMap { Self.completed(line, by: $0) } == expected)
  }

  private static func completed(_ line: String, by completion: Completion) -> String? {
    guard let replacement = completion.replacement else { return nil }
    return String(decoding: Array(line.utf8)[..<completion.range.lowerBound], as: UTF8.self)
      + replacement
  }

  @Test("lists show whole names without their folder or model, and no hidden files")
  func lists() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    func list(_ line: String) throws -> [String] {
      let completion = try #require(session.completion(of: line))
      return completion.candidates.map(\.name)
    }
    #expect(try list("hash Model1.") == ["Topic", "TopicList"])
    #expect(
      try list("show ./") == [
        "a folder/", "Bundle.xcdatamodeld", "Dotted.xcdatamodeld", "phone.sqlite",
        "Spaced.xcdatamodeld",
      ])
    #expect(try list("show 'Dotted/Model 1.") == ["Model 1.1", "Model 1.2"])
    #expect(try list("diff Model1+Model2.T") == ["Topic", "TopicList"])
    #expect(try list("diff Model1 Topics/") == (1...5).map { "Model\($0)" })
    #expect(try list("rows ./ph") == ["phone.sqlite"])
    #expect(try list("hash ./ph") == ["phone.sqlite"])
    #expect(try list("hash ./").contains("notes.txt") == false)
    #expect(try list("load ./").contains("notes.txt"))
    #expect(try list("try Model1.Topic.content optional ") == ["NO", "YES"])
    #expect(try list("").contains("load"))
  }

  @Test(
    "after a key come operators, after a comparison AND and OR, and inside a text nothing",
    arguments: [
      ("", ["content", "dateCreated", "presenterEmail", "presenterName", "topicList"]),
      (
        "content ",
        [
          "!=", "<", "<=", "==", ">", ">=", "BEGINSWITH", "BETWEEN", "CONTAINS", "ENDSWITH", "IN",
          "LIKE", "MATCHES",
        ]
      ),
      ("content == 'a' ", ["AND", "OR"]), ("content == 'a", []),
      ("content == ", ["content", "dateCreated", "presenterEmail", "presenterName", "topicList"]),
      ("topicList.topics.@", ["@avg.", "@count", "@max.", "@min.", "@sum."]),
      ("topicList.topics.@c", ["@count"]), ("topicList.topics.@max.con", ["content"]),
      ("NOT content B", ["BEGINSWITH", "BETWEEN"]),
      ("(content == 'a' OR topicList.", ["title", "topics"]), ("(content == 'a' ", ["AND", "OR"]),
    ])
  func conditions(text: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    let completion = session.completion(
      of: "rows phone.sqlite Topic --where \"" + text.replacing("\"", with: #"\""#))
    #expect(completion?.candidates.map(\.name) == expected)
  }

  @Test("in the stepper, conditions know the variables of their step, and stores its two sides")
  func stepper() throws {
    let folder = try TemporaryFolder()
    let test = TestSession(in: folder)
    _ = test("load sample:Topics")
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    _ = test("debug phone.sqlite --to Model2 --mapping Model1ToModel2")
    func names(_ line: String) throws -> [String] {
      try #require(test.session.completion(of: line)).candidates.map(\.name)
    }
    #expect(try names("break TopicToTopic --when '$") == ["$destination.", "$source."])
    #expect(try names("break TopicToTopic --when '$source.cont") == ["content"])
    #expect(try names("break TopicToTopic --when '$destination.time") == ["timeBudget"])
    #expect(try names("break TopicToTopic --when '$source.time").isEmpty)
    #expect(try names("break Topic.timeBudget --when '$source.cont") == ["content"])
    #expect(try names("break Topic/p1 --when 'cont") == ["content"])
    #expect(try names("source Topic --where 'time").isEmpty)
    #expect(try names("destination Topic --where 'time") == ["timeBudget"])
    #expect(try names("watch Topic.time") == ["timeBudget"])
    #expect(try names("watch Topic/p1.time") == ["timeBudget"])
    #expect(try names("rows dest") == ["destination"])
    #expect(try names("rows destination ") == ["Topic", "TopicList"])
    #expect(try names("rows destination Topic --where 'time") == ["timeBudget"])
    #expect(try names("eval '$source.").isEmpty)
    _ = test("continue TopicToTopic")
    _ = test("step")
    #expect(try names("eval '$source.cont") == ["content"])
  }

  @Test("completion works after every prefix of a line, and its result can be parsed")
  func anyLine() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(in: folder)
    var generator = SeededRandom(seed: 7)
    let pieces = [
      "hash", "try", " ", "'", "\"", "\\", "--", "Model1", ".", "Topic", "sample:", "/", "+", "é",
      "🎈", "~", "=", "#",
      "a folder", "\n",
    ]
    for _ in 0..<1500 {
      let line = (0..<Int.random(in: 0...7, using: &generator))
        .map { _ in pieces.randomElement(using: &generator)! }.joined()
      guard let completion = session.completion(of: line) else { continue }
      #expect(completion.range.upperBound == line.utf8.count)
      guard let completed = Self.completed(line, by: completion),
        completion.candidates.count == 1, completion.candidates[0].ending != .continues,
        case .complete(let tokens) = CommandLineLexer.tokens(of: completed)
      else { continue }
      #expect(tokens.last?.text == completion.candidates[0].text, "\(line)")
    }
  }

  @Test("journals of a store are not offered, and a mapping model is offered as a whole")
  func files() throws {
    let folder = try TemporaryFolder()
    for name in [
      "a.sqlite", "a.sqlite-wal", "a.sqlite-shm", "a.sqlite-journal", "b-wal",
      "M.xcmappingmodel/xcmapping.xml",
    ] { try folder.write("x", to: name) }
    let completion = try #require(TestSession(in: folder).session.completion(of: "load ./"))
    #expect(completion.candidates.map(\.name) == ["a.sqlite", "b-wal", "M.xcmappingmodel"])
  }

  private static func session(in folder: TemporaryFolder) throws -> Session {
    try folder.write("x", to: "notes.txt")
    try SampleStore.topics(at: folder.path(".hidden"))
    try folder.write("<model/>", to: "a folder/inner file")
    try folder.write(
      #"<model><entity name="A"/></model>"#, to: "Bundle.xcdatamodeld/One.xcdatamodel/contents")
    try SampleStore.topics(at: folder.path("phone.sqlite"))
    let note = #"<entity name="Note"><attribute name="title" attributeType="String"/></entity>"#
    for number in 1...2 {
      try folder.write(
        "<model>\(note)</model>", to: "Dotted.xcdatamodeld/Model 1.\(number).xcdatamodel/contents")
      try folder.write(
        "<model>\(note)</model>", to: "Spaced.xcdatamodeld/Model \(number).xcdatamodel/contents")
    }
    let test = TestSession(in: folder)
    _ = test("load sample:Topics")
    _ = test("load Spaced.xcdatamodeld")
    _ = test("load Dotted.xcdatamodeld")
    return test.session
  }
}
