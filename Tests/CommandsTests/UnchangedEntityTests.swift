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
}
