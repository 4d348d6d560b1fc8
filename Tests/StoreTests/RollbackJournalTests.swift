import Foundation
import StrataBase
import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

@Suite("Journals beside a store")
struct RollbackJournalTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path("t.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
  }

  /// A journal's header: magic, records, nonce, pages of the store, sector, page size.
  private func header(pages: UInt32) -> [UInt8] {
    func bytes(_ number: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
    let head =
      [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + bytes(.max) + bytes(7) + bytes(pages)
      + bytes(512) + bytes(4096)
    return head + [UInt8](repeating: 0, count: 512 - head.count)
  }

  /// Makes a file longer without writing anything.
  private func extend(_ name: String, to size: UInt64) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path(name)))
    try file.truncate(atOffset: size)
    try file.close()
  }

  private func blocks() throws -> Int {
    var status = stat()
    try #require(stat(path + "-journal", &status) == 0)
    return Int(status.st_blocks)
  }

  @Test(
    "a sparse journal of 1 TB is refused at once, whatever its header, and nothing is copied",
    arguments: [0, 3, UInt32.max])
  func sparse(pages: UInt32) throws {
    try folder.write(
      pages == 0 ? Array("anything but a header".utf8) : header(pages: pages),
      to: "t.sqlite-journal")
    try extend("t.sqlite-journal", to: 1 << 40)
    let before = try blocks()
    let error = #expect(throws: StoreError.self) { try StoreSnapshot.take(of: path).size }
    guard case .impossibleJournal = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try blocks() == before)
    #expect(throws: StoreError.self) { try StoreFile.checkJournal(of: path) }
    // It says so of the journal, and does not call the store damaged.
    let found = try FolderExamination(of: folder.url.path).findings.map(\.id)
    #expect(found == ["store.unreadable"])
  }

  /// The end of a journal: a name, its length, the sum of its bytes, the magic number.
  private func end(
    naming name: String, length: Int? = nil, sum: Int32? = nil, magic: UInt8 = 0xD9
  ) -> [UInt8] {
    func bytes(_ number: Int32) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    let own = name.utf8.reduce(Int32(0)) { $0 + Int32(Int8(bitPattern: $1)) }
    return Array(name.utf8) + bytes(Int32(length ?? name.utf8.count)) + bytes(sum ?? own)
      + [magic, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  }

  @Test(
    "a journal with a super-journal is refused by all commands, and nothing is deleted",
    arguments: ["hot", "header", "short", "zero", "sum", "unsigned"])
  func superJournal(kind: String) throws {
    try folder.write("precious", to: "victïm")
    let victim = folder.path("victïm")
    let unsigned = victim.utf8.reduce(Int32(0)) { $0 + Int32($1) }
    let (start, end): ([UInt8], [UInt8]) =
      switch kind {
      case "hot": (header(pages: 3) + [UInt8](repeating: 0, count: 4104), end(naming: victim))
      case "header": (header(pages: 0), end(naming: victim))
      case "short": ([], end(naming: victim))
      case "zero": ([UInt8](repeating: 0, count: 512), end(naming: victim))
      case "sum": (header(pages: 0), end(naming: victim, sum: 1))
      default: (header(pages: 0), end(naming: victim, sum: unsigned))
      }
    try folder.write(start + end, to: "t.sqlite-journal")
    let before = try folder.state()
    func refused(_ method: String, _ work: () throws -> Void) throws {
      let error = #expect(throws: StoreError.self, "\(method)") { try work() }
      #expect(error == .superJournal, "\(method)")
      #expect(try folder.state() == before, "\(method)")
    }
    let path = path
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.sqlite"), withDestinationPath: "t.sqlite")
    let link = folder.path("link.sqlite")
    try refused("link") { _ = try SQLiteConnection(path: link, mode: .readWrite) }
    try FileManager.default.removeItem(atPath: link)
    try refused("read") { _ = try SQLiteStore(reading: path).path }
    try refused("snapshot") { _ = try StoreSnapshot.take(of: path).size }
    try refused("copy") { try StoreFile.checkJournal(of: path) }
    try refused("change") { _ = try SQLiteConnection(changingStoreAt: path) }
    try refused("open") { _ = try SQLiteConnection(path: path, mode: .readWrite) }
    try refused("read-only") { _ = try SQLiteConnection(path: path, mode: .readOnly) }
    try refused("replace") { _ = try StoreReplacement(of: path).path }
    try refused("force") {
      try StoreFile.create(at: path, replacing: true) {
        try Data().write(to: URL(fileURLWithPath: $0))
      }
    }
    let examined = try FolderExamination(of: folder.url.path).findings
    #expect(examined.map(\.id) == ["store.unreadable"])
    for finding in examined { _ = try finding.applyFix() }
    let fix = Finding(.hotJournal, path: path)
    try refused("fix") { _ = try fix.applyFix() }
  }

  @Test(
    "a journal is read if SQLite ignores its super-journal record",
    arguments: ["magic", "empty", "long"])
  func noSuperJournal(kind: String) throws {
    let end =
      switch kind {
      case "magic": end(naming: "/x", magic: 0xD8)
      case "empty": end(naming: "", length: 0)
      default: end(naming: "/x", length: 600)
      }
    try folder.write([UInt8](repeating: 0, count: 512) + end, to: "t.sqlite-journal")
    _ = try SQLiteStore(reading: path).path
    _ = try SQLiteConnection(changingStoreAt: path).number("SELECT count(*) FROM ZTOPIC")
  }

  @Test("a journal that is added beside an open store deletes nothing")
  func lateSuperJournal() throws {
    try folder.write("precious", to: "victim")
    let connection = try SQLiteConnection(changingStoreAt: path)
    try folder.write(
      header(pages: 0) + end(naming: folder.path("victim")), to: "t.sqlite-journal")
    #expect(throws: StoreError.self) { try connection.number("SELECT count(*) FROM ZTOPIC") }
    #expect(FileManager.default.fileExists(atPath: folder.path("victim")))
  }

  @Test("a journal of more bytes than the pages of its header is refused")
  func oversized() throws {
    try folder.write(
      header(pages: 3) + [UInt8](repeating: 1, count: 1 << 20), to: "t.sqlite-journal")
    #expect(throws: StoreError.self) { try StoreSnapshot.take(of: path).size }
    // With the pages for it, it can be one; that nothing in it fits is SQLite's affair.
    try folder.write(
      header(pages: 300) + [UInt8](repeating: 1, count: 1 << 20), to: "t.sqlite-journal")
    _ = try StoreSnapshot.take(of: path).size
  }

  @Test("journals that SQLite writes are read, with every size of page and cache", arguments: 1...6)
  func genuine(seed: Int) throws {
    let page = 512 << (seed - 1)
    let path = folder.path("real.sqlite")
    let writer = try StoreFixture.OpenStore(path)
    try writer.run("PRAGMA page_size = \(page)")
    try writer.run("PRAGMA journal_mode = DELETE")
    try writer.run("CREATE TABLE filler (i, x)")
    let numbers =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)"
    try writer.run("\(numbers) INSERT INTO filler SELECT i, zeroblob(700) FROM n")
    try writer.run("PRAGMA cache_size = \(seed)")
    try writer.run("PRAGMA cache_spill = 1")
    try writer.run("BEGIN")
    // Zeros in pages: what a file system may keep as holes.
    try writer.run("UPDATE filler SET x = zeroblob(650 + i % 7) WHERE i % \(seed) = 0")
    try writer.run("DELETE FROM filler WHERE i > 700")
    for end in ["", "-journal"] {
      try FileManager.default.copyItem(
        atPath: path + end, toPath: folder.path("crash.sqlite\(end)"))
    }
    let files = try StoreFiles(path: folder.path("crash.sqlite"))
    try #require(files.hasHotJournal)
    #expect(try files.hotJournal() != nil)
    let snapshot = try StoreSnapshot.take(of: folder.path("crash.sqlite"))
    let connection = try SQLiteConnection(path: snapshot.readablePath, mode: .readOnly)
    #expect(try connection.number("SELECT count(*) FROM filler") == 1500)
  }

  @Test("only committed frames of a WAL are read")
  func uncommittedWAL() throws {
    let writer = try StoreFixture.OpenStore(path)
    for statement in [
      "PRAGMA journal_mode = WAL", "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1",
    ] {
      try writer.run(statement)
    }
    func files(_ name: String) throws -> StoreFiles {
      for end in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + end, toPath: folder.path(name + end))
      }
      return try StoreFiles(path: folder.path(name))
    }
    try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    let committed = try files("a.sqlite")
    let size = try committed.usedWALSize()
    #expect(size == committed.wal?.size)
    try writer.run("BEGIN")
    try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = hex(zeroblob(90000))")
    let begun = try files("b.sqlite")
    #expect(begun.wal?.size ?? 0 > size)
    #expect(try begun.usedWALSize() == size)
    try writer.run("COMMIT")
    let ended = try files("c.sqlite")
    #expect(try ended.usedWALSize() == ended.wal?.size)
    writer.close()
  }

  @Test("only valid frames of a WAL are read, whatever the file size")
  func usedWAL() throws {
    let writer = try StoreFixture.OpenStore(path)
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: folder.path("c.sqlite\(end)"))
    }
    let size = try StoreFiles(path: folder.path("c.sqlite")).wal?.size ?? 0
    #expect(size > 4096)
    #expect(try StoreFiles(path: folder.path("c.sqlite")).usedWALSize() == size)
    try extend("c.sqlite-wal", to: 1 << 40)
    #expect(try StoreFiles(path: folder.path("c.sqlite")).usedWALSize() == size)
    let store = try SQLiteStore(reading: folder.path("c.sqlite"))
    var names: [String] = []
    try store.connection.query("SELECT ZPRESENTERNAME FROM ZTOPIC") { row in
      names.append("\(row[0])")
      return true
    }
    #expect(names.count == 3 && names.allSatisfy { $0.contains("Zoe") })
  }
}
