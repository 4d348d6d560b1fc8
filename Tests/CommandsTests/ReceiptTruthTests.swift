import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Lines of receipts beside what is counted by hand: each loss once, at its own property, and none that did not happen.
@Suite("Lines of receipts")
struct ReceiptTruthTests {
  private static func session(
    _ folder: TemporaryFolder, from old: String, to new: String, _ objects: [String]
  ) throws -> TestSession {
    for (version, entities) in [("V1", old), ("V2", new)] {
      try folder.write(
        "<model>\(entities)</model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    #expect(session("create s.sqlite --model M.xcdatamodeld/V1").status == .done)
    for object in objects {
      let answer = session("insert s.sqlite \(object)")
      #expect(answer.status == .done, "\(answer)")
    }
    return session
  }

  private static let rehearsal = "migrate s.sqlite --to M.xcdatamodeld/V2 --dry-run"

  private static func number(_ name: String, _ type: String = "32", _ rest: String = "") -> String {
    "<attribute name='\(name)' optional='YES' attributeType='Integer \(type)' \(rest)/>"
  }

  private static func relationship(
    _ name: String, to entity: String, inverse: String, _ rest: String = "toMany='YES'"
  ) -> String {
    "<relationship name='\(name)' optional='YES' \(rest) destinationEntity='\(entity)' inverseName='\(inverse)' inverseEntity='\(entity)'/>"
  }

  @Test(
    "each end that is no longer ordered has its own objects",
    arguments: [[], ["--output x.sqlite"]])
  func orders(options: [String]) throws {
    func entities(_ rest: String) -> String {
      "<entity name='A'>\(Self.relationship("bs", to: "B", inverse: "as", rest))</entity>"
        + "<entity name='B'>\(Self.relationship("as", to: "A", inverse: "bs", rest))</entity>"
    }
    let folder = try TemporaryFolder()
    // A p1 has two of B, of which p1 has two of A.
    let session = try Self.session(
      folder, from: entities("toMany='YES' ordered='YES'"), to: entities("toMany='YES'"),
      ["B", "B", "A bs=p1,p2", "A bs=p1"])
    let answer = session((["\(Self.rehearsal)"] + options).joined(separator: " "))
    #expect(
      answer.output.contains(
        "kept; order of A.bs lost in 1 object: p1; order of B.as lost in 1 object: p1"),
      "\(answer)")
    #expect(answer.output.contains("2 orders would be lost"), "\(answer)")
    let strict = session("\(Self.rehearsal) --strict=links")
    #expect(strict.output.contains("the order of links in 2 objects would be lost"), "\(strict)")
  }

  @Test("a link between two objects of a removed entity is lost with them")
  func linksOfLostObjects() throws {
    let ends =
      Self.relationship("next", to: "P", inverse: "prev", "maxCount='1'")
      + Self.relationship("prev", to: "P", inverse: "next", "maxCount='1'")
    let parent = "<entity name='P'>\(ends)</entity>"
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: parent + "<entity name='C' parentEntity='P'/>", to: parent,
      ["C", "C next=p1", "P", "P next=p3", "P next=p2"])
    let answer = session(Self.rehearsal)
    // p2 to p1 is lost with both, p5 to p2 has an end that remains.
    #expect(answer.output.contains("3      1  kept; 1 of lost objects; 1 link lost"), "\(answer)")
    #expect(answer.output.contains("2 objects and 1 link would be lost"), "\(answer)")
  }

  @Test("what is left of nothing is not called kept")
  func nothingLeft() throws {
    let parent =
      "<entity name='P'>\(Self.relationship("all", to: "P", inverse: "one"))"
      + "\(Self.relationship("one", to: "P", inverse: "all", "maxCount='1'"))</entity>"
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: parent + "<entity name='C' parentEntity='P'/>", to: parent,
      ["C", "P one=p1", "P one=p1"])
    let answer = session(Self.rehearsal)
    #expect(answer.output.contains("2      0  2 links lost"), "\(answer)")
  }

  @Test("a default value that all rows of a table get in place is foreseen, and named")
  func defaultsInAllRows() throws {
    func entities(_ added: String) -> String {
      "<entity name='B'/><entity name='F' parentEntity='B'>\(added)</entity>"
    }
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: entities(""),
      to: entities(
        Self.number("q", "32", "defaultValueString='7'")
          + "<uniquenessConstraints><uniquenessConstraint><constraint value='q'/></uniquenessConstraint></uniquenessConstraints>"
      ), ["B", "B", "F"])
    let plan = session("plan s.sqlite --to M.xcdatamodeld/V2")
    #expect(plan.output.contains("(134111): 2 objects (p2, p3)") && plan.status == .no, "\(plan)")
    let answer = session(Self.rehearsal)
    #expect(
      answer.output.contains(
        "F.q gets its default in all rows of the table, and so is not unique (134111) in 2 objects: p2, p3"
      ), "\(answer)")
    // In passes only the objects of the entity get it.
    let passes = session("\(Self.rehearsal) --output x.sqlite")
    #expect(passes.status == .done, "\(passes)")
  }

  @Test(
    "an object that a policy deletes again is not created twice",
    arguments: ["k > 0", "k > 2", "k > 9"], [true, false])
  func deletedAgain(condition: String, isFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: "<entity name='A'>\(Self.number("k"))</entity>",
      to: "<entity name='B'>\(Self.number("k"))</entity>", (1...4).map { "A k=\($0)" })
    let plain = "Plain: A -> B\n  k = $source.k\n"
    let policy = "Other: A -> B\n  policy P\n  k = $source.k\n"
    try folder.write(
      "mapping from M.xcdatamodeld/V1 to M.xcdatamodeld/V2\n\n"
        + (isFirst ? [policy, plain] : [plain, policy]).joined(separator: "\n"), to: "m.mapping")
    try folder.write("policy P\n  delete when \(condition)\n", to: "p.policy")
    let answer = session(
      "migrate s.sqlite --to M.xcdatamodeld/V2 --mapping m.mapping --policies p.policy --output o.sqlite"
    )
    let twice = Int(
      try Python.value(
        "SELECT count(*) - count(DISTINCT ZK) FROM ZB", in: folder.path("o.sqlite")))
    let told = answer.output.firstMatch(of: /(\d+) objects? (?:is|are) created twice/)
    #expect(told.flatMap { Int($0.1) } ?? 0 == twice, "\(answer)")
  }

  @Test("values of other entities that were there before are no defaults")
  func formerValues() throws {
    func entities(_ added: String) -> String {
      "<entity name='B'>\(Self.number("q"))</entity><entity name='F' parentEntity='B'>\(added)</entity>"
    }
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: entities(Self.number("x")),
      to: entities(
        Self.number("x") + Self.number("y")
          + "<uniquenessConstraints><uniquenessConstraint><constraint value='q'/></uniquenessConstraint></uniquenessConstraints>"
      ), ["B q=1", "B q=1"])
    let answer = session(Self.rehearsal)
    #expect(
      answer.output.contains("  F.q is not unique (134111) in 1 object: p2"), "\(answer)")
  }

  @Test("a migration in place that is refused lists every reason")
  func allReasons() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: "<entity name='A'>\(Self.number("x"))</entity>",
      to: "<entity name='A'>\(Self.number("x"))<attribute name='y' attributeType='String'/>"
        + "<uniquenessConstraints><uniquenessConstraint><constraint value='x'/></uniquenessConstraint></uniquenessConstraints></entity>",
      ["A x=1", "A x=1"])
    for options in ["", " --output x.sqlite"] {
      let answer = session(Self.rehearsal + options)
      #expect(answer.output.contains("A.y is a required value (1570) in 2 objects: p1, p2"))
      #expect(
        answer.output.contains("A.x is not unique (134111) in 1 object: p2"), "\(answer)")
    }
  }

  @Test(
    "a number that a policy sets again counts as the last one",
    arguments: [
      ("in end: set x = 1", "computed by policy P", "4 values"),
      (
        "in end of creation: set x = $source.x + 1",
        "computed by policy P from x; 1 out of range: p2", "1 value"
      ),
      (
        "in end of creation: set x = TERNARY($source.x == 3, 70000, $source.x)\n"
          + "  in end: set x = TERNARY($source.x == 3, 5, $source.x)",
        "1 out of range: p2", "1 value"
      ),
      // The first value is computed by a function that SQL calls.
      (
        "set x = abs:($source.x)\n  in end: set x = TERNARY($source.x == 3, 70000, $source.x)",
        "2 out of range: p2, p3", "2 values"
      ),
    ])
  func numbersOfPolicies(policy: String, line: String, lost: String) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: "<entity name='A'>\(Self.number("x"))</entity>",
      to: "<entity name='A'>\(Self.number("x", "16"))</entity>",
      ["A x=1", "A x=40000", "A x=3", "A x=4", "A"])
    try folder.write(
      "mapping from M.xcdatamodeld/V1 to M.xcdatamodeld/V2\n\nA: A -> A\n  policy P\n",
      to: "m.mapping")
    try folder.write("policy P\n  \(policy)\n", to: "p.policy")
    let answer = session("\(Self.rehearsal) --mapping m.mapping --policies p.policy")
    #expect(answer.output.contains(line), "\(answer)")
    #expect(answer.output.contains("rehearsed: \(lost) would be lost"), "\(answer)")
  }

  @Test(
    "the comparison of two stores tells values of a divided entity, and defaults, as the migration does"
  )
  func comparison() throws {
    let folder = try TemporaryFolder()
    let attributes = Self.number("k") + Self.number("a")
    let session = try Self.session(
      folder, from: "<entity name='A'>\(attributes)</entity>",
      to: "<entity name='A'>\(attributes)"
        + "<attribute name='n' attributeType='Integer 32' defaultValueString='3'/></entity>"
        + "<entity name='C'>\(Self.number("k"))</entity>",
      ["A k=0 a=1", "A k=0", "A k=1 a=3", "A k=1 a=4"])
    try folder.write(
      "mapping from M.xcdatamodeld/V1 to M.xcdatamodeld/V2\n\nA: A -> A\n  where k == 0\n\n"
        + "A2: A -> C\n  where k == 1\n", to: "m.mapping")
    let migrated = session(
      "migrate s.sqlite --to M.xcdatamodeld/V2 --mapping m.mapping --output x.sqlite")
    let compared = session("compare s.sqlite x.sqlite --rows --mapping m.mapping")
    for answer in [migrated, compared] {
      #expect(answer.output.contains("3      1  kept; 2 lost"), "\(answer)")
      #expect(!answer.output.contains("lost objects"), "\(answer)")
    }
  }

  @Test("the comparison of two stores calls a default value filled, as the migration does")
  func filled() throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: "<entity name='A'>\(Self.number("x"))</entity>",
      to:
        "<entity name='A'><attribute name='x' attributeType='Integer 32' defaultValueString='3'/></entity>",
      ["A x=1", "A"])
    let migrated = session("migrate s.sqlite --to M.xcdatamodeld/V2 --output x.sqlite")
    let compared = session("compare s.sqlite x.sqlite --rows")
    for answer in [migrated, compared] {
      #expect(answer.output.contains("1      2  kept; 1 filled with the default"), "\(answer)")
    }
  }

  @Test(
    "the links of a relationship are kept if either end is mapped, and lost if none is",
    arguments: [("one", "many"), ("many", "many"), ("one", "one")])
  func mappedEnds(r: String, s: String) throws {
    func end(_ name: String, _ kind: String, _ other: String, _ inverse: String) -> String {
      let keys = kind == "one" ? "maxCount='1'" : "toMany='YES'"
      return
        "<relationship name='\(name)' optional='YES' \(keys) destinationEntity='\(other)' inverseName='\(inverse)' inverseEntity='\(other)'/>"
    }
    let folder = try TemporaryFolder()
    for (version, more) in [
      ("V1", ""), ("V2", "<attribute name='z' optional='YES' attributeType='String'/>"),
    ] {
      try folder.write(
        "<model><entity name='A'>\(more)\(end("r", r, "B", "s"))</entity><entity name='B'>\(end("s", s, "A", "r"))</entity></model>",
        to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    session("create s.sqlite --model App.xcdatamodeld/V1")
    session("insert s.sqlite A")
    session("insert s.sqlite B s=p1")
    for omitted in [[], ["r"], ["s"], ["r", "s"]] as [[String]] {
      try folder.write(
        "mapping from App/V1 to App/V2\n\nAToA: A -> A\n\(omitted.contains("r") ? "  omit r\n" : "")"
          + "BToB: B -> B\n\(omitted.contains("s") ? "  omit s\n" : "")", to: "M.mapping")
      let answer = session(
        "migrate s.sqlite --to App.xcdatamodeld/V2 --mapping M.mapping --dry-run"
      ).output
      let isKept = omitted.count < 2
      #expect(answer.contains("kept as they are: 1 relationship (1 link)") == isKept, "\(answer)")
      #expect(answer.contains("would be lost") != isKept, "\(omitted): \(answer)")
    }
  }

  @Test(
    "values that only a transient attribute gets are lost, and told",
    arguments: ["  a = $source.a", "  t = $source.a\n  a = nothing", "  policy P"])
  func transient(lines: String) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: "<entity name='T'>\(Self.number("a"))\(Self.number("b"))</entity>",
      to:
        "<entity name='T'>\(Self.number("a", "32", "transient='YES'"))\(Self.number("t", "32", "transient='YES'"))\(Self.number("b"))</entity>",
      ["T a=1 b=2", "T b=3"])
    try folder.write(
      "mapping from M.xcdatamodeld/V1 to M.xcdatamodeld/V2\n\nTT: T -> T\n\(lines)\n",
      to: "m.mapping")
    try folder.write("policy P\n  set a = $source.a\n", to: "p.policy")
    let options = "--mapping m.mapping --policies p.policy"
    let answer = session("\(Self.rehearsal) \(options)")
    #expect(answer.output.contains("1 value would be lost"), "\(answer)")
    #expect(session("\(Self.rehearsal) \(options) --strict=values").status == .no)
    let plan = session("plan s.sqlite --to M.xcdatamodeld/V2 \(options)")
    #expect(plan.output.contains("[loss.becameTransient]"), "\(plan)")
  }

  @Test(
    "links that one entity mapping keeps are not lost because another one makes further objects without them",
    arguments: [("", "2 links"), ("  where a == 1\n", "1 link lost")])
  func furtherObjects(filter: String, expected: String) throws {
    let one = Self.relationship("l", to: "L", inverse: "ts", "maxCount='1'")
    let entities =
      "<entity name='T'>\(Self.number("a"))\(one)</entity><entity name='L'>\(Self.relationship("ts", to: "T", inverse: "l"))</entity>"
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: entities,
      to: entities
        + "<entity name='C'>\(Self.number("a"))<relationship name='l' optional='YES' maxCount='1' destinationEntity='L'/></entity>",
      ["L", "T a=1 l=p1", "T a=2 l=p1"])
    try folder.write(
      "mapping from M.xcdatamodeld/V1 to M.xcdatamodeld/V2\n\nTT: T -> T\n\(filter)TC: T -> C\n\(filter.replacing("==", with: "!="))  omit l\nLL: L -> L\n",
      to: "m.mapping")
    let answer = session(
      "migrate s.sqlite --to M.xcdatamodeld/V2 --mapping m.mapping --output o.sqlite")
    #expect(answer.output.contains(expected), "\(answer)")
    #expect(answer.output.contains("link lost") == !filter.isEmpty, "\(answer)")
    let kept = try Python.value("SELECT count(ZL) FROM ZT", in: folder.path("o.sqlite"))
    #expect(kept == (filter.isEmpty ? "2" : "1"))
  }

  @Test(
    "what a policy or a stage looks for is told: it is no value of what is found, and lost where nothing is"
  )
  func searched() throws {
    func entities(_ attribute: String) -> String {
      let one = Self.relationship("l", to: "L", inverse: "ts", "maxCount='1'")
      return "<entity name='T'>\(Self.number(attribute))\(one)</entity>"
        + "<entity name='L'>\(Self.number("number"))\(Self.relationship("ts", to: "T", inverse: "l"))</entity>"
    }
    let folder = try TemporaryFolder()
    let session = try Self.session(
      folder, from: entities("a"), to: entities("b"),
      ["L number=1", "L number=3", "T a=1", "T a=2"])
    let statement = "set l = find L where number == $source.a"
    try folder.write(
      "mapping from M.xcdatamodeld/V1 to M.xcdatamodeld/V2\n\nTT: T -> T\n  policy P\nLL: L -> L\n",
      to: "m.mapping")
    try folder.write("policy P\n  \(statement)\n", to: "p.policy")
    try folder.write("stage custom V1 -> V2\n  will: T: \(statement)\n", to: "s.stages")
    let policy = session("\(Self.rehearsal) --mapping m.mapping --policies p.policy")
    #expect(policy.output.contains(/T\.a +2 +not tracked: policy P may read it/), "\(policy)")
    let stage = session("\(Self.rehearsal) --stages s.stages")
    #expect(stage.output.contains(/T\.a +2 +lost: p2/), "\(stage)")
    for answer in [policy, stage] {
      #expect(!answer.output.contains("L.number"), "\(answer)")
    }
  }
}
