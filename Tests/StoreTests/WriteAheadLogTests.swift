import Foundation
import StrataBase
import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

/// How much of a `-wal` counts is what SQLite reads of it; committed changes that it ignores are found.
@Suite("Write-ahead logs")
struct WriteAheadLogTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
  }

  private static let start = ["PRAGMA journal_mode = WAL"]
  private static let insertion =
    "INSERT INTO ZTOPICLIST (Z_PK, Z_ENT, Z_OPT) SELECT max(Z_PK) + 1, 2, 1 FROM ZTOPICLIST"
  /// Writes more pages than the cache holds, before anything is committed.
  private static let spill = [
    "PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN",
    "UPDATE ZTOPIC SET ZPRESENTERNAME = hex(zeroblob(90000))",
  ]

  /// Store and `-wal` as they are while another program has them open, which has run these statements.
  private func files(after statements: [String]) throws -> (store: [UInt8], wal: [UInt8]) {
    let writer = try StoreFixture.OpenStore(folder.path("t.sqlite"))
    defer { writer.close() }
    for statement in statements { try writer.run(statement) }
    return (try bytes("t.sqlite"), try bytes("t.sqlite-wal"))
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
  }

  private func read(_ wal: [UInt8]) throws -> WriteAheadLog {
    try WriteAheadLog(reading: folder.write(wal, to: "wal"), size: wal.count)
  }

  /// How many lists SQLite sees in a store with this WAL beside it.
  private func count(_ store: [UInt8], _ wal: [UInt8]) throws -> Int {
    try? FileManager.default.removeItem(atPath: folder.path("c.sqlite-shm"))
    try folder.write(store, to: "c.sqlite")
    try folder.write(wal, to: "c.sqlite-wal")
    let connection = try SQLiteConnection(path: folder.path("c.sqlite"), mode: .readOnly)
    return try connection.number("SELECT count(*) FROM ZTOPICLIST")
  }

  @Test("an intact WAL has no fault: committed, uncommitted, rolled back or checkpointed frames")
  func intact() throws {
    for (statements, isWhole) in [
      (Self.start, true),
      (Self.start + [Self.insertion], true),
      (Self.start + [Self.insertion, Self.insertion], true),
      (Self.start + [Self.insertion] + Self.spill, false),
      (Self.start + [Self.insertion] + Self.spill + ["ROLLBACK", Self.insertion], false),
      (Self.start + Self.spill, false),
      (
        Self.start + Self.spill
          + ["COMMIT", "PRAGMA wal_checkpoint(RESTART)", Self.insertion, Self.insertion], false
      ),
    ] {
      let wal = try files(after: statements).wal
      let log = try read(wal)
      #expect(log.fault == nil, "\(statements)")
      #expect((log.committedSize == wal.count) == isWhole, "\(statements)")
    }
  }

  @Test("a partial frame after the last commit is no fault, nor are zeros after the frames")
  func begun() throws {
    // SQLite draws the salts, whose order decides what is of an earlier round.
    for _ in 0..<8 { try begunOnce() }
  }

  private func begunOnce() throws {
    let wal = try files(after: Self.start + [Self.insertion]).wal
    let frame = Array(wal[32...])
    for rest in [
      Array(frame.prefix(24)), Array(frame.prefix(8)), [UInt8](repeating: 0, count: 9000),
    ] {
      let log = try read(wal + rest)
      #expect(log.fault == nil && log.committedSize == wal.count)
    }
    #expect(try read(Array(wal.prefix(32))).fault == nil)
    #expect(try read(Array(wal.prefix(32 + 24))).fault == nil)
    #expect(try read([]).committedSize == 0)
  }

  @Test("a WAL of 1 TB without frames is read up to a limit")
  func long() throws {
    let wal = try files(after: Self.start + [Self.insertion]).wal
    // SQLite can make a WAL of any length.
    let file = try #require(FileHandle(forWritingAtPath: folder.write(wal, to: "long")))
    try file.truncate(atOffset: 1 << 40)
    try file.close()
    let log = try WriteAheadLog(reading: folder.path("long"), size: 1 << 40)
    #expect(log.fault == nil && log.committedSize == wal.count)
  }

  @Test("exactly the flipped bits that make SQLite ignore a commit are found")
  func flips() throws {
    let (store, wal) = try files(
      after: Self.start + [Self.insertion, Self.insertion, Self.insertion])
    let all = try count(store, wal)
    let pageSize = Int(wal[10]) << 8 | Int(wal[11])
    let heads = stride(from: 32, to: wal.count, by: 24 + pageSize)
    #expect(heads.underestimatedCount == 3)
    var random = SeededRandom(seed: 7)
    var offsets = Array(0..<32) + heads.flatMap { $0..<($0 + 24) }
    offsets += (0..<100).map { _ in Int.random(in: 32..<wal.count, using: &random) }
    for offset in offsets {
      var damaged = wal
      damaged[offset] ^= 1 << Int.random(in: 0..<8, using: &random)
      let log = try read(damaged)
      let frame = offset < 32 ? nil : (offset - 32) / (24 + pageSize)
      #expect(log.fault != nil, "offset \(offset)")
      let seen = try count(store, damaged)
      #expect(seen < all, "offset \(offset)")
      #expect(seen == all - 3 + (frame ?? 0), "offset \(offset)")
      #expect(log.committedSize == (frame.map { 32 + $0 * (24 + pageSize) } ?? 0))
      if let frame {
        #expect(log.fault == .frame(frame + 1, commits: 3 - frame), "offset \(offset)")
      } else {
        #expect(log.fault == .header, "offset \(offset)")
      }
    }
  }

  @Test("a file that ends within a frame is found")
  func cuts() throws {
    let wal = try files(after: Self.start + [Self.insertion, Self.insertion]).wal
    let frameSize = (wal.count - 32) / 2
    for size in [1, 20, 31, 57, 100, 3000, frameSize + 31, frameSize + 57, wal.count - 1] {
      let log = try read(Array(wal.prefix(size)))
      let frame = (size - 32) / frameSize + 1
      #expect(log.fault == (size < 32 ? .header : .cut(frame: frame)), "\(size)")
      #expect(log.committedSize == (size < 32 ? 0 : 32 + (frame - 1) * frameSize), "\(size)")
    }
    for text in ["garbage", String(repeating: "garbage", count: 1000)] {
      #expect(try read(Array(text.utf8)).fault == .header)
    }
  }

  @Test("a damaged page hides its transaction, whose commit is in a later frame")
  func longTransaction() throws {
    let wal = try files(after: Self.start + [Self.insertion] + Self.spill + ["COMMIT"]).wal
    let pageSize = Int(wal[10]) << 8 | Int(wal[11])
    var damaged = wal
    damaged[32 + 2 * (24 + pageSize) + 500] ^= 1
    let log = try read(damaged)
    #expect(log.fault == .frame(3, commits: 1))
    #expect(log.committedSize == 32 + 24 + pageSize)
  }
}
