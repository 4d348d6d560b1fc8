import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Watchpoints on a property of all objects")
struct WatchTests {
  private static let migrations = [
    ("sample:Phone", "sample:Topics/Model2 --strategy custom"),
    ("sample:Phone", "sample:Topics/Model2 --strategy lightweight"),
    ("recipes", "sample:Recipes/Recipes2 --strategy custom"),
  ]

  /// A session in the stepper.
  private static func session(
    _ migration: (store: String, to: String), in folder: TemporaryFolder
  ) -> TestSession {
    let session = TestSession(in: folder)
    if migration.store == "recipes" {
      session("create s.sqlite --model sample:Recipes/Recipes1 --rows 3 --seed 5 --force")
    } else {
      session("create s.sqlite --copy \(migration.store) --force")
    }
    let begun = session("debug s.sqlite --to \(migration.to)")
    #expect(begun.status == .done, "\(begun)")
    return session
  }

  private struct Stop: Decodable {
    var mark: Int
    var reason: String
  }

  /// The stops of a movement that is repeated up to the end.
  private static func stops(
    of line: String, in session: TestSession, _ body: (Stop) throws -> Void
  ) throws {
    while true {
      let answer = session("\(line) --json").output
      let stop = try JSONDecoder().decode(Stop.self, from: Data(answer.utf8))
      try body(stop)
      guard ["arrived", "watch"].contains(stop.reason) else { return }
    }
  }

  /// The values of a property by object, as `rows` reads them; those without a value are omitted.
  private static func values(
    _ property: String, of entity: String, _ session: TestSession
  ) -> [String: String]? {
    let answer = session("rows destination \(entity) --columns \(property) --json --limit 0")
    guard answer.status == .done else { return nil }
    var values: [String: String] = [:]
    for line in answer.output.split(separator: "\n") {
      let members = line.wholeMatch(of: /\{"objectID":"([^"]*)","\w+":(.*)\}/)
      guard let members, !["null", "[]"].contains(members.2) else { continue }
      values[String(members.1)] = String(members.2)
    }
    return values
  }

  @Test(
    "continue stops at exactly the steps after which `rows` shows other values",
    arguments: [
      (0, "Topic", "content"), (0, "Topic", "timeBudget"), (0, "Topic", "topicList"),
      (0, "TopicList", "topics"), (1, "Topic", "timeBudget"), (2, "Chef", "firstName"),
      (2, "Chef", "recipes"), (2, "Recipe", "cuisine"), (2, "Cuisine", "name"),
    ])
  func stops(migration: Int, entity: String, property: String) throws {
    let folder = try TemporaryFolder()
    var session = Self.session(Self.migrations[migration], in: folder)
    var expected: [Int] = []
    var before = Self.values(property, of: entity, session) ?? [:]
    try Self.stops(of: "step", in: session) { stop in
      guard let now = Self.values(property, of: entity, session), now != before else { return }
      before = now
      expected.append(stop.mark)
    }
    session = Self.session(Self.migrations[migration], in: folder)
    session("watch \(entity).\(property)")
    var stops: [Int] = []
    try Self.stops(of: "continue", in: session) { stop in
      if stop.reason == "watch" { stops.append(stop.mark) }
    }
    #expect(!expected.isEmpty)
    #expect(stops == expected)
  }

  @Test("the first object that changed is named with its values, others are counted")
  func text() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(Self.migrations[0], in: folder)
    #expect(session("watch Topic.content").output == "watchpoint 1: Topic.content: 0 values\n")
    #expect(
      session("continue").output.contains(
        "watchpoint 1: Topic/p1.content nil -> \"How hashes are made.\""))
    #expect(session("watch Topic.nothing").status == .failed)
    let inPlace = Self.session(Self.migrations[1], in: folder)
    inPlace("watch Topic.timeBudget")
    let answer = inPlace("continue").output
    #expect(
      answer.contains("watchpoint 1: Topic/p1.timeBudget nil -> 5  and 8 others"), "\(answer)")
  }

  @Test(
    "sql without a store asks the destination, and says so; outside of the stepper it needs one")
  func sides() throws {
    let folder = try TemporaryFolder()
    let session = Self.session(Self.migrations[0], in: folder)
    let query = "'SELECT count(*) AS n FROM ZTOPIC'"
    #expect(session("sql \(query)").output == "in the destination store\nn\n0\n")
    #expect(session("sql source \(query)").output == "in the source store\nn\n9\n")
    #expect(session("sql s.sqlite \(query)").output == "n\n9\n")
    #expect(session("sql \(query) --json").output == "{\"n\":0}\n")
    session("abandon")
    #expect(session("sql \(query)").status == .usage)
  }

  @Test("entity numbers that change in place are no change of the objects")
  func renumbering() throws {
    let old: TemporaryProject.Version = ["Bed": ["n": "String"], "Plant": ["c": "Integer 32"]]
    var new = old
    new["Aster"] = ["x": "String"]
    let project = try TemporaryProject([("M1", old), ("M2", new)])
    let session = project.session
    session("create s.sqlite --model M1 --rows 3 --seed 2")
    #expect(session("debug s.sqlite --to M2").status == .done)
    for watched in ["Plant.c", "Bed", "Plant"] {
      #expect(session("watch \(watched)").status == .done)
    }
    let answer = session("continue")
    #expect(answer.output.contains("migration complete"), "\(answer)")
    #expect(session("destination Bed").output.contains("p3"))
    // In between, no model describes the rows.
    session("restart")
    var refusals = 0
    while !session("step").output.contains("migration complete") {
      let rows = session("destination Bed")
      if rows.diagnostics.contains("[step.betweenModels]") { refusals += 1 }
      #expect(rows.status == .failed || rows.output.contains("p3"), "\(rows)")
    }
    #expect(refusals > 0)
  }

  @Test("bytes of the same length are another value", arguments: ["UUID", "Binary"])
  func bytes(type: String) throws {
    let folder = try TemporaryFolder()
    let attributes = ["u", "v"].map { "  \($0) \(type)" }.joined(separator: "\n")
    try folder.writeBundle(brief: [
      "V1": "Item\n\(attributes)", "V2": "Item\n\(attributes)\n  x String",
    ])
    try folder.write(
      "mapping from X.xcdatamodeld/V1 to X.xcdatamodeld/V2\n\nItems: Item -> Item\n  policy P\n",
      to: "m.mapping")
    try folder.write("policy P\n  in relationships: set u = $source.v\n", to: "p.policy")
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/V1")
    let digits = String(repeating: "0", count: 11)
    for (first, second) in [("1", "2"), ("3", "3")] {
      func value(_ digit: String) -> String {
        type == "UUID" ? "00000000-0000-0000-0000-\(digits)\(digit)" : "0x0\(digit)"
      }
      session("insert s.sqlite Item u=\(value(first)) v=\(value(second))")
    }
    session("debug s.sqlite --to X.xcdatamodeld/V2 --mapping m.mapping --policies p.policy")
    session("watch Item.u")
    var reasons: [String] = []
    try Self.stops(of: "continue", in: session) { reasons.append($0.reason) }
    // Both objects are created with bytes, and one gets others.
    #expect(reasons == ["watch", "watch", "watch", "end"])
  }
}
