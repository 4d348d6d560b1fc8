import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Stores that cannot be read")
struct DamageTests {
  /// The error of opening a store, and of decoding its cached model.
  private static func failure(_ path: String) -> StoreError? {
    do throws(StoreError) {
      let store = try SQLiteStore(reading: path)
      _ = try store.cachedModel()
      return nil
    } catch {
      return error
    }
  }

  private static let plist = PropertyList.dictionary([
    "NSStoreType": .string("SQLite"),
    "NSStoreModelVersionHashes": .dictionary(["A": .data(Array(repeating: 1, count: 32))]),
  ])

  @Test("a store truncated at any position is refused, and the file is unchanged")
  func truncated() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("whole.sqlite"))
    let bytes = try FileBytes.read(folder.path("whole.sqlite"))
    for count in [1, 15, 16, 50, 99, 100, 512, 4095, 4096, bytes.count / 2, bytes.count - 1] {
      let path = try folder.write(Array(bytes[..<count]), to: "cut.sqlite")
      let before = try folder.state()
      #expect(Self.failure(path) != nil, "\(count) bytes")
      #expect(try folder.state() == before)
    }
    #expect(
      Self.failure(try folder.write([UInt8](), to: "empty.sqlite"))
        == .notSQLite(kind: "an empty file"))
  }

  @Test(
    "a store that another program changes while it is read is not called damaged",
    arguments: [false, true])
  func changedMeanwhile(isChangedFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let page = Int(
      try Python.value("SELECT rootpage FROM sqlite_master WHERE name = 'ZTOPIC'", in: path))
    func damage() throws {
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      try file.seek(toOffset: UInt64(try #require(page) - 1) * 4096)
      try file.write(contentsOf: Array(repeating: 0xFF, count: 4096))
      try file.close()
    }
    if isChangedFirst { try damage() }
    let store = try SQLiteStore(reading: path)
    if !isChangedFirst { try damage() }
    let error = #expect(throws: StoreError.self) {
      try store.connection.rows("SELECT ZCONTENT FROM ZTOPIC")
    }
    #expect(
      error == (isChangedFirst ? .damaged("database disk image is malformed") : .changedMeanwhile))
  }

  @Test("missing, NULL, damaged or unexpected metadata is refused")
  func metadata() throws {
    let folder = try TemporaryFolder()
    func path(_ name: String, _ sql: [String]) throws -> String {
      let path = folder.path(name)
      try StoreFixture.makeStore(at: path, plist: Self.plist.encoded())
      try StoreFixture.run(sql, on: path)
      return path
    }
    #expect(Self.failure(try path("fine", [])) == nil)
    #expect(
      Self.failure(try path("none", ["DROP TABLE Z_METADATA"]))
        == .noMetadata(reason: "it has no table Z_METADATA"))
    #expect(
      Self.failure(try path("empty", ["DELETE FROM Z_METADATA"]))
        == .noMetadata(reason: "Z_METADATA is empty"))
    #expect(
      Self.failure(try path("null", ["UPDATE Z_METADATA SET Z_PLIST = NULL"]))
        == .noMetadata(reason: "Z_PLIST is null"))
    #expect(
      Self.failure(try path("uuid", ["UPDATE Z_METADATA SET Z_UUID = NULL"]))
        == .noMetadata(reason: "Z_UUID is null"))
    for (name, value) in [
      ("garbage", "x'00010203'"), ("text", "'hello'"), ("zero", "x''"),
      ("bplist", "x'62706c6973743030'"),
    ] {
      let failure = Self.failure(try path(name, ["UPDATE Z_METADATA SET Z_PLIST = \(value)"]))
      guard case .unreadableMetadata? = failure else {
        Issue.record("\(name): \(String(describing: failure))")
        continue
      }
    }
  }

  @Test("a view instead of a table is not queried: it could run forever")
  func views() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("view.sqlite")
    try StoreFixture.run(
      [
        "CREATE VIEW Z_METADATA AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1 AS Z_VERSION, 'u' AS Z_UUID, i AS Z_PLIST FROM n WHERE i < 0"
      ],
      on: path)
    #expect(Self.failure(path) == .noMetadata(reason: "it has no table Z_METADATA"))
  }

  @Test("generated columns cannot use excessive time or memory")
  func generatedColumns() throws {
    let folder = try TemporaryFolder()
    for (name, expression) in [
      ("hex", "hex(zeroblob(100000000))"), ("printf", "printf('%.*c', 100000000, 'x')"),
    ] {
      let path = folder.path(name)
      try StoreFixture.run(
        [
          "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB AS (\(expression)))",
          "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID) VALUES (1, 'u')",
        ], on: path)
      #expect(Self.failure(path) != nil, "\(name)")
    }
  }

  @Test("a damaged, cyclic, invalid or oversized cached model is refused")
  func caches() throws {
    let folder = try TemporaryFolder()
    let bomb = Deflate.compress(Array(repeating: 0, count: ArchiveLimits.inflatedSize + 1))
    let caches: [(String, [UInt8])] = [
      ("garbage", [1, 2, 3]), ("bomb", bomb), ("nothing", Deflate.compress([])),
      (
        "cyclic",
        Deflate.compress(
          Array("bplist00".utf8) + [0xA1, 0, 8, 0, 0, 0, 0, 0, 0, 1, 1]
            + Self.trailer(objects: 1, table: 10))
      ),
      ("plist", Deflate.compress(PropertyList.array([]).encoded())),
      (
        "range",
        Deflate.compress(
          PropertyList.dictionary(["$objects": .array([]), "$top": .dictionary(["root": .uid(5)])])
            .encoded())
      ),
    ]
    for (name, cache) in caches {
      let path = folder.path(name)
      try StoreFixture.makeStore(at: path, plist: Self.plist.encoded(), cache: cache)
      guard case .unreadableModelCache? = Self.failure(path) else {
        Issue.record("\(name): \(String(describing: Self.failure(path)))")
        continue
      }
      // The metadata can be read all the same.
      #expect(try SQLiteStore(reading: path).metadata.versionHashes.count == 1)
    }
  }

  private static func trailer(objects: UInt8, table: UInt8) -> [UInt8] {
    [objects, 0, table].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] as [UInt8] }
  }

  @Test("other files are reported as not a store, with their kind")
  func otherFiles() throws {
    let folder = try TemporaryFolder()
    #expect(Self.failure(folder.path("nowhere")) == .notFound)
    #expect(Self.failure(folder.url.path) == .isFolder)
    #expect(
      Self.failure(try folder.write("<?xml version='1.0'?><model/>", to: "m"))
        == .notSQLite(kind: "a data model"))
    #expect(
      Self.failure(try folder.write("bplist00", to: "b"))
        == .notSQLite(kind: "a binary property list"))
    #expect(Self.failure(try folder.write("hello", to: "h")) == .notSQLite(kind: nil))
  }

  @Test("no changed byte of a store makes the reader trap")
  func mutation() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let bytes = try FileBytes.read(folder.path("t.sqlite"))
    let model = try SampleStore.model("Topics", "Model1")
    var generator = SeededRandom(seed: 7)
    var failures = 0
    for _ in 0..<1500 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        mutant[.random(in: 0..<mutant.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let path = try folder.write(mutant, to: "mutant.sqlite")
      do {
        let reader = try StoreReader(SQLiteStore(reading: path), model: model)
        for key in try reader.keys(of: "Topic").prefix(10) {
          _ = try reader.object(key, of: "Topic")
        }
      } catch {
        failures += 1
      }
    }
    #expect(failures > 0)
  }
}
