import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// Links of damaged stores, counted by Python: to missing objects, and of rows with the number of another entity or of
/// none.
@Suite("Links of damaged stores")
struct LinkCountTests {
  /// Every way to store a relationship, between an entity and a subentity of another.
  private static func model() throws -> ObjectModel {
    func relationship(
      _ name: String, _ to: String, _ inverse: String?, isToMany: Bool = false
    ) -> Relationship {
      var found = Relationship(
        name: name, destinationName: to, isOptional: true, isToMany: isToMany)
      found.inverseName = inverse
      return found
    }
    var (a, b) = (Entity(name: "A"), Entity(name: "B"))
    var (c, d) = (Entity(name: "C", superentityName: "B"), Entity(name: "D", superentityName: "A"))
    a.attributes = [Attribute(name: "n", type: .string, isOptional: true)]
    b.attributes = a.attributes
    a.relationships = [
      relationship("alone", "C", nil), relationship("mate", "B", "mate"),
      relationship("owned", "C", nil, isToMany: true), relationship("owner", "C", "pets"),
      relationship("tags", "B", "tagged", isToMany: true),
    ]
    b.relationships = [
      relationship("mate", "A", "mate"), relationship("tagged", "A", "tags", isToMany: true),
    ]
    c.relationships = [relationship("pets", "A", "owner", isToMany: true)]
    d.relationships = [relationship("friend", "D", "friend")]
    return try ObjectModel(ModelDocument(entities: [a, b, c, d]))
  }

  /// Fills the tables with rows of any entity, with and without gaps, and keys of any row, then counts the links of each relationship of
  /// its input: the tables and columns with its keys, also those of an inverse with keys of its own, and the table and
  /// numbers of the objects at either end.
  private static let program = """
    import json, random, sqlite3, sys
    chance, store = random.Random(int(sys.argv[2])), sqlite3.connect(sys.argv[1])
    ends = json.load(sys.stdin)
    families = {table: sorted((o[1] for e in ends for o in (e["own"], e["other"]) if o[0] == table), key=len)
                for table in ("ZA", "ZB")}
    # Any rows, all of one family without a gap, or all of its smallest.
    kind = int(sys.argv[2]) % 3
    for table, numbers in families.items():
        for key in range(1, 9):
            number = chance.choice([1, 2, 3, 4, 9, None]) if kind == 0 else chance.choice(numbers[-1 if kind == 1 else 0])
            if kind or chance.random() < 0.8:
                store.execute(f"INSERT INTO {table} (Z_PK, Z_ENT, Z_OPT) VALUES (?, ?, 1)", (key, number))
    def key():
        found = chance.randrange(0, 11)
        return chance.choice([found + 0.5, f"{found}", "x", b"1", float(found)]) if chance.random() < 0.1 else found
    for end in ends:
        for table, own, other in end["rows"]:
            for _ in range(6):
                left, right = key(), key()
                if own == "Z_PK": store.execute(f"UPDATE {table} SET {other} = ? WHERE Z_PK = ?", (right, left))
                elif other == "Z_PK": store.execute(f"UPDATE {table} SET {own} = ? WHERE Z_PK = ?", (left, right))
                else: store.execute(f"INSERT OR IGNORE INTO {table} ({own}, {other}) VALUES (?, ?)", (left, right))
    store.commit()
    for end in ends:
        pairs = set()
        for number, (table, own, other) in enumerate(end["rows"]):
            for row in store.execute(f"SELECT {own}, {other}, * FROM {table}"):
                left, right = row[:2]
                # The links of a row of an unknown entity are no links of objects.
                if table in families and row[3] not in families[table][-1]: continue
                if left is not None and right is not None: pairs.add((right, left) if number else (left, right))
        def there(key, objects):
            row = store.execute(f"SELECT Z_ENT FROM {objects[0]} WHERE Z_PK = ?", (key,)).fetchone()
            return row is not None and row[0] in objects[1]
        good = sum(there(left, end["own"]) and there(right, end["other"]) for left, right in pairs)
        print(end["name"], good, len(pairs) - good)
    """

  @Test("links between objects of the right entities, and all others")
  func counts() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model()
    var damaged = 0
    for seed in 1...30 {
      let path = folder.path("\(seed).sqlite")
      var store = try NewStore(
        path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
      try store.finish()
      let ends = model.storedRelationships
      let reader = try StoreReader(SQLiteStore(reading: path), model: model)
      let printed = try Python.run(
        Self.program, arguments: [path, "\(seed)"],
        input: "[" + ends.map { try Self.json($0, reader) }.joined(separator: ", ") + "]")
      let changed = try StoreReader(SQLiteStore(reading: path), model: model)
      var counts = StoreCounts()
      let found = try ends.map { end in
        let count = try changed.linkCount(of: end)
        #expect(try counts.links(of: end, in: changed) == count, "\(end.qualifiedName), \(seed)")
        damaged += count.dangling
        return "\(end.qualifiedName) \(count.count) \(count.dangling)\n"
      }
      #expect(found.joined() == printed, "seed \(seed)")
    }
    #expect(damaged > 500)
  }

  /// What Python needs to know of a relationship.
  private static func json(
    _ end: Declared<Relationship>, _ reader: borrowing StoreReader
  ) throws -> String {
    func objects(_ entity: String) -> String {
      let numbers = reader.layout.numberList(below: entity, of: reader.model)
      return "[\"\(reader.layout.table(of: entity)?.name ?? "")\", [\(numbers)]]"
    }
    var rows: [String] = []
    let inverse = reader.model.inverse(of: end.property)
    let isOneToOne = !end.property.isToMany && inverse?.property.isToMany == false && inverse != end
    for end in [end] + (isOneToOne ? [inverse].compactMap { $0 } : []) {
      let storage = try #require(try reader.storage(of: end))
      rows.append("[\"\(storage.table)\", \"\(storage.own)\", \"\(storage.other)\"]")
    }
    return """
      {"name": "\(end.qualifiedName)", "rows": [\(rows.joined(separator: ", "))],
       "own": \(objects(end.declaringEntity)), "other": \(objects(end.property.destinationName))}
      """
  }
}
