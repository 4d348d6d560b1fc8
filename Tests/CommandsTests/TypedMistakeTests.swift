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

  @Test(
    "an unknown name in a model of a sample is an error, whatever else the sample has",
    arguments: [
      ("Topics/Model1.Nope", "model.unknownEntity"), ("Topics/Model1.topic", "did you mean Topic?"),
      ("Topics/Model1.Topic.nope", "model.unknownProperty"),
      ("Topics/Model1ToModel2.Nope", "mapping.unknownEntityMapping"),
      ("Topics/Model9", "reference.unknownVersion"),
    ])
  func unknownName(reference: String, message: String) throws {
    let session = TestSession(in: try TemporaryFolder())
    for command in ["show", "hash"] {
      let answer = session("\(command) sample:\(reference)")
      #expect(answer.status == .failed && answer.diagnostics.contains(message), "\(answer)")
      #expect(answer.output.isEmpty)
    }
    let json = session("show sample:\(reference) --json")
    #expect(json.output.hasPrefix("{\n  \"error\" : {"), "\(json)")
  }

  @Test(
    "a value of insert is written as rows shows it: a year is no date, and digits are decimal",
    arguments: [
      ("date=2024", nil), ("date=02024", nil), ("date=2024.5", nil),
      ("date=20240", "2001-01-01T05:37:20Z"),
      ("date=2024-01-31", "2024-01-31T00:00:00Z"),
      ("date=86400", "2001-01-02T00:00:00Z"), ("date=-1", "2000-12-31T23:59:59Z"),
      ("date=0x10", nil), ("double=0x10", nil), ("double=1e3", "1000"), ("float=0X1p3", nil),
      ("decimal=0x10", nil), ("decimal=2.50", "2.5"), ("whole=0x10", nil), ("whole=12", "12"),
    ])
  func values(typed: String, shown: String?) throws {
    let folder = try TemporaryFolder()
    let types = [
      "date": "Date", "double": "Double", "float": "Float", "decimal": "Decimal",
      "whole": "Integer 32",
    ]
    try folder.write(
      "<model><entity name='A'>"
        + types.map { "<attribute name='\($0)' optional='YES' attributeType='\($1)'/>" }.joined()
        + "</entity></model>", to: "M.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model M.xcdatamodel")
    let answer = session("insert s.sqlite A \(typed)")
    #expect((answer.status == .done) == (shown != nil), "\(answer)")
    #expect(shown != nil || answer.diagnostics.contains("[store.badValue]"), "\(answer)")
    let name = typed.prefix { $0 != "=" }
    let rows = session("rows s.sqlite A --columns \(name)").output
    #expect(shown.map { rows.contains(" \($0)") } ?? !rows.contains("p1"), "\(rows)")
  }

  @Test("a byte order mark at the beginning of a file is no part of its text")
  func byteOrderMark() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create k.sqlite --copy sample:Kitchen")
    session("create t.sqlite --model sample:Topics/Model1")
    try folder.write("\u{FEFF}policy ChefToChef\n  set lastName = \"x\"\n", to: "p.policy")
    try folder.write("\u{FEFF}stage lightweight Model1, Model2\n", to: "s.stages")
    try folder.write(
      "\u{FEFF}mapping from sample:Topics/Model4 to sample:Topics/Model5\n\nX: Topic -> Topic\n",
      to: "m.mapping")
    for line in [
      "migrate k.sqlite --to sample:Recipes/Recipes2 --policies p.policy --dry-run",
      "plan t.sqlite --to sample:Topics/Model2 --strategy staged --stages s.stages",
      "mapping show m.mapping",
    ] {
      let answer = session(line)
      #expect(answer.status == .done, "\(answer)")
    }
  }

  @Test(
    "a command of a fix is typed in a shell after the name of the program, an edit with --write",
    arguments: [
      ("infer A B", "strata infer A B"), ("load A", nil), ("step", nil), ("git log", nil),
      ("try A.B.c optional YES", "strata try A.B.c optional YES --write"),
      ("try 'A B/1.C' add attribute x", "strata try 'A B/1.C' add attribute x --write"),
      ("try sample:Topics/Model1.Topic remove", "strata try sample:Topics/Model1.Topic remove"),
      ("try --reset", "strata try --reset"),
      (
        "try A.B.c optional YES --write",
        "strata try A.B.c optional YES --write"
      ), ("try", "strata try"),
    ])
  func shellForm(command: String, form: String?) {
    #expect(CommandTable.shellForm(of: command) == form)
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
