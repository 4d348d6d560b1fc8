import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What a mapping model loses if one entity has several entity mappings, or if only one end of a relationship is mapped.
@Suite("Losses of written mapping models")
struct SeveralEntityMappingsTests {
  private static func attribute(_ name: String, _ type: String, _ rest: String = "") -> String {
    "<attribute name='\(name)' optional='YES' attributeType='\(type)' \(rest)/>"
  }

  private static func session(
    _ folder: TemporaryFolder, from old: String, to new: String, _ objects: [String],
    _ mapping: String
  ) throws -> TestSession {
    for (version, entities) in [("V1", old), ("V2", new)] {
      try folder.write(
        "<model>\(entities)</model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(
      "mapping from M.xcdatamodeld/V1 to M.xcdatamodeld/V2\n\n\(mapping)\n", to: "m.mapping")
    let session = TestSession(in: folder)
    #expect(session("create s.sqlite --model M.xcdatamodeld/V1").status == .done)
    for object in objects { #expect(session("insert s.sqlite \(object)").status == .done) }
    return session
  }

  private static let migration = "migrate s.sqlite --to M.xcdatamodeld/V2 --mapping m.mapping"

  /// Of four objects, with a 1 to 4 and b 10, 20, 30 and nil, the first two have k 0.
  @Test(
    "a value is lost where its object's entity mappings do not read it, though others do",
    arguments: [
      ("M1: A -> A\n  where k == 0\n\nM2: A -> A\n  where k == 1\n  a = default", 2),
      ("M1: A -> A\n  where k == 0\n\nM2: A -> A\n  where k == 1\n  omit a", 2),
      (
        "M1: A -> A\n  where k == 0\n  b = $source.b * 2\n\nM2: A -> A2\n  where k != 0\n  omit b",
        1
      ),
      ("M1: A -> A\n  where k == 0\n\nM2: A -> A2\n  where k != 0\n  omit b", 1),
      (
        "M1: A -> A\n  where k == 0\n  b = $source.b * 2\n\nM2: A -> A\n  where k != 0\n  b = nil",
        1
      ),
      ("M1: A -> A\n  a = TERNARY($source.a == nil, 0, $source.a)", 0),
      ("M1: A -> A\n  a = max:({$source.a, 0})", 0),
      ("M1: A -> A\n  a = TERNARY($source.a == 1, 5, 6)", 4),
      ("M1: A -> A\n  where k == 0\n\nM2: A -> A2\n  where k == 1\n  b = $source.b * 2", 0),
      ("M1: A -> A\n  where k == 0\n\nM2: A -> A\n  where k == 1\n  a = 7", 2),
      ("M1: A -> A\n  where k != 5\n\nM2: A -> A\n  where k == 5\n  a = 7", 0),
      ("M1: A -> A\n\nM2: A -> A2\n  omit b", 0),
      ("M1: A -> A\n  omit b\n\nM2: A -> A2\n  omit b", 3),
      // Values of lost objects are lost with them.
      ("M1: A -> A\n  where k == 0\n  a = nil", 2), ("M1: A -> A\n  where k == 7\n  a = nil", 0),
      (
        "M1: A -> A\n  where k == 5\n  b = $source.a\n\nM2: A -> A\n  where k == 0", 0
      ),
      // A copy beside a computation of the same attribute.
      (
        "M1: A -> A2\n  where k == 0\n\nM2: A -> A\n  where k == 1\n\nM3: A -> A2\n  where k == 5\n  a = $source.a + 1",
        0
      ),
      (
        "M1: A -> A\n  where k == 0\n  a = $source.b\n\nM2: A -> A\n  where k == 1\n  a = nil", 4
      ),
    ])
  func values(mapping: String, count: Int) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    func entity(_ name: String, _ a: String = "") -> String {
      let attributes =
        Self.attribute("a", "Integer 16", a) + Self.attribute("b", "Integer 16")
        + Self.attribute("k", "Integer 16")
      return "<entity name='\(name)'>\(attributes)</entity>"
    }
    let session = try Self.session(
      folder, from: entity("A"), to: entity("A", "defaultValueString='9'") + entity("A2"),
      ["A a=1 b=10 k=0", "A a=2 b=20 k=0", "A a=3 b=30 k=1", "A a=4 k=1"], mapping)
    let answer = session("\(Self.migration) --dry-run --strict=values")
    #expect(answer.status == (count == 0 ? .done : .no), "\(answer)")
    let lost = "refused by --strict: \(count) value\(count == 1 ? "" : "s") would be lost"
    #expect(answer.output.contains(lost) == (count > 0), "\(answer)")
  }

  @Test(
    "the order of a relationship is lost if only its inverse is mapped",
    arguments: [
      ("LL: L -> L\n  items <- nothing\n\nTT: T -> T", true),
      ("LL: L -> L\n  omit items\n\nTT: T -> T", true),
      ("LL: L -> L\n\nTT: T -> T\n  list <- nothing", false), ("LL: L -> L\n\nTT: T -> T", false),
    ])
  func order(mapping: String, isLost: Bool) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    func entities(_ more: String) -> String {
      "<entity name='L'>\(more)<relationship name='items' optional='YES' toMany='YES' ordered='YES' destinationEntity='T' inverseName='list' inverseEntity='T'/></entity><entity name='T'><attribute name='k' optional='YES' attributeType='Integer 16'/><relationship name='list' optional='YES' maxCount='1' destinationEntity='L' inverseName='items' inverseEntity='L'/></entity>"
    }
    let session = try Self.session(
      folder, from: entities(""), to: entities(Self.attribute("z", "String")),
      ["T k=0", "T k=1", "T k=2", "L items=p3,p1,p2"], mapping)
    #expect(session("mapping lint m.mapping").output.contains("[loss.unordered]") == isLost)
    let answer = session("\(Self.migration) --strict=links")
    #expect(answer.status == (isLost ? .failed : .done), "\(answer)")
    #expect(answer.output.contains("order lost in 1 object: p1") == isLost, "\(answer)")
    guard !isLost else { return }
    let rows = session(
      "sql s.sqlite 'SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZT ORDER BY Z_FOK_LIST)'")
    #expect(rows.output.contains("3,1,2"), "\(rows)")
  }

  @Test(
    "`plan` counts numbers in the objects that a filter accepts, and the links of two ends once")
  func planned() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    func numbered(_ name: String, _ type: String, _ more: String = "") -> String {
      "<entity name='\(name)'>\(Self.attribute("n", type))\(more)</entity>"
    }
    let box =
      "<relationship name='box' optional='YES' maxCount='1' destinationEntity='Box' inverseName='items' inverseEntity='Box'/>"
    let items =
      "<entity name='Box'><relationship name='items' optional='YES' toMany='YES' destinationEntity='A' inverseName='box' inverseEntity='A'/></entity>"
    let session = try Self.session(
      folder, from: numbered("A", "Integer 32", box) + items,
      to: numbered("Low", "Integer 16") + numbered("High", "Integer 16") + "<entity name='Box'/>",
      ["Box", "A n=1 box=p1", "A n=40000 box=p1", "A n=50000 box=p1"],
      "L: A -> Low\n  where n < 5\n\nH: A -> High\n  where n >= 5\n\nB: Box -> Box")
    let plan = session("plan s.sqlite --to M.xcdatamodeld/V2 --mapping m.mapping")
    #expect(plan.output.contains("High.n  does not fit Integer 16: 2 values (p2, p3)"), "\(plan)")
    #expect(!plan.output.contains("Low.n"), "\(plan)")
    #expect(plan.output.contains("A.box  is removed; its links are lost: 3 links"), "\(plan)")
    #expect(!plan.output.contains("Box.items"), "\(plan)")
    let rehearsed = session("\(Self.migration) --dry-run")
    #expect(rehearsed.output.contains("2 values and 3 links would be lost"), "\(rehearsed)")
  }

  @Test(
    "values that objects of two entities have of one object are not those of objects created twice")
  func copied() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    func entity(_ name: String) -> String {
      "<entity name='\(name)'>\(Self.attribute("k", "Integer 16"))</entity>"
    }
    let session = try Self.session(
      folder, from: entity("A"), to: entity("A") + entity("A2"), ["A k=0", "A k=1"],
      "M1: A -> A\n  where k <= 1\n\nM2: A -> A2\n  where k == 1")
    let answer = session("\(Self.migration) --dry-run --strict")
    #expect(answer.status == .done, "\(answer)")
    #expect(
      answer.output.contains("A.k, A2.k       2      3  kept; 1 copied to another entity too"))
    #expect(!answer.output.contains("created twice"), "\(answer)")
  }

  private static let typeNames = [
    "Integer 16", "Decimal", "Double", "Boolean", "Date", "String", "Binary", "UUID", "URI",
  ]

  @Test(
    "a plain copy is refused where inference refuses the types", arguments: typeNames, typeNames)
  func types(old: String, new: String) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    func entity(_ type: String, _ more: String = "") -> String {
      "<entity name='A'>\(Self.attribute("a", type))\(more)</entity>"
    }
    let value =
      [
        "Date": "2020-01-01T00:00:00Z", "Binary": "0x6162", "URI": "http://a.b",
        "UUID": "11111111-2222-3333-4444-555555555555",
      ][old] ?? "1"
    let session = try Self.session(
      folder, from: entity(old), to: entity(new, Self.attribute("z", "String")), ["A a=\(value)"],
      "AA: A -> A")
    let isInferred = session("infer M.xcdatamodeld/V1 M.xcdatamodeld/V2").status == .done
    #expect((session("mapping lint m.mapping").status == .done) == isInferred)
    let answer = session(Self.migration)
    #expect(answer.status == (isInferred ? .done : .failed), "\(answer)")
    guard !isInferred else { return }
    #expect(
      answer.diagnostics.contains("gets ") && answer.diagnostics.contains(", but requires "),
      "\(answer)")
  }

  @Test("`now:()` is the time of the migration, and of a walk through it")
  func now() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let session = try Self.session(
      folder, from: "<entity name='A'>\(Self.attribute("a", "Integer 16"))</entity>",
      to:
        "<entity name='A'>\(Self.attribute("a", "Integer 16") + Self.attribute("made", "Date"))</entity>",
      ["A a=1"], "AA: A -> A\n  made = now:()")
    #expect(session(Self.migration + " --output o.sqlite").status == .done)
    for condition in ["made <= now:()", "made > CAST(\"2026-01-01T00:00:00Z\", \"NSDate\")"] {
      let count = session("count o.sqlite A --where '\(condition)'")
      #expect(count.output.contains("1"), "\(condition): \(count)")
    }
    for line in ["debug s.sqlite --to M.xcdatamodeld/V2 --mapping m.mapping", "step"] {
      #expect(session(line).status == .done, "\(line)")
    }
    let first = session("eval now:()").output
    #expect(session("eval now:()").output == first && !first.contains("2001"), "\(first)")
  }
}
