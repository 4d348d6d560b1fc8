import Foundation
import StrataBase
import StrataCommands
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// What `show`, `doctor` and `validate` say of real stores, all of them healthy.
@Suite("Findings of real stores", .needsCorpus, .serialized)
struct StoreFindingTests {
  /// The stores that cache no model: nothing is compared with their tables until somebody names one.
  private static let withoutModel: Set = [
    "docSet.dsidx", "SurfJournalModel.sqlite", "Recipes.sqlite",
  ]

  private static func name(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  @Test("of the stores of the corpus only what is true is said")
  func stores() throws {
    let folder = try TemporaryFolder()
    var table = ["store | objects | show | doctor | validate"]
    for (path, expected) in try Corpus.expectedStores().sorted(by: { $0.key < $1.key }) {
      let name = Self.name(path)
      let store = "'\(Corpus.path(path))'"
      let model = expected.matchingModels.first { Corpus.exists($0) }
      let session = TestSession(in: folder)
      let expectedKind = Self.withoutModel.contains(name) ? ["noModel"] : []
      // Their apps had them open when they were copied.
      let wal = Corpus.path(path) + "-wal"
      let hasChanges = FileManager.default.contents(atPath: wal).map { $0.count > 32 } ?? false
      var row = [name, "\(expected.rows.values.reduce(0, +))"]
      for command in ["show", "doctor"] {
        let answer = session("\(command) \(store) --json")
        #expect(answer.status == .done, "\(name): \(answer)")
        let leftover = command == "doctor" && hasChanges ? ["leftoverWAL"] : []
        #expect(Self.ids(answer.output) == leftover + expectedKind, "\(name): \(answer)")
        row.append(expectedKind.isEmpty ? "-" : expectedKind.joined())
      }
      if let model {
        let named = session("doctor \(store) --model '\(Corpus.path(model))'")
        #expect(
          hasChanges
            ? named.status == .done && named.output.contains("[store.leftoverWAL]")
            : named.output == "1 store checked, no problems found\n", "\(name): \(named)")
      }
      let option = expected.modelCache ? "" : model.map { " --model '\(Corpus.path($0))'" }
      guard let option else {
        row.append("no model at hand")
        table.append(row.joined(separator: " | "))
        continue
      }
      let validated = session("validate \(store)\(option)")
      #expect(
        validated.status == .done && validated.output.hasPrefix("valid: ")
          && validated.output.hasSuffix("\n")
          && validated.output.split(separator: "\n").count == 1, "\(name): \(validated)")
      row.append(validated.output.trimmingCharacters(in: .newlines))
      table.append(row.joined(separator: " | "))
    }
    print(table.joined(separator: "\n"))
    #expect(table.count == 17)
  }

  /// Counts rows whose entity is not in `Z_PRIMARYKEY`, tables whose highest key is not counted there, rows
  /// without a version, and tables beside those of the entities; by the rules of the facts, without a model.
  private static let witness = """
    import sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    one = lambda sql, *v: db.execute(sql, v).fetchone()[0]
    entities = {r[0]: r for r in db.execute("select Z_ENT, Z_NAME, Z_SUPER, Z_MAX from Z_PRIMARYKEY")}
    found = []
    tables = {r[0] for r in db.execute("select name from sqlite_master where type = 'table'")}
    for table in sorted(tables):
        columns = {r[1] for r in db.execute(f'pragma table_info("{table}")')}
        if not table.startswith("Z") or not {"Z_PK", "Z_ENT", "Z_OPT"} <= columns:
            continue
        for number, in db.execute(f'select distinct Z_ENT from "{table}"'):
            if number not in entities: found.append(f"{table} {number}")
        top = max([e[3] for e in entities.values() if e[2] == 0 and "Z" + e[1].upper() == table] or [None],
            key=lambda m: -1 if m is None else m)
        highest = one(f'select max(Z_PK) from "{table}"')
        if highest and top is not None and highest > top: found.append(f"{table} {highest} > {top}")
        if one(f'select count(*) from "{table}" where Z_OPT is null'): found.append(f"{table} Z_OPT")
    roots = {"Z" + e[1].upper() for e in entities.values()}
    system = {"Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"}
    others = [t for t in tables - roots - system if not t.startswith("Z_") and not t.startswith("sqlite_")]
    # An in-place rename leaves the old name in Z_PRIMARYKEY.
    print(found + ([] if "ZLUXURYCAR" in tables else others))
    """

  @Test("a second road finds nothing either: entities, keys, versions and tables")
  func secondImplementation() throws {
    let folder = try TemporaryFolder()
    for (number, path) in try Corpus.expectedStores().keys.sorted().enumerated() {
      for end in ["", "-wal"] where Corpus.exists(path + end) {
        try FileManager.default.copyItem(
          atPath: Corpus.path(path + end), toPath: folder.path("\(number).sqlite\(end)"))
      }
      #expect(
        try Python.run(Self.witness, arguments: [folder.path("\(number).sqlite")]) == "[]\n",
        "\(path)")
    }
  }

  @Test(
    "stores of newer systems, unpacked without rows: nothing is said of a migration", .part(2),
    .needsArchivedModels,
    arguments: ["ChatModel", "Photos-10.15.7", "Photos-13.0.1", "Photos-15.7.1"])
  func archived(_ name: String) throws {
    let folder = try TemporaryFolder()
    _ = try Python.run(
      """
      import sqlite3, sys
      source, path = sys.argv[1:]
      db = sqlite3.connect(path)
      lines = [l.strip().rstrip(";") for l in open(source + ".schema.sql") if l.strip()]
      virtual = [l for l in lines if l.startswith("CREATE VIRTUAL")]
      for line in virtual:
          db.execute(line)
      made = {r[0] for r in db.execute("select name from sqlite_master")}
      for line in lines:
          words = line.replace('"', "").replace("(", " ").split()
          if line in virtual or words[1] == "TABLE" and words[2] in made:
              continue
          db.execute(line)
      read = lambda end: open(source + end, "rb").read()
      db.execute("insert into Z_METADATA values (1, ?, ?)",
          ("374C5961-3E41-43E5-915C-383EA914074C", read(".metadata.plist")))
      db.execute("insert into Z_MODELCACHE values (?)", (read(".modelcache.deflate"),))
      db.commit()
      """, arguments: [Corpus.path("archived-models/\(name)"), folder.path("s.sqlite")])
    // The schema alone has no rows of entities, which each real store has.
    let model = try #require(
      try SQLiteStore(reading: folder.path("s.sqlite")).cachedModel())
    let layout = StoreLayout(model)
    let rows = layout.entityOrder.enumerated().map { index, entity in
      let parent = model[entity]?.superentityName.flatMap { layout.entityNumbers[$0] } ?? 0
      return "(\(index + 1), '\(entity)', \(parent), 0)"
    }
    #expect(
      Self.ids(TestSession(in: folder)("doctor s.sqlite --json").output) == ["keyTable"])
    try StoreFixture.run(
      ["INSERT INTO Z_PRIMARYKEY VALUES \(rows.joined(separator: ", "))"],
      on: folder.path("s.sqlite"))
    let session = TestSession(in: folder)
    for command in ["show", "doctor"] {
      let answer = session("\(command) s.sqlite")
      #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
      #expect(!answer.output.contains("interrupted"), "\(answer)")
      #expect(Self.ids(session("\(command) s.sqlite --json").output) == [], "\(answer)")
    }
    let validated = session("validate s.sqlite")
    #expect(validated.output == "valid: 0 objects\n", "\(validated)")
  }

  /// The ids of findings in the JSON of an answer.
  private static func ids(_ json: String) -> [String] {
    json.components(separatedBy: "\"id\" : \"").dropFirst().map { text in
      String(text.prefix { $0 != "\"" })
    }
  }
}
