import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What the steps of a custom stage lose, as `--strict` counts it.
@Suite("Losses of custom stages")
struct StageLossTests {
  /// A project whose stage adds an attribute, makes one narrower, and removes two.
  private static func project() throws -> (session: TestSession, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    for (version, type, rest) in [
      (
        "V1", "Integer 64",
        "<attribute name='gone' optional='YES' attributeType='String'/><attribute name='carrier' optional='YES' attributeType='String'/><attribute name='late' optional='YES' attributeType='String'/>"
      ),
      (
        "V2", "Integer 16",
        "<attribute name='new' optional='YES' attributeType='String' defaultValueString='d'/><attribute name='late' attributeType='String' defaultValueString='d'/>"
      ),
    ] {
      try folder.write(
        """
        <model><entity name='Item'><attribute name='a' optional='YES' attributeType='String'/><attribute name='b' optional='YES' attributeType='String'/><attribute name='k' optional='YES' attributeType='\(type)'/>\(rest)</entity></model>
        """, to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    #expect(session("create s.sqlite --model App.xcdatamodeld/V1").status == .done)
    for values in ["a='one two' b='x' k=7 late='l'", "a='three' k=40000", "b='y' k=90000"] {
      #expect(session("insert s.sqlite Item \(values)").status == .done)
    }
    return (session, folder)
  }

  @Test(
    "values that others replace are lost, unless a statement up to then continues them",
    arguments: [
      ("will: Item: set a = 'c'", 2), ("will: Item: set a = 'c' when a == nil", 0),
      ("will: Item: set a = 'c' when b != nil", 1), ("will: Item: set a = uppercase:(a)", 0),
      ("will: Item: set a = b", 2), ("will: Item: set a = 'three'", 1),
      ("will: Item: set b = a\\n will: Item: set a = 'c'", 2),
      // A value continues in what is computed from a key of it.
      ("will: Item: set k = a.length\\n will: Item: set a = 'c'", 0),
      ("will: Item: set b = a.uppercaseString\\n will: Item: set a = 'c'", 2),
      ("will: Item: set a = 'c'\\n will: Item: set b = a", 4),
      ("will: Item: set gone = a\\n will: Item: set a = 'c'", 2),
      ("did: Item: set a = 'c'", 2), ("did: Item: set a = 'c' when b == nil", 1),
      ("did: Item: set new = a\\n did: Item: set a = 'c'", 0),
      ("did: Item: set a = 'c'\\n did: Item: set new = a", 2),
      ("will: Item: set a = b\\n did: Item: set new = a", 2),
      ("did: Item: split a at ' ' into a, b", 1), ("did: Item: join a, b with '-' into a", 0),
      ("did: Item: set a = nil when k == nil", 0), ("did: Item: set new = 'c'", 0),
      ("will: Item: set a = 'c'\\n will: Item: set a = 'd'", 2),
      ("will: Item: set a = 'c'\\n did: Item: set a = 'd'", 2),
      ("will: Item: set a = 'c' when b != nil\\n will: Item: set a = 'd'", 2),
      ("will: Item: set a = uppercase:(a)\\n will: Item: set a = 'c'", 2),
      ("will: Item: set b = a\\n will: Item: set a = 'c'\\n did: Item: set b = 'd'", 4),
      ("will: Item: set gone = a\\n will: Item: set a = 'c'\\n will: Item: set b = gone", 2),
      ("did: Item: split a at ' ' into b, a", 1),
      ("will: Item: set k = 2\\n did: Item: set k = 3", 0), ("did: Item: set late = 'c'", 1),
      ("did: Item: set late = 'c' when late == 'd'", 0),
      (
        "will: Item: join a, b with '-' into a\\n will: Item: set b = nil\\n will: Item: set a = 'c'",
        4
      ),
      (
        "did: Item: join a, b with '-' into a\\n did: Item: set b = nil\\n did: Item: set a = 'c'",
        4
      ),
      ("will: Item: set a = TERNARY(a == nil, 'x', a)\\n will: Item: set a = 'c'", 2),
    ])
  func replaced(steps: String, count: Int) throws {
    let (session, folder) = try Self.project()
    defer { withExtendedLifetime(folder) {} }
    let text = "will: Item: set k = 1\\n \(steps)".replacing("\\n", with: "\n ")
    try folder.write("stage custom V1 -> V2\n  \(text)\n", to: "a.stages")
    let line = "migrate s.sqlite --to App.xcdatamodeld/V2 --stages a.stages --dry-run --strict"
    let answer = session(line)
    // Of the step before, three numbers.
    #expect(answer.output.contains("\(count + 3) values would be lost"), "\(answer)")
  }

  @Test(
    "values of a removed attribute are lost where nothing continues them",
    arguments: [
      ("set a = gone", 3), ("set a = gone when a == nil", 1), ("set b = gone when b == nil", 0),
      ("set a = 'h' when b == nil\\n will: Item: set a = gone when a == nil", 3),
      ("set a = gone when a == nil\\n will: Item: set b = gone when b == nil", 0),
      ("set a = gone\\n will: Item: set a = 'c'", 5),
      ("set gone = 'c'\\n will: Item: set a = gone", 5), ("join a, gone with '-' into a", 0),
      ("set a = gone\\n did: Item: set a = nil", 5),
      (
        "set a = 'h' when a == 'z'\\n will: Item: set a = gone when a == 'h'\\n will: Item: set a = uppercase:(a) when a == 'h'",
        2
      ),
      ("set carrier = gone", 2), ("set gone = 'c' when gone == nil", 2),
      ("set carrier = gone\\n will: Item: set a = carrier when a == nil", 1),
      (
        "set carrier = gone\\n will: Item: set gone = nil\\n will: Item: set a = carrier when a == nil",
        1
      ),
      ("set carrier = gone\\n will: Item: set a = carrier when a == 'q'", 2),
      ("split gone at '-' into carrier, b", 2), ("split gone at '-' into gone, carrier, b", 2),
      ("split gone at '-' into b, gone when b == nil", 0),
      ("split gone at '-' into gone, b when b == 'q'", 2),
      ("set gone = uppercase:(gone)\\n will: Item: set b = gone when b == 'q'", 2),
      ("set b = gone when b == 'q'\\n will: Item: set b = 'g'", 4),
      ("set a = carrier\\n will: Item: set carrier = gone", 5),
      (
        "set carrier = a\\n will: Item: set a = 'c'\\n will: Item: set b = carrier when b == nil",
        3
      ),
    ])
  func removed(steps: String, count: Int) throws {
    let (session, folder) = try Self.project()
    defer { withExtendedLifetime(folder) {} }
    for values in ["gone='g'", "a='z' gone='h'"] {
      #expect(session("insert s.sqlite Item \(values)").status == .done)
    }
    let text = "will: Item: set k = 1\n  will: Item: \(steps)".replacing("\\n", with: "\n ")
    try folder.write("stage custom V1 -> V2\n  \(text)\n", to: "a.stages")
    let line = "migrate s.sqlite --to App.xcdatamodeld/V2 --stages a.stages --dry-run --strict"
    let answer = session(line)
    // Of the step before, three numbers.
    #expect(answer.output.contains("\(count + 3) values would be lost"), "\(answer)")
  }

  @Test(
    "numbers are counted after the steps before the migration, and converted if these make them too large",
    arguments: [
      ("k = k / 100", nil, "0|400|900"), ("k = k - 30000", "1 number", "-29993|10000|nil"),
      ("k = k * 10000", "3 numbers", "nil|nil|nil"),
    ] as [(String, String?, String)])
  func numbers(step: String, losses: String?, values: String) throws {
    let (session, folder) = try Self.project()
    defer { withExtendedLifetime(folder) {} }
    try folder.write("stage custom V1 -> V2\n  will: Item: set \(step)\n", to: "a.stages")
    let line = "migrate s.sqlite --to App.xcdatamodeld/V2 --stages a.stages"
    let answer = session("\(line) --dry-run --strict")
    if let losses {
      #expect(answer.output.contains("\(losses) would be lost"), "\(answer)")
    } else {
      #expect(answer.status == .done, "\(answer)")
    }
    #expect(session(line).status == .done)
    let rows = session("sql s.sqlite \"SELECT group_concat(coalesce(ZK,'nil'),'|') FROM ZITEM\"")
    #expect(rows.output.contains(values), "\(rows)")
  }

  @Test("what a stage computes from a key of a removed attribute is no loss that the models tell")
  func computed() throws {
    let (session, folder) = try Self.project()
    session("insert s.sqlite Item gone=g carrier=c")
    for (value, isLost) in [("gone.uppercaseString", false), ("carrier.uppercaseString", true)] {
      try folder.write("stage custom V1 -> V2\n  will: Item: set b = \(value)\n", to: "a.stages")
      let plan = session("plan s.sqlite --to App.xcdatamodeld/V2 --stages a.stages")
      #expect(plan.output.contains("Item.gone  is removed") == isLost, "\(plan)")
      #expect(plan.output.contains("Item.carrier  is removed") == !isLost, "\(plan)")
    }
  }

  @Test("a relationship that a stage sets to objects that were there is not kept as it is")
  func links() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      stage custom Model1 -> Model2
        will: Topic: set topicList = find TopicList where title == 'Migration'

      """, to: "a.stages")
    let session = TestSession(in: folder)
    session("create s.sqlite --copy sample:Phone")
    let answer = session("migrate s.sqlite --to sample:Topics/Model2 --stages a.stages")
    #expect(answer.status == .done, "\(answer)")
    let row = answer.output.split(separator: "\n").first { $0.contains("Topic.topicList") }
    // Of eight links, three are to that list.
    let others = session(
      "count sample:Phone Topic --where 'topicList != nil AND topicList.title != \"Migration\"'")
    #expect(others.output == "5\n", "\(others)")
    #expect(row?.hasSuffix("set by a stage; 5 links lost") == true, "\(answer)")
  }

  @Test(
    "an attribute is computed from what its value reads, or set by a stage",
    arguments: [
      ("will: Item: set a = 'c'", "set by a stage; 2 lost: p1, p2"),
      ("did: Item: set a = 'c'", "set by a stage; 2 lost: p1, p2"),
      ("will: Item: set a = b", "computed from b; 2 lost: p1, p2"),
      ("did: Item: set a = b", "set by a stage; 2 lost: p1, p2"),
      ("will: Item: set a = uppercase:(a)", "computed from a"),
      ("did: Item: set a = uppercase:(a)", "computed from a"),
    ])
  func sources(step: String, fate: String) throws {
    let (session, folder) = try Self.project()
    try folder.write("stage custom V1 -> V2\n  \(step)\n", to: "a.stages")
    let answer = session("migrate s.sqlite --to App.xcdatamodeld/V2 --stages a.stages --dry-run")
    let line = answer.output.split(separator: "\n").first { $0.hasPrefix("Item.a ") }
    #expect(line?.hasSuffix("  \(fate)") == true, "\(answer)")
  }
}
