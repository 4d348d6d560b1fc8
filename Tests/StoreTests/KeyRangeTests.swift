import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// The keys of each entity, against Python's count of the same rows.
@Suite("Keys of entities")
struct KeyRangeTests {
  /// Kinds of one table: few are read one by one, many are sorted.
  private static func model(subentities: Int) throws -> ObjectModel {
    var root = Entity(name: "A")
    root.attributes = [Attribute(name: "n", type: .integer64, isOptional: true)]
    let others = (0..<subentities).map { Entity(name: "B\($0)", superentityName: "A") }
    return try ObjectModel(ModelDocument(entities: [root] + others))
  }

  /// Gives rows to entities at random, with unknown numbers and none among them if wanted.
  private static let program = """
    import random, sqlite3, sys
    path, seed, numbers, strays = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "true"
    chance, store = random.Random(seed), sqlite3.connect(path)
    choices = list(range(1, numbers + 1)) * 3 + ([None, 0, 99, -3, "text", 1.5] if strays else [])
    unused = chance.choice(choices)
    key, rows = -5, {}
    for _ in range(chance.randrange(60)):
        key += chance.choice([1, 1, 1, 7])
        number = chance.choice(choices)
        if number == unused: continue
        store.execute("INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (?, ?, 1)", (key, number))
        rows.setdefault(number, []).append(key)
    store.commit()
    for number in range(1, numbers + 1):
        keys = rows.pop(number, [])
        if keys: print(number, len(keys), min(keys), max(keys))
    print("strays", sum(map(len, rows.values())))
    """

  @Test("of few and of many entities, with and without strays", arguments: [0, 1, 3, 4, 9])
  func ranges(subentities: Int) throws {
    let folder = try TemporaryFolder()
    let model = try Self.model(subentities: subentities)
    for seed in 1...12 {
      let path = folder.path("\(seed).sqlite")
      var store = try NewStore(
        path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000001")
      try store.finish()
      let printed = try Python.run(
        Self.program,
        arguments: [path, "\(seed)", "\(subentities + 1)", seed % 2 == 0 ? "true" : "false"])
      var counts = StoreCounts()
      let found = try StoreReader(SQLiteStore(reading: path), model: model).keyRanges(&counts)
      let known = found.filter { $0.number != nil }.map {
        "\($0.number ?? 0) \($0.range.count) \($0.range.first) \($0.range.last)\n"
      }
      let strays = found.filter { $0.number == nil }.reduce(0) { $0 + $1.range.count }
      #expect(known.joined() + "strays \(strays)\n" == printed, "seed \(seed)")
    }
  }
}
