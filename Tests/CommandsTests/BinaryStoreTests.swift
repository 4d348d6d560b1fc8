import Foundation
import StrataBase
import StrataCommands
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Binary stores")
struct BinaryStoreTests {
  private let folder: TemporaryFolder
  private let session: TestSession
  private let rows: [String: [[String: Any]]]

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    try BinaryStoreFixture.writeModel(in: folder)
    let hashes = try JSONSerialization.jsonObject(
      with: Data(session("hash App.xcdatamodeld/V1 --json").output.utf8))
    let entities = (hashes as? [String: Any])?["entities"] as? [String: [String: Any]] ?? [:]
    rows = try BinaryStoreFixture.write(
      in: folder, hashes: entities.compactMapValues { $0["hash"] as? String })
  }

  private func json(_ line: String) throws -> [[String: Any]] {
    try session(line).output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  private func object(_ line: String) throws -> [String: Any] {
    let answer = try JSONSerialization.jsonObject(with: Data(session(line).output.utf8))
    return try #require(answer as? [String: Any])
  }

  @Test(
    "without a model: metadata, hashes, counts, the version that wrote it, and its line in a project"
  )
  func withoutModel() throws {
    #expect(session("load good.dat").output.contains("Binary store of 4 entities"))
    let shown = session("show good.dat")
    #expect(shown.output.contains("Binary store, framework 1152"), "\(shown)")
    let counts = try #require(try object("show good.dat --json")["rows"] as? [String: Int])
    #expect(counts == ["Book": 3, "Item": 0, "Shelf": 2, "Tag": 2])
    let metadata = try object("metadata good.dat --reveal --json")
    #expect(metadata["type"] as? String == "Binary" && metadata["framework"] as? Int == 1152)
    let others = metadata["others"] as? [String: String]
    #expect(others?["Link"] == "<NSURL>" && others?["Opened"] == "730902600.0", "\(metadata)")
    #expect(session("identify good.dat App.xcdatamodeld").output.contains("V1"))
    #expect(session("hash good.dat").status == .done)
    let compared = session("compare good.dat App.xcdatamodeld/V2")
    #expect(compared.status == .no && compared.output.contains("Book"), "\(compared)")
    // Nothing of these rests on what is unproven.
    #expect(!compared.diagnostics.contains("unproven") && !shown.diagnostics.contains("unproven"))
    let items =
      try JSONSerialization.jsonObject(
        with: Data(session("project --json").output.utf8)) as? [[String: Any]]
    let item = try #require(items?.first { $0["name"] as? String == "good.dat" })
    #expect(item["kind"] as? String == "store" && item["serves"] as? String == "V1", "\(item)")
    let refused = session("rows good.dat Book")
    #expect(refused.diagnostics.contains("[store.noModel]"), "\(refused)")
  }

  @Test("with its model, the rows equal those written, and unproven facts are named")
  func rowsOfModel() throws {
    for entity in ["Book", "Shelf", "Tag"] {
      var found = try json("rows good.dat \(entity) --model App.xcdatamodeld/V1 --json")
      for place in found.indices { found[place]["color"] = nil }
      #expect(found as NSArray == (rows[entity] ?? []) as NSArray)
    }
    let evaluation = session("rows good.dat Book --model App.xcdatamodeld/V1")
    for part in [
      "[store.unproven]", "sorted by name", "Book: the order of names that differ only in case",
      "Book.price: the encoding of a Decimal", "Book.id", "Book.site", "Book.color",
      "Shelf.books: the order of the objects",
    ] {
      #expect(evaluation.diagnostics.contains(part), "\(part): \(evaluation)")
    }
    #expect(evaluation.diagnostics.split(separator: "[store.unproven]").count == 2)
  }

  @Test(
    "it can be migrated, validated and compared, and is unchanged", arguments: ["sqlite", "xml"])
  func migrates(form: String) throws {
    let before = try Data(contentsOf: folder.url.appendingPathComponent("good.dat"))
    session("load App.xcdatamodeld")
    #expect(session("validate good.dat").status == .done)
    for version in ["V1", "V2"] {
      let done = session("migrate good.dat --to \(version) --output \(version).\(form)")
      #expect(done.status == .done, "\(done)")
      #expect(session("validate \(version).\(form)").status == .done)
      let compared = session("compare good.dat \(version).\(form) --rows")
      #expect(compared.status == .done, "\(compared)")
    }
    #expect(
      session("rows V2.\(form) Book --where 'price == 19.99' --json").output.contains("Änderung"))
    if form == "sqlite" {
      let type = try Python.run(Self.transformable, arguments: [folder.path("V2.sqlite")])
      #expect(type == "SQLite {'red': 1.0, 'parts': [1, 'a']}\n")
    }
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("good.dat")) == before)
  }

  /// The type of a store, and its one transformable value as Python reads the archive.
  private static let transformable = """
    import plistlib, sqlite3, sys
    db = sqlite3.connect(sys.argv[1])
    archive = plistlib.loads(db.execute("SELECT ZCOLOR FROM ZITEM WHERE ZCOLOR NOT NULL").fetchone()[0])
    objects = archive["$objects"]
    def read(uid):
        o = objects[uid.data]
        if not isinstance(o, dict): return o
        values = [read(v) for v in o["NS.objects"]]
        return dict(zip([read(k) for k in o["NS.keys"]], values)) if "NS.keys" in o else values
    kind = plistlib.loads(db.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])["NSStoreType"]
    print(kind, read(archive["$top"]["root"]))
    """

  @Test("it can be rehearsed and debugged, and is never written")
  func readOnly() throws {
    session("load App.xcdatamodeld")
    let rehearsed = session("migrate good.dat --to V2 --dry-run")
    #expect(rehearsed.status == .done, "\(rehearsed)")
    let debugged = session("debug good.dat --to V2")
    #expect(debugged.status == .done && debugged.diagnostics.contains("[store.unproven]"))
    #expect(session("continue").status == .done)
    #expect(session("abandon").status == .done)
    let inserted = session("insert good.dat Tag word=new")
    #expect(inserted.diagnostics.contains("[store.binaryReadOnly]"), "\(inserted)")
    let migrated = session("migrate good.dat --to V2")
    #expect(migrated.diagnostics.contains("[store.binaryReadOnly]"), "\(migrated)")
    let created = session("create new.dat --model V1 --type binary")
    #expect(created.status == .usage, "\(created)")
  }

  @Test("its keys are unique over all entities, and become the ids of an XML store")
  func keys() throws {
    session("load App.xcdatamodeld")
    #expect(session("migrate good.dat --to V1 --output new.xml").status == .done)
    for entity in ["Book", "Shelf", "Tag"] {
      let keys = { (file: String) in
        try json("rows \(file) \(entity) --limit 0 --json").map { $0["objectID"] as? String }
      }
      #expect(try keys("new.xml") == keys("good.dat"), "\(entity)")
    }
  }

  @Test("decimals of more digits than are read are named, and --strict refuses them")
  func rounded() throws {
    session("load App.xcdatamodeld")
    #expect(session("rows good.dat Book").diagnostics.contains("[store.rounded]"))
    for target in ["V1", "V2"] {
      let answer = session("migrate good.dat --to \(target) --output \(target).sqlite --strict")
      #expect(answer.diagnostics.contains("[store.rounded]"), "\(answer)")
      #expect(answer.status == .failed, "\(answer)")
    }
  }

  @Test("a damaged store, or one that does not fit its model, is refused with the reason")
  func faults() throws {
    for (fault, reason) in BinaryStoreFixture.faults {
      let evaluation = session("count \(fault).dat Tag --model App.xcdatamodeld/V1")
      #expect(
        evaluation.status == .failed && evaluation.diagnostics.contains(reason),
        "\(fault): \(evaluation)")
      #expect(evaluation.diagnostics.contains("\(fault).dat"), "\(fault): \(evaluation)")
    }
  }

  @Test("validate finds one-sided links, a highest key that is too low, and bytes after the end")
  func validation() throws {
    let good = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("good.dat")))
    try folder.write(good + [0, 0, 0], to: "long.dat")
    try folder.write(good[..<55] + [31] + good[56...], to: "low.dat")
    session("load App.xcdatamodeld")
    for (name, status, rules) in [
      ("good", 0, []), ("low", 1, ["validation.documentHighestKey"]),
      ("long", 0, ["validation.trailingBytes"]), ("lonely", 1, ["validation.brokenInverse"]),
    ] {
      let answer = try object("validate \(name).dat --json")
      let problems = answer["problems"] as? [[String: Any]] ?? []
      #expect(problems.map { $0["rule"] as? String } == rules, "\(name): \(answer)")
      #expect(Int(session("validate \(name).dat").status.rawValue) == status)
    }
    let lonely = session("validate lonely.dat").output
    #expect(
      lonely.contains("Shelf/p11.books  points to p21, which does not point back"), "\(lonely)")
    #expect(
      session("validate low.dat").output.contains(
        "low.dat  the highest key in the header is 31, lower than the highest key in use, 32"))
  }

  @Test("doctor reads the document, and with a model its objects")
  func doctor() throws {
    session("load App.xcdatamodeld")
    let good = session("doctor good.dat")
    #expect(good.status == .done && good.output.contains("1 store checked, no problems"), "\(good)")
    for (fault, reason) in BinaryStoreFixture.faults {
      let found = session("doctor \(fault).dat")
      #expect(found.status >= .no && found.output.contains(reason), "\(fault): \(found)")
      #expect(!found.output.contains("sqlite3"), "\(fault): \(found)")
    }
    let unknown = TestSession(in: folder)("doctor good.dat")
    #expect(unknown.status == .done && unknown.output.contains("[store.noModel]"), "\(unknown)")
    // XML stores, and the old ones that migrations keep.
    session("migrate good.dat --to V1 --output x.xml")
    #expect(session("migrate x.xml --to V2").status == .done)
    let kept = session("doctor x.xml")
    #expect(kept.status == .done && kept.output.contains("x.xml.before-V1"), "\(kept)")
    #expect(session("doctor x.xml --discard-old").output.contains("deleted it"))
    let text = try String(contentsOfFile: folder.path("x.xml"), encoding: .utf8)
    try folder.write(String(text.dropLast(20)), to: "cut.xml")
    let cut = session("doctor cut.xml")
    #expect(cut.status == .failed && cut.output.contains("cut.xml"), "\(cut)")
  }

  @Test("no changed or truncated byte crashes the reader")
  func everyByte() throws {
    let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("good.dat")))
    let contents = folder.url.appendingPathComponent(
      "App.xcdatamodeld/V1.xcdatamodel/contents")
    let model = try ObjectModel(ModelDocument(reading: [UInt8](Data(contentsOf: contents))))
    for place in stride(from: 0, to: bytes.count, by: 23) {
      for change in [0xFF, 0x01] as [UInt8] {
        var changed = bytes
        changed[place] ^= change
        guard let store = try? BinaryStore(changed) else { continue }
        // What can be read is a store, or is refused: it does not end the program.
        if let copy = try? store.inMemoryStore(of: model) { #expect(copy.path.isEmpty) }
      }
      #expect(throws: StoreError.self) { try BinaryStore(Array(bytes[..<place])) }
    }
  }

  @Test("the command that migrates it into a new store has all options of the refused one")
  func refusal() {
    let options = "--from V1 --strategy lightweight --strict=rows,links"
    session("load App.xcdatamodeld")
    let answer = session("migrate good.dat --to V2 \(options)")
    #expect(answer.diagnostics.contains("\(options) --output good.sqlite"), "\(answer)")
  }
}
