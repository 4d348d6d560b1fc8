import StrataBase
import StrataCommands
import TestSupport
import Testing

/// R-tree indexes, which triggers of the store keep up to date: every road that changes objects lets them.
@Suite("R-tree indexes of changed stores")
struct TreeIndexTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    func place(_ name: String, _ more: String = "") -> String {
      let index =
        "<fetchIndex name='geo'><fetchIndexElement property='\(name)' type='RTree' order='ascending'/></fetchIndex>"
      return RuleCases.entity(
        "Place",
        RuleCases.attribute(name, "Double", "\(RuleCases.optional) elementID='lat'")
          + RuleCases.relationship("owner", to: "Owner", inverse: "places") + more + index)
        + RuleCases.entity(
          "Owner",
          RuleCases.relationship(
            "places", to: "Place", inverse: "owner", "\(RuleCases.optional) toMany='YES'"))
    }
    try folder.writeBundle([
      "V0": RuleCases.entity("Place", RuleCases.attribute("lat", "Double")), "V1": place("lat"),
      "V2": place("latitude"), "V3": place("lat", RuleCases.attribute("note")),
    ])
    session("load X.xcdatamodeld")
    session("create places.sqlite --model X/V1")
    session("insert places.sqlite Owner")
    for latitude in ["1.5", "nil", "-3"] {
      session("insert places.sqlite Place lat=\(latitude) owner=p1")
    }
  }

  /// The number of places, each of which the tree has; by Python's SQLite, which also checks the tree.
  private func count(_ column: String = "ZLAT") throws -> String {
    let path = folder.path("places.sqlite")
    #expect(try Python.value("SELECT rtreecheck('Z_RT_Place_geo')", in: path) == "ok")
    let found = try Python.value(
      "SELECT count(*) FROM ZPLACE p JOIN Z_RT_Place_geo t USING (Z_PK) WHERE coalesce(p.\(column), 0) BETWEEN t.\(column)_MIN AND t.\(column)_MAX",
      in: path)
    let (rows, leaves) = (
      try Python.value("SELECT count(*) FROM ZPLACE", in: path),
      try Python.value("SELECT count(*) FROM Z_RT_Place_geo", in: path)
    )
    #expect(rows == found && leaves == found)
    return found
  }

  @Test("objects are inserted, deleted, and changed with another one")
  func objects() throws {
    #expect(try count() == "3")
    #expect(session("delete places.sqlite Place p2").status == .done)
    #expect(try count() == "2")
    #expect(session("delete places.sqlite Owner p1").output.contains("changed"))
    #expect(try count() == "2")
    #expect(session("validate places.sqlite").status == .done)
  }

  @Test("objects are appended")
  func appended() throws {
    session("create more.sqlite --model X/V0")
    for latitude in ["9", "-9.25", "nil", "1e30"] {
      session("insert more.sqlite Place lat=\(latitude)")
    }
    let answer = session(
      "migrate more.sqlite --to X/V1 --output places.sqlite --append")
    #expect(answer.output.contains("appended"), "\(answer)")
    #expect(try count() == "7")
  }

  @Test(
    "stores are migrated in place, by a stage that changes objects too, and into another store",
    arguments: ["", " --strategy staged --stages s.stages", " --output places.sqlite --force"])
  func migrated(options: String) throws {
    try folder.write(
      "stage custom V1 -> V3\n  did: Place: set lat = 7 when lat == nil\n", to: "s.stages")
    if options.hasPrefix(" --output") { session("create old.sqlite --copy places.sqlite") }
    let source = options.hasPrefix(" --output") ? "old.sqlite" : "places.sqlite"
    for (version, column) in [("V3", "ZLAT"), ("V2", "ZLATITUDE")] {
      guard version == "V3" || options.isEmpty else { continue }
      let answer = session("migrate \(source) --to X/\(version)\(options)")
      #expect(answer.output.contains("migrated"), "\(answer)")
      #expect(try count(column) == "3")
    }
  }

  @Test("a stage sets an attribute that gets its tree in the same migration")
  func newTree() throws {
    session("create new.sqlite --model X/V0")
    session("insert new.sqlite Place lat=1")
    try folder.write("stage custom V0 -> V1\n  did: Place: set lat = 2\n", to: "s.stages")
    let answer = session("migrate new.sqlite --to X/V1 --strategy staged --stages s.stages")
    #expect(answer.output.contains("migrated"), "\(answer)")
    let leaf = try Python.value(
      "SELECT ZLAT_MIN FROM Z_RT_Place_geo", in: folder.path("new.sqlite"))
    #expect(leaf == "2.0")
  }

  @Test(
    "a view of the user on an R-tree is kept, in place and in passes",
    arguments: ["", " --output new.sqlite"])
  func view(options: String) throws {
    try Python.run(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).execute("CREATE VIEW found AS SELECT Z_PK FROM Z_RT_Place_geo")
      """, arguments: [folder.path("places.sqlite")])
    let answer = session("migrate places.sqlite --to X/V3\(options)")
    #expect(answer.output.contains("migrated; ") && answer.diagnostics.isEmpty, "\(answer)")
    let path = folder.path(options.isEmpty ? "places.sqlite" : "new.sqlite")
    #expect(try Python.value("SELECT count(*) FROM found", in: path) == "3")
  }

  @Test("an object is inserted into an XML store")
  func document() throws {
    session("create places.xml --model X/V1")
    #expect(session("insert places.xml Place lat=2 --model X/V1").status == .done)
    #expect(session("count places.xml Place --model X/V1").output == "1\n")
  }

  @Test("a store with a virtual table of another kind is not trusted")
  func foreign() throws {
    try Python.run(
      """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).execute("CREATE VIRTUAL TABLE words USING fts5(word)")
      """, arguments: [folder.path("places.sqlite")])
    let answer = session("insert places.sqlite Place lat=1")
    #expect(answer.status == .failed && answer.diagnostics.contains("unsafe use"), "\(answer)")
    #expect(try count() == "3")
  }
}
