import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Deletions")
struct DeletionTests {
  /// An end of the relationship between A and B.
  private enum End: String, CaseIterable {
    case one, many, ordered

    func relationship(_ name: String, to destination: String, inverse: String?) -> Relationship {
      var found = Relationship(
        name: name, destinationName: destination, isOptional: true, isToMany: self != .one)
      found.inverseName = inverse
      found.isOrdered = self == .ordered
      return found
    }
  }

  /// The two ends; `s` is `nil` if `r` has no inverse.
  private struct Shape: CustomTestStringConvertible {
    var r: End
    var s: End?

    static let all = End.allCases.flatMap { r in
      [Shape(r: r, s: nil)] + End.allCases.map { Shape(r: r, s: $0) }
    }
    var testDescription: String { "r to-\(r), \(s.map { "s to-\($0)" } ?? "no inverse")" }
  }

  /// A shape with delete rules and optionality; neither changes the schema.
  private static func model(
    _ shape: Shape,
    rules: (Relationship.DeleteRule, Relationship.DeleteRule) = (.nullify, .nullify),
    optional: (Bool, Bool) = (true, true)
  ) throws -> ObjectModel {
    var (a, b) = (Entity(name: "A"), Entity(name: "B"))
    var r = shape.r.relationship("r", to: "B", inverse: shape.s == nil ? nil : "s")
    (r.deleteRule, r.isOptional) = (rules.0, optional.0)
    if shape.r != .one, !optional.0 { r.minCount = 1 }
    a.relationships = [r]
    if var s = shape.s?.relationship("s", to: "A", inverse: "r") {
      (s.deleteRule, s.isOptional) = (rules.1, optional.1)
      if shape.s != .one, !optional.1 { s.minCount = 1 }
      b.relationships = [s]
    }
    return try ObjectModel(ModelDocument(entities: [a, b]))
  }

  /// Three objects of each entity: a1 and a2 have objects of B, as many as the shape allows; a3 and b4 have none.
  private static func write(_ shape: Shape, to path: String) throws {
    let model = try model(shape)
    var store = try NewStore(path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000003")
    for _ in 1...3 { _ = try store.insert("A", attributes: [:]) }
    for _ in 1...4 { _ = try store.insert("B", attributes: [:]) }
    let r = try #require(model.relationship("r", of: "A"))
    switch (shape.r, shape.s) {
    case (.one, .one?):
      try store.connect(r, of: 1, to: [1])
      try store.connect(r, of: 2, to: [2])
    case (.one, _):
      try store.connect(r, of: 1, to: [1])
      try store.connect(r, of: 2, to: [1])
      try store.connect(r, of: 3, to: [2])
    case (_, nil), (_, .one?):
      try store.connect(r, of: 1, to: [2, 1])
      try store.connect(r, of: 2, to: [3])
    default:
      try store.connect(r, of: 1, to: [2, 1])
      try store.connect(r, of: 2, to: [2, 3])
    }
    try store.finish()
  }

  /// What a second program, which knows only SQL and the rules of the documentation, expects.
  private struct Case: Encodable {
    var before: String
    var after: String
    var r: String
    var s: String?
    var rules: [String]
    var optional: [Bool]
    var target: String
    var deleted: [String] = []
    var changed: [String] = []
    var left: [String] = []
    /// Why the deletion was refused: the code, the object and the property.
    var refused: [String] = []
    /// What is wrong with the store afterwards, for an app that opens it.
    var wrong: [String] = []
  }

  private static func problem(_ finding: Finding) -> String {
    let (code, location) = (finding.code?.description ?? "-", finding.location)
    return "\(code) \(finding.entity)\(location.object ?? 0).\(finding.property ?? "")"
  }

  private static func names(_ objects: [ObjectRef]) -> [String] {
    objects.map { "\($0.entity)\($0.key)" }
  }

  @Test(
    "every rule on both sides of every relationship: rows, keys, order, counters and refusals",
    arguments: Shape.all)
  private func everyRule(shape: Shape) throws {
    let folder = try TemporaryFolder()
    let before = folder.path("before.sqlite")
    try Self.write(shape, to: before)
    let rules = Relationship.DeleteRule.allCases
    var cases: [Case] = []
    for (first, second) in rules.flatMap({ first in
      (shape.s == nil ? [.nullify] : rules).map { (first, $0) }
    }) {
      for optional in [(true, true), (true, false), (false, true), (false, false)]
      where shape.s != nil || optional.1 {
        let model = try Self.model(shape, rules: (first, second), optional: optional)
        for (entity, key) in [("A", 1), ("A", 3), ("B", 2), ("B", 1)] as [(String, Int64)] {
          let after = folder.path("\(cases.count).sqlite")
          try FileManager.default.copyItem(atPath: before, toPath: after)
          var found = Case(
            before: before, after: after, r: shape.r.rawValue, s: shape.s?.rawValue,
            rules: [first.name, second.name], optional: [optional.0, optional.1],
            target: "\(entity)\(key)")
          do {
            let result = try StoreDeletion(entity, key).perform(at: after, model: model)
            found.deleted = Self.names(result.deleted)
            found.changed = Self.names(result.changed)
            found.left = result.left.map { "\($0.object.entity)\($0.object.key)" }
          } catch let refusal as RefusedChange {
            found.refused = refusal.problems.map(Self.problem)
          }
          let reader = try StoreReader(SQLiteStore(reading: after), model: model)
          for entity in ["A", "B"] {
            try reader.forEachProblem(of: entity, among: nil, .stored) {
              found.wrong.append(Self.problem($0))
            }
          }
          try reader.forEachTableProblem { Issue.record("\($0)") }
          cases.append(found)
        }
      }
    }
    let list = String(decoding: try JSONEncoder().encode(cases), as: UTF8.self)
    let mismatches = try Python.run(Self.oracle, input: list)
    #expect(mismatches == "\(cases.count) cases\n")
  }

  /// Reads the tables before and after with Python's SQLite, applies the rules to a graph of its own, and prints each
  /// case whose rows or answer differ.
  private static let oracle = """
    import json, re, sqlite3, sys
    def read(path):
        db = sqlite3.connect(path)
        tables = [n for n, in db.execute("select name from sqlite_master where type = 'table' order by 1")]
        assert db.execute("pragma integrity_check").fetchone()[0] == "ok"
        def rows(table):
            cursor = db.execute('select * from "%s"' % table)
            names = [c[0] for c in cursor.description]
            return [dict(zip(names, row)) for row in cursor]
        return {t: rows(t) for t in tables if not t in ("Z_METADATA", "Z_MODELCACHE")}
    def expected(case, before):
        r, s = case["r"], case.get("s")
        ends = {"A": ("r", "B", r, case["rules"][0], case["optional"][0])}
        if s: ends["B"] = ("s", "A", s, case["rules"][1], case["optional"][1])
        join = [t for t in before if re.match("Z_[0-9]", t)]
        links, column = [], None  # pairs (A key, B key); the table and column with the key
        if join:
            names = {e: [c for c in before[join[0]][0] if c.startswith("Z_%d" % (1 + "AB".index(e)))][0] for e in "AB"}
            links = [(row[names["A"]], row[names["B"]]) for row in before[join[0]]]
        elif r == "one":
            links = [(row["Z_PK"], row["ZR"]) for row in before["ZA"] if row["ZR"]]
        else:
            column = [c for c in before["ZB"][0] if c in ("ZS",) or re.match("Z[0-9]+R$", c)][0]
            links = [(row[column], row["Z_PK"]) for row in before["ZB"] if row[column]]
        def partners(o):
            return sorted(("B", b) if o[0] == "A" else ("A", a) for a, b in links if (a if o[0] == "A" else b) == o[1])
        start = (case["target"][0], int(case["target"][1:]))
        gone, waiting = [], [start]
        while waiting:
            o = waiting.pop(0)
            if o in gone: continue
            gone.append(o)
            if o[0] in ends and ends[o[0]][3] == "Cascade": waiting += partners(o)
        refused = ["1600 %s%d.%s" % (o + (ends[o[0]][0],)) for o in gone
            if o[0] in ends and ends[o[0]][3] == "Deny" and any(p not in gone for p in partners(o))]
        after = json.loads(json.dumps(before))
        left, changed, touched, lonely = [], [], [], []
        def row(table, o): return [x for x in after[table] if x["Z_PK"] == o[1]][0]
        for o in gone:
            for p in partners(o):
                if p in gone: continue
                # What the other end has: its own column if it is to-one, or the key of its owner without an inverse.
                own = ends.get(p[0])
                is_keeper = own and own[2] == "one"
                if not s:
                    if (p[0] == "A") != (r == "one"): continue
                    left.append(p)
                    continue
                rule = ends[o[0]][3]
                if rule == "No Action":
                    if is_keeper: left.append(p)
                    continue
                touched.append(p)
                if is_keeper:
                    target = row("Z" + p[0], p)
                    name = "ZR" if p[0] == "A" else "ZS"
                    target[name] = None
                    for c in target:
                        if c.startswith("Z_FOK_"): target[c] = None
                    if p not in changed:
                        changed.append(p)
                        target["Z_OPT"] += 1
        for table in join:
            after[table] = [x for x in after[table] if ("A", x[names["A"]]) not in gone and ("B", x[names["B"]]) not in gone]
        for e in "AB": after["Z" + e] = [x for x in after["Z" + e] if (e, x["Z_PK"]) not in gone]
        def count(o): return sum(1 for p in partners(o) if p not in gone)
        if not refused:
            for p in sorted(set(touched)):
                if not ends[p[0]][4] and count(p) == 0:
                    refused.append("%d %s%d.%s" % (1570 if ends[p[0]][2] == "one" else 1580, p[0], p[1], ends[p[0]][0]))
        if refused: gone, changed, left, after = [], [], [], before
        return gone, changed, left, sorted(refused), after
    cases = json.load(sys.stdin)
    for case in cases:
        before, now = read(case["before"]), read(case["after"])
        gone, changed, left, refused, after = expected(case, before)
        name = lambda l: sorted("%s%d" % o for o in l)
        found = (sorted(case["deleted"]), sorted(case["changed"]), sorted(case["left"]), sorted(case["refused"]))
        if found != (name(gone), name(changed), name(left), refused) or (case["deleted"] or [case["target"]])[0] != case["target"]:
            print("answer", case, "expected", name(gone), name(changed), name(left), refused)
        for table in after:
            if sorted(map(str, after[table])) != sorted(map(str, now[table])):
                print("rows", case, table, after[table], now[table])
        # Keys that are left are all that is wrong, and required relationships that were empty before.
        s = case.get("s")
        ends = {"A": ("r", case["r"], case["optional"][0])}
        if s: ends["B"] = ("s", s, case["optional"][1])
        wrong = set()
        for e, (end, card, optional) in ends.items():
            for x in now["Z" + e]:
                key = "%s%d" % (e, x["Z_PK"])
                if card == "one":
                    column = "Z" + end.upper()
                    if x[column] is None and not optional: wrong.add("1570 %s.%s" % (key, end))
                    if x[column] is not None and key in name(left): wrong.add("133000 %s.%s" % (key, end))
        wrong_now = set(w for w in case["wrong"] if not w.startswith("1580"))
        owners = set("133000 %s.A.r" % k for k in name(left)) if not s and case["r"] != "one" else set()
        if wrong_now != wrong | owners: print("validation", case, wrong | owners)
    print(len(cases), "cases")
    """

  @Test(
    "a store with keys that No Action leaves differs there from one where they are cleared",
    arguments: Shape.all)
  private func leftKeysDiffer(shape: Shape) throws {
    let folder = try TemporaryFolder()
    for (entity, key) in [("A", 1), ("B", 2)] as [(String, Int64)] {
      var left: [ObjectRef: String] = [:]
      for rule in [Relationship.DeleteRule.noAction, .nullify] {
        let path = folder.path("\(entity)-\(rule).sqlite")
        try Self.write(shape, to: path)
        let model = try Self.model(shape, rules: (rule, rule))
        for key in try StoreDeletion(entity, key).perform(at: path, model: model).left
        where key.hasInverse {
          left[key.object] = key.relationship
        }
      }
      let model = try Self.model(shape)
      func difference(ignoringDangling: Bool) throws -> StoreDifference {
        try StoreDifference(
          between: StoreReader(
            SQLiteStore(reading: folder.path("\(entity)-noAction.sqlite")), model: model),
          and: StoreReader(
            SQLiteStore(reading: folder.path("\(entity)-nullify.sqlite")), model: model),
          ignoringDangling: ignoringDangling)
      }
      #expect(try difference(ignoringDangling: true).isEmpty)
      let found = try difference(ignoringDangling: false).entities.flatMap { $0.changed }
      let missing = left.filter { left in !found.contains { $0.properties == [left.value] } }
      #expect(found.count == left.count && missing.isEmpty, "\(entity): \(found), \(left)")
      #expect(found.allSatisfy { left[$0.first] != nil && $0.first == $0.second })
    }
  }

  // MARK: One relationship of each kind

  private static func beings(_ folder: TemporaryFolder) throws -> (path: String, model: ObjectModel)
  {
    let path = folder.path("beings.sqlite")
    try BeingStore.make(at: path)
    return (path, try BeingStore.model())
  }

  @Test(
    "an object of a subentity with every kind of relationship is deleted by the name of its ancestor"
  )
  func being() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.beings(folder)
    let result = try StoreDeletion("Being", 1).perform(at: path, model: model)
    #expect(result.deleted == [ObjectRef(entity: "Person", key: 1)])
    #expect(Set(Self.names(result.changed)) == ["Pet1", "Pet2", "Passport1"])
    // The toy keeps the key of its owner; without an inverse, nothing points back to the favourite.
    #expect(Self.names(result.left.map(\.object)) == ["Thing2"])
    func value(_ sql: String) throws -> String { try Python.value(sql, in: path) }
    #expect(try value("SELECT group_concat(Z_PK) FROM ZBEING") == "2,3")
    #expect(try value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Being'") == "3")
    #expect(
      try value(
        "SELECT count(*) FROM ZPET WHERE ZKEEPER NOT NULL OR Z1_KEEPER NOT NULL OR Z_FOK_KEEPER NOT NULL"
      ) == "0")
    #expect(try value("SELECT group_concat(Z_OPT) FROM ZPET") == "2,2,1")
    #expect(
      try value("SELECT group_concat(coalesce(ZOWNER, 'nil') || Z_OPT) FROM ZPASSPORT") == "nil2")
    #expect(try value("SELECT group_concat(Z_PK || Z_OPT) FROM ZTHING") == "11,21")
    for (table, count) in try Self.joinTables(path) {
      #expect(count == (table.hasSuffix("FRIENDS") ? 0 : 2), "\(table)")
    }
    #expect(
      throws: StoreError.noObject(entity: "Being", key: 1),
      performing: { _ = try StoreDeletion("Being", 1).perform(at: path, model: model) })
    #expect(
      throws: StoreError.noObject(entity: "Robot", key: 3),
      performing: { _ = try StoreDeletion("Robot", 3).perform(at: path, model: model) })
    // The key is not used again.
    #expect(
      try StoreInsertion(
        "Robot",
        attributes: [
          "level": .integer(1), "weight": .real(1), "rating": .real(1), "year": .integer(1),
        ]
      ).perform(at: path, model: model).key == 4)
  }

  private static func joinTables(_ path: String) throws -> [(String, Int)] {
    try Python.run(
      """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      for n, in db.execute("select name from sqlite_master where type = 'table' and name glob 'Z_[0-9]*'"):
        print(n, db.execute("select count(*) from " + n).fetchone()[0])
      """, arguments: [path]
    ).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return (String(words[0]), Int(words[1]) ?? -1)
    }
  }

  @Test(
    "a thing that others point to without an inverse is deleted; the keys that remain are named")
  func oneWay() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.beings(folder)
    let result = try StoreDeletion("Thing", 1).perform(at: path, model: model)
    #expect(result.changed.isEmpty && result.left.count == 1)
    #expect(Self.names(result.left.map(\.object)) == ["Person1"])
    #expect(result.left.map(\.relationship) == ["favourite"] && result.left[0].hasInverse == false)
    #expect(try Python.value("SELECT ZFAVOURITE FROM ZBEING WHERE Z_PK = 1", in: path) == "1")
  }

  @Test("a relationship that is its own inverse: both directions of a pair are deleted")
  func ownInverse() throws {
    for (_, key) in [("the first", 1), ("the second", 2)] as [(String, Int64)] {
      let folder = try TemporaryFolder()
      let (path, model) = try Self.beings(folder)
      _ = try StoreDeletion("Being", key).perform(at: path, model: model)
      let friends = try #require(try Self.joinTables(path).first { $0.0.hasSuffix("FRIENDS") })
      #expect(friends.1 == 0)
    }
  }

  // MARK: All or nothing

  @Test(
    "a file of external data is deleted with its object, unless another store in the folder needs it"
  )
  func externalData() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("photos.sqlite")
    try PhotoStore.write([1, 2], to: path)
    func files() throws -> Int {
      try FileManager.default.contentsOfDirectory(
        atPath: folder.path(".photos_SUPPORT/_EXTERNAL_DATA")
      ).count
    }
    #expect(try files() == 2)
    _ = try StoreDeletion("Photo", 1).perform(at: path, model: PhotoStore.model())
    #expect(try files() == 1)
    #expect(try PhotoStore.read(path) == [.bytes(PhotoStore.image(2))])
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("photos.backup"))
    _ = try StoreDeletion("Photo", 2).perform(at: path, model: PhotoStore.model())
    #expect(try files() == 1)
  }

  @Test("triggers that change what the deletion must not change are refused, and no byte changes")
  func triggers() throws {
    for body in [
      "DELETE FROM ZPET WHERE Z_PK = 3", "UPDATE Z_PRIMARYKEY SET Z_MAX = 9",
      "INSERT INTO ZPET (Z_ENT, Z_OPT) VALUES (4, 1)",
    ] {
      let folder = try TemporaryFolder()
      let (path, model) = try Self.beings(folder)
      try StoreFixture.run(
        ["CREATE TRIGGER t AFTER DELETE ON ZTHING BEGIN \(body); END"], on: path)
      let before = try folder.state()
      #expect(
        throws: StoreError.triggersInterfere,
        performing: { _ = try StoreDeletion("Thing", 1).perform(at: path, model: model) })
      #expect(try Python.value("SELECT count(*) FROM ZTHING", in: path) == "2", "\(body)")
      #expect(Set(try folder.state().keys) == Set(before.keys))
    }
  }

  @Test("a store that another program is writing is not changed")
  func locked() throws {
    let folder = try TemporaryFolder()
    let (path, model) = try Self.beings(folder)
    let other = try StoreFixture.OpenStore(path)
    try other.run("BEGIN IMMEDIATE")
    #expect(
      throws: StoreError.locked,
      performing: { _ = try StoreDeletion("Thing", 1).perform(at: path, model: model) })
    other.close()
    #expect(try Python.value("SELECT count(*) FROM ZTHING", in: path) == "2")
  }

  // MARK: XML

  /// The objects with a to-one relationship that refers to a deleted object.
  private static func cleared(
    _ document: XMLDatabase, _ deleted: Set<String>, _ model: ObjectModel
  ) -> (objects: Set<String>, required: Bool) {
    let found = document.objects.filter { !deleted.contains($0.id) }.flatMap { object in
      object.relationships.filter { !deleted.isDisjoint(with: $0.references) }.compactMap {
        model.relationship($0.name, of: object.type)
      }.filter { !$0.property.isToMany }.map { (object.id, $0.property.isOptional) }
    }
    return (Set(found.map(\.0)), found.contains { !$0.1 })
  }

  @Test(
    "in an XML store the object, those of Cascade and every reference to them go",
    arguments: Shape.all)
  private func xml(shape: Shape) throws {
    let folder = try TemporaryFolder()
    let sqlite = folder.path("s.sqlite")
    try Self.write(shape, to: sqlite)
    for rule in Relationship.DeleteRule.allCases {
      for (entity, index, isOptional) in [
        ("A", 0, true), ("B", 1, true), ("A", 0, false), ("B", 1, false),
      ] {
        let model = try Self.model(shape, rules: (rule, rule), optional: (isOptional, isOptional))
        let document = try XMLDatabase(StoreReader(SQLiteStore(reading: sqlite), model: model))
        let path = folder.path("\(rule)-\(entity)-\(isOptional).xml")
        try Data(document.encoded()).write(to: URL(fileURLWithPath: path))
        let target = document.objects.filter { $0.type == entity }[index]
        let key = try #require(Int64(target.id.dropFirst()))
        var result: StoreDeletion.Result?
        var written = document
        do {
          (result, written) = try StoreDeletion(entity, key).perform(
            on: XMLStore(reading: path), model: model)
        } catch let refusal as RefusedChange {
          let codes = Set(refusal.problems.map { $0.code?.description })
          let denies = rule == .deny && codes == ["1600"]
          #expect(denies || codes.isSubset(of: ["1570", "1580"]))
          let isReferred = Self.cleared(document, [target.id], model).required
          #expect(denies || rule == .cascade || isReferred == codes.contains("1570"))
        }
        let deleted = Set(result?.deleted.map { "z\($0.key)" } ?? [])
        #expect(Set(document.objects.map(\.id)).subtracting(written.objects.map(\.id)) == deleted)
        #expect(result == nil || deleted.contains(target.id))
        let cleared = Self.cleared(document, deleted, model)
        #expect(
          Set(result?.changed.map { "z\($0.key)" } ?? []) == cleared.objects && !cleared.required,
          "\(shape) \(rule) \(entity)")
        let references = written.objects.flatMap { $0.relationships.flatMap(\.references) }
        #expect(deleted.isDisjoint(with: references), "\(shape) \(rule) \(entity)")
        // Nothing else has changed.
        let kept = document.objects.filter { !deleted.contains($0.id) }
        for (old, new) in zip(kept, written.objects) {
          #expect(old.attributes == new.attributes)
          for (link, other) in zip(old.relationships, new.relationships) {
            #expect(link.references.filter { !deleted.contains($0) } == other.references)
          }
        }
      }
    }
  }
}
