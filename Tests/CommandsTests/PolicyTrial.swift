import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Two versions of a model, a store, a mapping model and policies.
///
/// Objects that policies create have the tag `new`.
struct PolicyTrial: CustomStringConvertible {
  /// The ends of a relationship from `I` to `S`: whether they are to-many, and whether the second one exists.
  struct Ends: Encodable {
    var own: Bool
    var other: Bool
    var hasInverse: Bool
  }

  /// What is lost and different, for each relationship and entity.
  struct Findings: Decodable, Equatable {
    var lost: [String: Int]
    var changed: [String: Int]
    var onlyInFirst: [String: Int]
    var onlyInSecond: [String: Int]
  }

  private var random: SeededRandom
  private let ends: (old: [Ends], new: [Ends])
  private let count: Int
  private var policies: [String: [String]] = [:]
  private var mapping = ""

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    var (old, new): ([Ends], [Ends]) = ([], [])
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let own = Bool.random(using: &random)
      let hasInverse = Int.random(in: 0..<6, using: &random) > 0
      var ends = Ends(
        own: own, other: hasInverse && Bool.random(using: &random), hasInverse: hasInverse)
      old.append(ends)
      if Int.random(in: 0..<4, using: &random) == 0 { ends.own.toggle() }
      if hasInverse, Int.random(in: 0..<4, using: &random) == 0 { ends.other.toggle() }
      new.append(ends)
    }
    ends = (old, new)
    count = Int.random(in: 3...6, using: &random)
    for entity in ["I", "S"] { addPolicy(of: entity) }
    for entity in ["I", "S"] { addMappings(of: entity) }
  }

  var description: String {
    mapping
      + policies.map { "policy P\($0)\n  " + $1.joined(separator: "\n  ") }.joined(separator: "\n")
      + "\n\(ends)"
  }

  private mutating func addPolicy(of entity: String) {
    guard Int.random(in: 0..<3, using: &random) > 0 else { return }
    var statements: [String] = []
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      if let statement = link(of: entity) { statements.append(statement) }
    }
    let group = Int.random(in: 1...3, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: statements.insert("skip when kind == '\(group)'", at: 0)
    case 1: statements.append("delete when kind == '\(group)'")
    case 2: statements.insert("one destination for each kind", at: 0)
    default: statements.append("set wish = 'y'")
    }
    policies[entity] = statements
  }

  private mutating func link(of entity: String) -> String? {
    let index = Int.random(in: 0..<ends.old.count, using: &random)
    guard entity == "I" || ends.old[index].hasInverse else { return nil }
    let (name, other) = entity == "I" ? ("r\(index)", "S") : ("q\(index)", "I")
    let key = ["wish", "kind", "name"].randomElement(using: &random) ?? ""
    var phase =
      ["", "in end: ", "in end of creation: ", "in end of relationships: "]
      .randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      // Before, there are no objects to find.
      if phase == "in end of creation: " { phase = "" }
      return "\(phase)set \(name) = find \(other) where name == $source.\(key)"
    case 1: return "\(phase)set \(name) = create \(other) with name = 'new', tag = 'new'"
    default:
      return
        "\(phase)set \(name) = find or create \(other) where name == $source.\(key) with tag = 'new'"
    }
  }

  /// A stage that sets relationships, none of which it uses.
  mutating func stages() -> String {
    let lines = (0..<Int.random(in: 1...3, using: &random)).compactMap { _ -> String? in
      let entity = Bool.random(using: &random) ? "I" : "S"
      guard let statement = link(of: entity)?.split(separator: ": ").last else { return nil }
      let condition =
        ["", " when kind == '1'", " when kind != '2'"].randomElement(using: &random) ?? ""
      return "  will: \(entity): \(statement.replacing("$source.", with: ""))\(condition)\n"
    }
    return "stage custom V1 -> V2\n" + lines.joined()
  }

  private mutating func addMappings(of entity: String) {
    let filters: [String] =
      switch Int.random(in: 0..<5, using: &random) {
      case 0: ["kind != '2'"]
      case 1: ["kind == '1'", "kind != '1'"]
      default: [""]
      }
    for (index, filter) in filters.enumerated() {
      mapping += "\(entity)\(index): \(entity) -> \(entity)\n"
      if !filter.isEmpty { mapping += "  where \(filter)\n" }
      if policies[entity] != nil { mapping += "  policy P\(entity)\n" }
    }
  }

  private static func model(_ ends: [Ends], _ modifier: String) -> String {
    var (items, subs) = ("I versionHashModifier=\(modifier)\n", "S\n")
    for name in ["name", "wish", "kind", "tag"] {
      items += "  \(name) String\n"
      subs += "  \(name) String\n"
    }
    for (index, ends) in ends.enumerated() {
      items +=
        "  r\(index) -> S \(ends.own ? "many " : "")\(ends.hasInverse ? "inverse=q\(index)" : "")\n"
      if ends.hasInverse {
        subs += "  q\(index) -> I \(ends.other ? "many " : "")inverse=r\(index)\n"
      }
    }
    return items + subs
  }

  mutating func session(in folder: TemporaryFolder) throws -> TestSession {
    try folder.writeBundle(brief: [
      "V1": Self.model(ends.old, "1"), "V2": Self.model(ends.new, "2"),
    ])
    try folder.write(
      "mapping from X.xcdatamodeld/V1 to X.xcdatamodeld/V2\n" + mapping, to: "m.mapping")
    let texts = policies.map { "policy P\($0)\n" + $1.map { "  \($0)\n" }.joined() }
    try folder.write(texts.joined(), to: "p.policy")
    let session = TestSession(in: folder)
    makeStore("s.sqlite", session)
    return session
  }

  /// - Parameter prefix: What names begin with.
  mutating func makeStore(_ store: String, _ session: TestSession, prefix: String = "") {
    session("create \(store) --model X.xcdatamodeld/V1")
    for entity in ["S", "I"] {
      for number in 1...count {
        var line =
          "insert \(store) \(entity) name=\(prefix)\(number) wish=\(Int.random(in: 1...count, using: &random)) "
        line += "kind=\(Int.random(in: 1...3, using: &random))"
        for (index, ends) in ends.old.enumerated()
        where entity == "I" && Int.random(in: 0..<5, using: &random) > 0 {
          let subs = (1...count).shuffled(using: &random).prefix(ends.own ? 3 : 1)
          line += " r\(index)=" + subs.map { "S/p\($0)" }.joined(separator: ",")
        }
        #expect(session(line).status == .done, "\(line)")
      }
    }
  }

  /// The number of links in a copy of a store that are gone from the store itself.
  ///
  /// - Parameter isMigrated: Whether the copy is at the old version.
  func goneCount(from copy: String, in store: String, isMigrated: Bool = false) throws -> Int {
    let pairs = zip(isMigrated ? ends.old : ends.new, ends.new).map { [$0, $1] }
    let output = try Python.run(
      Self.reading + """

        before, after = (sqlite3.connect(path) for path in sys.argv[1:3])
        print(sum(
            len(links(before, index, old) - links(after, index, new))
            for index, (old, new) in enumerate(json.loads(sys.argv[3]))))
        """,
      arguments: [copy, store, String(decoding: try JSONEncoder().encode(pairs), as: UTF8.self)])
    return try #require(Int(output.trimmingCharacters(in: .newlines)))
  }

  /// What Python finds in both stores.
  func expected(in folder: TemporaryFolder) throws -> Findings {
    struct Facts: Encodable {
      var old: [Ends]
      var new: [Ends]
      /// The relationships that policies set.
      var set: [Int]
      /// The entities whose objects a policy joins.
      var joined: [String]
    }
    let statements = policies.values.joined()
    let facts = Facts(
      old: ends.old, new: ends.new,
      set: ends.old.indices.filter { index in
        statements.contains { $0.contains("set r\(index) ") || $0.contains("set q\(index) ") }
      },
      joined: policies.filter { $1.contains { $0.hasPrefix("one destination") } }.map(\.key))
    let output = try Python.run(
      Self.oracle,
      arguments: [
        folder.path("s.sqlite"), folder.path("o.sqlite"),
        String(decoding: try JSONEncoder().encode(facts), as: UTF8.self),
      ])
    return try JSONDecoder().decode(Findings.self, from: Data(output.utf8))
  }

  private static let reading = """
    import json, sqlite3, sys
    def objects(store, entity):
        return dict(store.execute("SELECT Z_PK, ZNAME FROM Z%s WHERE ZTAG IS NOT 'new'" % entity))
    def links(store, index, ends):
        number = dict(store.execute("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY"))
        if not ends["own"]:
            sql = "SELECT Z_PK, ZR%d FROM ZI WHERE ZR%d NOT NULL" % (index, index)
        elif not ends["hasInverse"]:
            column = "Z%dR%d" % (number["I"], index)
            sql = "SELECT %s, Z_PK FROM ZS WHERE %s NOT NULL" % (column, column)
        elif not ends["other"]:
            sql = "SELECT ZQ%d, Z_PK FROM ZS WHERE ZQ%d NOT NULL" % (index, index)
        else:
            table, = [row[0] for row in store.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (?, ?)",
                ("Z_%dR%d" % (number["I"], index), "Z_%dQ%d" % (number["S"], index)))]
            columns = [row[1] for row in store.execute("PRAGMA table_info(%s)" % table)]
            ends = [next(c for c in columns if c.startswith("Z_%d" % number[e])) for e in "IS"]
            sql = "SELECT %s, %s FROM %s" % (*ends, table)
        items, subs = objects(store, "I"), objects(store, "S")
        return {(items.get(i), subs.get(s)) for i, s in store.execute(sql)}
    """

  private static let oracle =
    reading + """

      old, new = (sqlite3.connect(path) for path in sys.argv[1:3])
      facts = json.loads(sys.argv[3])
      # The object that an object becomes: with others, the first of them.
      become = {}
      for entity in "IS":
          first = {}
          for name, kind in old.execute("SELECT ZNAME, ZKIND FROM Z%s ORDER BY Z_PK" % entity):
              become[entity, name] = first.setdefault(kind, name) if entity in facts["joined"] else name
      result = {"lost": {}, "changed": {}, "onlyInFirst": {}, "onlyInSecond": {}}
      alive = {entity: set(objects(new, entity).values()) for entity in "IS"}
      changed = {"I": set(), "S": set()}
      for index, (before, after) in enumerate(zip(facts["old"], facts["new"])):
          was, now = links(old, index, before), links(new, index, after)
          result["lost"]["I.r%d" % index] = sum(
              (become["I", i], become["S", s]) not in now for i, s in was)
          if facts["joined"] or index in facts["set"]: continue
          for i, s in was ^ now:
              changed["I"].add(i)
              if before["hasInverse"]: changed["S"].add(s)
      for entity in "IS":
          result["changed"][entity] = len(changed[entity] & alive[entity])
          gone = set(objects(old, entity).values()) - alive[entity]
          result["onlyInFirst"][entity] = 0 if entity in facts["joined"] else len(gone)
          result["onlyInSecond"][entity] = 0
      print(json.dumps(result))
      """
}

extension PolicyTrial {
  /// The lost links of each relationship in the JSON of `migrate`.
  static func lostLinks(_ migrated: Data) throws -> [String: Int] {
    struct Migration: Decodable {
      struct Hop: Decodable { var properties: [Property] }
      struct Property: Decodable {
        var sources: [String]
        var lost: Int
        var isRelationship: Bool?
      }
      var hops: [Hop]
    }
    let properties = try JSONDecoder().decode(Migration.self, from: migrated).hops[0].properties
    return Dictionary(
      uniqueKeysWithValues: properties.filter { $0.isRelationship == true }.compactMap { property in
        property.sources.first.map { ($0, property.lost) }
      })
  }
}

extension PolicyTrial.Findings {
  /// - Parameters:
  ///   - migrated: The JSON of `migrate`.
  ///   - compared: The JSON of `compare --rows`.
  init(migrated: Data, compared: Data) throws {
    struct Comparison: Decodable {
      struct Element: Decodable {}
      struct Entity: Decodable {
        var changed: [Element]
        var onlyInFirst: [Element]
        var onlyInSecond: [Element]
      }
      var entities: [String: Entity]
    }
    let entities = try JSONDecoder().decode(Comparison.self, from: compared).entities
    self.init(
      lost: try PolicyTrial.lostLinks(migrated), changed: entities.mapValues(\.changed.count),
      onlyInFirst: entities.mapValues(\.onlyInFirst.count),
      onlyInSecond: entities.mapValues(\.onlyInSecond.count))
  }
}
