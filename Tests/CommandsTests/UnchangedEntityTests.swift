import StrataBase
import StrataCommands
import TestSupport
import Testing

/// An entity whose version hash is the same is copied: renaming identifiers are not hashed, so they move no value.
@Suite("Entities with equal version hashes")
struct UnchangedEntityTests {
  private static func attribute(_ name: String, _ identifier: String?) -> String {
    "<attribute name='\(name)' optional='YES' attributeType='Integer 64'"
      + (identifier.map { " elementID='\($0)'" } ?? "") + "/>"
  }

  private static func model(x: String?, y: String?, other: String) -> String {
    "<model><entity name='Cc'>\(attribute("x", x))\(attribute("y", y))</entity>"
      + "<entity name='Other'>\(attribute("o", nil))\(other)</entity></model>"
  }

  @Test("an attribute of an unchanged parent keeps its values in objects of a changed subentity")
  func inherited() throws {
    func model(x: String?, y: String?, added: String) -> String {
      "<model><entity name='Base'>\(Self.attribute("x", x))\(Self.attribute("y", y))</entity>"
        + "<entity name='C' parentEntity='Base'>\(Self.attribute("c", nil))\(added)</entity></model>"
    }
    for (x, y) in [("y", "x"), ("old", nil)] as [(String, String?)] {
      let folder = try TemporaryFolder()
      try folder.write(
        model(x: nil, y: nil, added: ""), to: "M.xcdatamodeld/A.xcdatamodel/contents")
      try folder.write(
        model(x: x, y: y, added: Self.attribute("w", nil)),
        to: "M.xcdatamodeld/B.xcdatamodel/contents")
      let session = TestSession(in: folder)
      session("create s.sqlite --model M.xcdatamodeld/A")
      session("insert s.sqlite Base x=1 y=2")
      session("insert s.sqlite C x=3 y=4 c=5")
      for options in [" --output x.sqlite", " --proof"] {
        let answer = session("migrate s.sqlite --to M.xcdatamodeld/B\(options)")
        #expect(answer.status == .done && answer.output.contains("migrated; "), "\(answer)")
      }
      for store in ["s.sqlite", "x.sqlite"] {
        let rows = session("rows \(store) Base --model M.xcdatamodeld/B --csv").output
        #expect(rows.contains("p1,1,2") && rows.contains("p2,3,4"), "\(rows)")
      }
    }
  }

  @Test(
    "no value moves, whatever the renaming identifiers are, in place and in passes",
    arguments: [
      ("old", nil), ("y", "x"), ("x", "x2"), (nil, "x1"),
    ] as [(String?, String?)], ["", attribute("n", nil)])
  func values(identifiers: (x: String?, y: String?), added: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Self.model(x: nil, y: nil, other: ""), to: "M.xcdatamodeld/A.xcdatamodel/contents")
    try folder.write(
      Self.model(x: identifiers.x, y: identifiers.y, other: added),
      to: "M.xcdatamodeld/B.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model M.xcdatamodeld/A")
    session("insert s.sqlite Cc x=1 y=2")
    if added.isEmpty {
      #expect(session("compare s.sqlite M.xcdatamodeld/B").status == .done)
    } else {
      let inferred = session("infer M.xcdatamodeld/A M.xcdatamodeld/B")
      #expect(inferred.output.contains("inferable\n"), "\(inferred)")
      #expect(!inferred.output.contains("IEM_Copy_Cc      transform"), "\(inferred)")
    }
    for options in [" --output x.sqlite", ""] {
      let answer = session("migrate s.sqlite --to M.xcdatamodeld/B\(options)")
      #expect(answer.status == .done && answer.output.contains("\nmigrated; "), "\(answer)")
      let store = options.isEmpty ? "s.sqlite" : "x.sqlite"
      #expect(
        session("rows \(store) Cc --model M.xcdatamodeld/B --csv").output == "key,x,y\np1,1,2\n")
    }
  }

  /// Composite attributes of one type, whose names are not hashed.
  private static func places(_ names: [(name: String, identifier: String?)]) -> String {
    names.map {
      "<attribute name='\($0.name)' optional='YES' attributeType='Composite' composite='Place'"
        + ($0.identifier.map { " elementID='\($0)'" } ?? "") + "/>"
    }.joined()
  }

  private static let place =
    "<composite name='Place'>\(attribute("x", nil))\(attribute("y", nil))</composite>"

  /// What Core Data reads of a table that it leaves as it is: the columns are named after the elements alone.
  @Test(
    "composite attributes under other names keep their columns, by position, whatever the identifiers are",
    arguments: [
      [("home", nil), ("rome", nil)], [("home", nil), ("rome", "work")],
      [("dorm", "home"), ("work", nil)], [("dorm", "work"), ("rome", "home")],
      [("dorm", nil), ("home", nil)], [("work", nil), ("wow", nil)],
    ] as [[(String, String?)]], ["", attribute("n", nil)])
  func composites(names: [(name: String, identifier: String?)], added: String) throws {
    func model(_ names: [(name: String, identifier: String?)], _ added: String) -> String {
      "<model><entity name='Base'>\(Self.attribute("x", nil))\(Self.places(names))</entity>"
        + "<entity name='C' parentEntity='Base'>\(added)</entity>\(Self.place)</model>"
    }
    let folder = try TemporaryFolder()
    try folder.write(
      model([("home", nil), ("work", nil)], ""), to: "M.xcdatamodeld/A.xcdatamodel/contents")
    try folder.write(model(names, added), to: "M.xcdatamodeld/B.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model M.xcdatamodeld/A")
    for entity in ["Base", "C"] {
      session("insert s.sqlite \(entity) x=1 home.x=2 home.y=3 work.x=4 work.y=5")
    }
    let compatible = session("compare s.sqlite M.xcdatamodeld/B").status == .done
    #expect(compatible == added.isEmpty)
    #expect(!session("infer M.xcdatamodeld/A M.xcdatamodeld/B").output.contains("loss."))
    func columns(_ store: String) throws -> [String] {
      try ["ZX", "ZX1", "ZX2", "ZY", "ZY1"].map {
        try Python.value("SELECT group_concat(\($0)) FROM ZBASE", in: folder.path(store))
      }
    }
    let before = try columns("s.sqlite")
    #expect(Set(before) == ["1,1", "2,2", "3,3", "4,4", "5,5"])
    for options in [" --output x.sqlite", " --output x.xml", ""] {
      let answer = session("migrate s.sqlite --to M.xcdatamodeld/B\(options)")
      #expect(answer.status == .done && answer.output.contains("\nmigrated; "), "\(answer)")
      let store = options.isEmpty ? "s.sqlite" : options.dropFirst(10)
      let values = [names[0].name, names[1].name].enumerated().flatMap { index, name in
        ["x", "y"].enumerated().map { ("\(name).\($0.element)", 2 + 2 * index + $0.offset) }
      }
      for (path, value) in values + [("x", 1)] {
        let count = session(
          "count \(store) Base --where '\(path) == \(value)' --model M.xcdatamodeld/B")
        #expect(count.output == "2\n", "\(path) \(store) \(count)")
      }
    }
    #expect(try columns("s.sqlite") == before)
  }

  @Test(
    "a derived attribute under another name is a risk: Core Data does not see it, and the table lacks its column",
    arguments: [nil, "number"], ["", attribute("n", nil)])
  func derived(identifier: String?, added: String) throws {
    func model(_ name: String, _ identifier: String?, _ added: String) -> String {
      "<model><entity name='Cc'>\(Self.attribute("x", nil))<attribute name='\(name)' optional='YES' "
        + "attributeType='Integer 64' derived='YES' derivationExpression='others.@count'"
        + (identifier.map { " elementID='\($0)'" } ?? "")
        + "/><relationship name='others' optional='YES' toMany='YES' destinationEntity='Other' inverseName='c' "
        + "inverseEntity='Other'/></entity><entity name='Other'>\(added)<relationship name='c' optional='YES' "
        + "maxCount='1' destinationEntity='Cc' inverseName='others' inverseEntity='Cc'/></entity></model>"
    }
    let folder = try TemporaryFolder()
    try folder.write(model("number", nil, ""), to: "M.xcdatamodeld/A.xcdatamodel/contents")
    try folder.write(
      model("amount", identifier, added), to: "M.xcdatamodeld/B.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model M.xcdatamodeld/A")
    session("insert s.sqlite Cc x=1")
    session("insert s.sqlite Other c=p1")
    #expect(
      session("infer M.xcdatamodeld/A M.xcdatamodeld/B").output.contains(
        "try M.xcdatamodeld/B.Cc versionHashModifier 2\n"))
    var lines = ["infer M.xcdatamodeld/A M.xcdatamodeld/B", "plan s.sqlite --to M.xcdatamodeld/B"]
    if added.isEmpty { lines.append("compare s.sqlite M.xcdatamodeld/B") }
    for line in lines {
      let answer = session(line)
      #expect(
        answer.status == .done && answer.output.contains("[inference.unhashedRename]"), "\(answer)")
    }
    for options in [" --output x.sqlite", " --proof"] {
      let answer = session("migrate s.sqlite --to M.xcdatamodeld/B\(options)")
      #expect(answer.status == .done && answer.output.contains("migrated; "), "\(answer)")
      let store = options == " --proof" ? "s.sqlite" : "x.sqlite"
      #expect(try Python.value("SELECT ZAMOUNT FROM ZCC", in: folder.path(store)) == "1")
      session("insert \(store) Other c=p1")
      #expect(session("count \(store) Cc --where 'amount == 2'").output == "1\n")
    }
  }

  @Test("composite attributes that trade places with those of a subentity keep their columns")
  func tradedPlaces() throws {
    func model(_ own: String, _ other: String) -> String {
      "<model><entity name='Base'>\(Self.places([(own, nil)]))</entity>"
        + "<entity name='C' parentEntity='Base'>\(Self.places([(other, nil)]))</entity>\(Self.place)</model>"
    }
    let folder = try TemporaryFolder()
    try folder.write(model("p", "q"), to: "M.xcdatamodeld/A.xcdatamodel/contents")
    try folder.write(model("q", "p"), to: "M.xcdatamodeld/B.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model M.xcdatamodeld/A")
    session("insert s.sqlite C p.x=2 q.x=3")
    let columns = "SELECT ZX || ' ' || ZX1 FROM ZBASE"
    #expect(try Python.value(columns, in: folder.path("s.sqlite")) == "2 3")
    session("migrate s.sqlite --to M.xcdatamodeld/B --from M.xcdatamodeld/A --output x.sqlite")
    session("migrate s.sqlite --to M.xcdatamodeld/B --from M.xcdatamodeld/A")
    for store in ["s.sqlite", "x.sqlite"] {
      #expect(try Python.value(columns, in: folder.path(store)) == "2 3", "\(store)")
      let count = session(
        "count \(store) C --where 'q.x == 2 AND p.x == 3' --model M.xcdatamodeld/B")
      #expect(count.output == "1\n", "\(store) \(count)")
    }
  }

  @Test(
    "equal renaming identifiers prevent nothing between equal hashes",
    arguments: ["", " --output x.xml"])
  func ambiguous(options: String) throws {
    func model(_ derived: String, _ identifier: String?) -> String {
      "<model><entity name='Cc'>\(Self.attribute("a", nil))\(Self.attribute("b", identifier))"
        + "<attribute name='\(derived)' optional='YES' attributeType='Date' derived='YES' derivationExpression='now:()'/>"
        + "</entity></model>"
    }
    let folder = try TemporaryFolder()
    try folder.write(model("d", nil), to: "M.xcdatamodeld/A.xcdatamodel/contents")
    try folder.write(model("e", "a"), to: "M.xcdatamodeld/B.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model M.xcdatamodeld/A")
    session("insert s.sqlite Cc a=1 b=2")
    let ends = "--to M.xcdatamodeld/B --from M.xcdatamodeld/A"
    #expect(session("plan s.sqlite \(ends)").output.contains("[inference.unhashedRename]"))
    let answer = session("migrate s.sqlite \(ends)\(options)")
    #expect(answer.output.contains("migrated; "), "\(answer)")
    let store = options.isEmpty ? "s.sqlite" : "x.xml"
    let rows = session("count \(store) Cc --where 'a == 1 AND b == 2' --model M.xcdatamodeld/B")
    #expect(rows.output == "1\n", "\(rows)")
  }
}
