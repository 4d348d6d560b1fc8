import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What `find` finds, beside what a predicate counts.
@Suite("Numbers that policies and stages look for")
struct SearchedNumberTests {
  private static let numbers = ["0", "1", "2", "2.5", "5", "100000", "-3", "1e300"]

  @Test(
    "find links an object to one that a predicate counts, or to none, and loses nothing",
    arguments: ["Integer_16", "Integer_32", "Integer_64", "Boolean", "Double", "Float", "Decimal"],
    ["policy", "stage"])
  func found(type: String, road: String) throws {
    let folder = try TemporaryFolder()
    func version(_ rest: String) -> String {
      """
      Item
        r Double
        \(rest)
        tag -> Tag inverse=items
      Tag
        n \(type)
        items -> Item many inverse=tag
      """
    }
    try folder.writeBundle(brief: [
      "V1": version("k String"), "V2": version("k String\n  x String"),
    ])
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/V1")
    session("insert s.sqlite Tag")
    for number in ["1", "2"] where type != "Boolean" || number == "1" {
      session("insert s.sqlite Tag n=\(number)")
    }
    for number in Self.numbers { session("insert s.sqlite Item r=\(number)") }
    let expected = try Self.numbers.map { number in
      let count = session("count s.sqlite Tag --where 'n == \(number)'").output
      let key = try Python.value(
        "SELECT min(Z_PK) FROM ZTAG WHERE ZN = \(number)", in: folder.path("s.sqlite"))
      #expect((key == "None") == (count == "0\n"), "\(number)")
      return key
    }
    try folder.write(
      "mapping from X.xcdatamodeld/V1 to X.xcdatamodeld/V2\n\nTags: Tag -> Tag\n\nItems: Item -> Item\n  policy P\n",
      to: "m.mapping")
    try folder.write("policy P\n  set tag = find Tag where n == $source.r\n", to: "p.policy")
    try folder.write(
      "stage custom V1 -> V2\n  will: Item: set tag = find Tag where n == r\n", to: "s.stages")
    let options =
      road == "stage" ? "--stages s.stages" : "--mapping m.mapping --policies p.policy"
    let migrated = session(
      "migrate s.sqlite --to X.xcdatamodeld/V2 \(options) --strict=values,rows,links")
    #expect(migrated.status == .done, "\(migrated)")
    let links = try Python.run(
      """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute("SELECT ZTAG FROM ZITEM ORDER BY Z_PK"):
          print(row[0])
      """, arguments: [folder.path("s.sqlite")])
    #expect(links.split(separator: "\n").map(String.init) == expected, "\(migrated)")
  }

  @Test(
    "a number that an attribute cannot have is created for, and lost",
    arguments: ["policy", "stage"])
  func created(road: String) throws {
    let folder = try TemporaryFolder()
    func version(_ rest: String) -> String {
      """
      Item
        r Double
        k String\(rest)
        tag -> Tag inverse=items
      Tag
        n Integer_16
        items -> Item many inverse=tag
      """
    }
    try folder.writeBundle(brief: ["V1": version(""), "V2": version("\n  x String")])
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/V1")
    session("insert s.sqlite Tag")
    session("insert s.sqlite Tag n=2")
    for number in ["2", "2.5", "100000"] { session("insert s.sqlite Item r=\(number)") }
    try folder.write(
      "mapping from X.xcdatamodeld/V1 to X.xcdatamodeld/V2\n\nTags: Tag -> Tag\n\nItems: Item -> Item\n  policy P\n",
      to: "m.mapping")
    try folder.write(
      "policy P\n  set tag = find or create Tag where n == $source.r\n", to: "p.policy")
    try folder.write(
      "stage custom V1 -> V2\n  will: Item: set tag = find or create Tag where n == r\n",
      to: "s.stages")
    let options =
      road == "stage" ? "--stages s.stages" : "--mapping m.mapping --policies p.policy"
    let migrated = session("migrate s.sqlite --to X.xcdatamodeld/V2 \(options)")
    #expect(migrated.output.contains("1 truncated") && migrated.output.contains("1 out of range"))
    let links = try Python.run(
      """
      import sqlite3, sys
      query = "SELECT i.ZR, t.Z_PK, t.ZN FROM ZITEM i JOIN ZTAG t ON t.Z_PK = i.ZTAG ORDER BY 1"
      print(sqlite3.connect(sys.argv[1]).execute(query).fetchall())
      """, arguments: [folder.path("s.sqlite")])
    #expect(links == "[(2.0, 2, 2), (2.5, 3, 2), (100000.0, 4, None)]\n", "\(migrated)")
  }
}
