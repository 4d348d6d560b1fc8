import Foundation
import StrataBase
import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

/// Whose a rollback journal is, in all small cases: journals that SQLite leaves, and journals made of chosen pages.
@Suite("The origin of a journal beside a store")
struct JournalOriginTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("t.sqlite") }
  private static let pageSize = 4096

  init() throws {
    folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
  }

  private func bytes(_ name: String = "t.sqlite") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  private func change(_ sql: String..., to name: String = "t.sqlite") throws {
    let store = try StoreFixture.OpenStore(folder.path(name))
    try store.run("PRAGMA journal_mode = DELETE")
    for statement in sql { try store.run(statement) }
    store.close()
  }

  private static func pages(_ store: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: store.count, by: pageSize).map { Array(store[$0..<($0 + pageSize)]) }
  }

  /// A journal as SQLite writes it, with some pages of a store; the first has number 1.
  private static func journal(
    _ numbers: [Int], of store: [UInt8], count: Int? = nil, pageSize size: Int = pageSize
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) } }
    let (nonce, pages) = (7, pages(store))
    var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    for value in [numbers.count, nonce, count ?? pages.count, 512, size] {
      journal += number(value)
    }
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    for place in numbers {
      let page = pages[place - 1]
      let sum = stride(from: size - 200, to: 0, by: -200).reduce(nonce) { $0 + Int(page[$1]) }
      journal += number(place) + page + number(sum)
    }
    return journal
  }

  private func origin(of journal: [UInt8]) throws -> JournalOrigin? {
    try folder.write(journal, to: "t.sqlite-journal")
    let before = try folder.state()
    let origin = try JournalOrigin(of: StoreFiles(path: path))
    #expect(try folder.state() == before)
    // The next change of the store would roll it back.
    try FileManager.default.removeItem(atPath: folder.path("t.sqlite-journal"))
    return origin
  }

  @Test(
    "a journal that truncates the store, or empties it, is foreign", arguments: [0, 1, 2, 5, 7])
  func truncating(count: Int) throws {
    #expect(try origin(of: Self.journal([], of: bytes(), count: count)) == .foreign)
    let inSmallPages = Self.journal([], of: try bytes(), count: count, pageSize: 512)
    #expect(try origin(of: inSmallPages) == .foreign)
  }

  @Test("a journal with another page size is foreign, even if it changes nothing")
  func pageSize() throws {
    let store = try bytes()
    for size in [512, 1024, 2048, 8192] {
      let journal = Self.journal([], of: store, count: store.count / size, pageSize: size)
      #expect(try origin(of: journal) == .foreign, "\(size)")
    }
  }

  @Test(
    "a journal that changes nothing is the store's own: without pages, with the same pages, without a header"
  )
  func unchanging() throws {
    let store = try bytes()
    let count = store.count / Self.pageSize
    #expect(try origin(of: Self.journal([], of: store)) == .own)
    for page in 1...count {
      #expect(try origin(of: Self.journal([page], of: store)) == .own, "\(page)")
    }
    #expect(try origin(of: Self.journal(Array(1...count), of: store)) == .own)
    #expect(try origin(of: [UInt8](repeating: 1, count: 600)) == .own)
    #expect(try origin(of: [UInt8](repeating: 0, count: 600)) == nil)
  }

  @Test(
    "a committed transaction whose journal is still there is rolled back: it is the store's own")
  func committed() throws {
    try change("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    let old = try bytes()
    try change("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Ada'")
    let all = Array(1...(old.count / Self.pageSize))
    #expect(try origin(of: Self.journal(all, of: old)) == .own)
    // One more transaction: no journal is two changes behind.
    try change("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Eve'")
    #expect(try origin(of: Self.journal(all, of: old)) == .foreign)
  }

  @Test("a journal without the first page is unclear")
  func withoutFirstPage() throws {
    let old = try bytes()
    try change("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    let new = try bytes()
    let changed = zip(Self.pages(old), Self.pages(new)).enumerated().compactMap {
      $0.element.0 == $0.element.1 ? nil : $0.offset + 1
    }.filter { $0 > 1 }
    try #require(!changed.isEmpty)
    #expect(try origin(of: Self.journal(changed, of: old)) == .unclear)
    // With the page as the store still has it, they are of a transaction before its commit.
    var mixed = new
    mixed.replaceSubrange(0..<Self.pageSize, with: old.prefix(Self.pageSize))
    try folder.write(mixed, to: "t.sqlite")
    #expect(try origin(of: Self.journal(changed, of: old)) == .unclear)
    #expect(try origin(of: Self.journal([1] + changed, of: old)) == .own)
  }

  @Test("one or two pages of another store are never recognized as the store's own")
  func otherStore() throws {
    try SampleStore.topics(at: folder.path("o.sqlite"))
    let uuid = "UPDATE Z_METADATA SET Z_UUID = 'BBBBBBBB-0000-4000-8000-000000000002'"
    try change(uuid, "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'", to: "o.sqlite")
    let (store, other) = (try bytes(), try bytes("o.sqlite"))
    let count = other.count / Self.pageSize
    let same = Set(
      zip(Self.pages(store), Self.pages(other)).enumerated().compactMap {
        $0.element.0 == $0.element.1 ? $0.offset + 1 : nil
      })
    for first in 1...count {
      for second in first...count where !same.isSuperset(of: [first, second]) {
        let found = try origin(of: Self.journal(Array(Set([first, second])), of: other))
        #expect(found == .foreign || found == .unclear, "\(first), \(second)")
      }
    }
    // All of them are a store as it was two changes ago, or of an unknown past.
    #expect(try origin(of: Self.journal(Array(1...count), of: other)) == .foreign)
    try SampleStore.topics(at: folder.path("p.sqlite"))
    try change(uuid, to: "p.sqlite")
    // As many transactions in each.
    for name in ["Ann", "Zoe"] { try change("UPDATE ZTOPIC SET ZPRESENTERNAME = '\(name)'") }
    try change("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'", to: "p.sqlite")
    let whole = Self.journal(Array(1...count), of: try bytes("p.sqlite"))
    #expect(try origin(of: whole) == .unclear)
  }

  @Test("a damaged store is rolled back if its journal repairs it, otherwise damaged")
  func damaged() throws {
    let old = try bytes()
    let count = old.count / Self.pageSize
    for page in 2...count {
      var torn = old
      torn.replaceSubrange(
        ((page - 1) * Self.pageSize)..<(page * Self.pageSize),
        with: [UInt8](repeating: 0xA5, count: Self.pageSize))
      try folder.write(torn, to: "t.sqlite")
      let repaired = try origin(of: Self.journal([page], of: old))
      let unrelated = try origin(of: Self.journal([page == 2 ? 3 : 2], of: old))
      // A free page is nobody's.
      #expect(repaired == .own, "\(page)")
      #expect(unrelated == .damaged || unrelated == .own, "\(page)")
    }
  }

  @Test("a journal of an unfinished transaction is never foreign", arguments: 1...6)
  func genuine(cache: Int) throws {
    for sql in [
      "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Half' || hex(zeroblob(9000))",
      "UPDATE ZTOPIC SET Z_OPT = 9", "DELETE FROM ZTOPIC WHERE Z_PK > 1",
      "CREATE TABLE filler AS SELECT randomblob(5000) FROM ZTOPIC, ZTOPIC, ZTOPIC",
      "ALTER TABLE ZTOPIC ADD COLUMN more", "DROP TABLE ZTOPIC",
    ] {
      try SampleStore.topics(at: folder.path("live.sqlite"))
      let writer = try StoreFixture.OpenStore(folder.path("live.sqlite"))
      for setting in ["journal_mode = DELETE", "cache_size = \(cache)", "cache_spill = 1"] {
        try writer.run("PRAGMA \(setting)")
      }
      try writer.run("BEGIN")
      for statement in [
        sql, "UPDATE ZTOPICLIST SET Z_OPT = 9", "UPDATE Z_PRIMARYKEY SET Z_MAX = 9",
      ] {
        try writer.run(statement)
        try folder.write(bytes("live.sqlite"), to: "t.sqlite")
        // Before its first sync a journal has no header, and is not played back.
        let origin = try origin(of: bytes("live.sqlite-journal"))
        #expect(origin != .foreign && origin != .damaged, "\(sql), \(statement)")
      }
      writer.close()
      try FileManager.default.removeItem(atPath: folder.path("live.sqlite"))
    }
  }

  @Test("no journal is played back beside the committed frames of a -wal")
  func besideWAL() throws {
    let writer = try StoreFixture.OpenStore(path)
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    let (store, wal) = (try bytes(), try bytes("t.sqlite-wal"))
    writer.close()
    try folder.write(store, to: "t.sqlite")
    try folder.write(wal, to: "t.sqlite-wal")
    #expect(try origin(of: Self.journal([2], of: store)) == .foreign)
    try folder.write(Self.journal([2], of: store), to: "t.sqlite-journal")
    #expect(throws: StoreError.self) { try SQLiteConnection(changingStoreAt: path) }
    try folder.write(wal.prefix(32) + [UInt8](repeating: 0, count: 5000), to: "t.sqlite-wal")
    #expect(try origin(of: Self.journal([2], of: store)) == .own)
  }
}
