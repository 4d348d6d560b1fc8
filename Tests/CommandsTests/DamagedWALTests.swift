import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// SQLite ignores what stands behind a damaged frame of a `-wal`, and deletes the file with the next checkpoint: no
/// command brings that about.
@Suite("A damaged -wal")
struct DamagedWALTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  /// How a `-wal` of three transactions, each of one frame, is damaged, and how many of them SQLite still reads.
  struct Damage: CustomTestStringConvertible {
    let testDescription: String
    let count: Int
    let change: @Sendable (inout [UInt8]) -> Void

    init(_ name: String, count: Int = 0, _ change: @escaping @Sendable (inout [UInt8]) -> Void) {
      (testDescription, self.count, self.change) = (name, count, change)
    }
  }

  private static let damages = [
    Damage("magic") { $0[0] ^= 1 }, Damage("salt of the header") { $0[16] ^= 1 },
    Damage("checksum of the header") { $0[26] ^= 1 }, Damage("first frame") { $0[32 + 124] ^= 1 },
    Damage("second frame", count: 1) { $0[32 + 4120 + 124] ^= 1 },
    Damage("salt of the last frame", count: 2) { $0[32 + 2 * 4120 + 8] ^= 1 },
    Damage("cut in its header") { $0 = Array($0.prefix(20)) },
    Damage("cut in its first frame") { $0 = Array($0.prefix(3000)) },
    Damage("cut in its last frame", count: 2) { $0.removeLast() },
    Damage("garbage") { $0 = Array(String(repeating: "garbage", count: 1000).utf8) },
  ]

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 3")
    // The keys of the objects that are added below.
    let writer = try StoreFixture.OpenStore(folder.path("t.sqlite"))
    try writer.run("UPDATE Z_PRIMARYKEY SET Z_MAX = 12 WHERE Z_NAME = 'TopicList'")
    writer.close()
  }

  private func put(_ damage: Damage) throws -> [UInt8] {
    let writer = try StoreFixture.OpenStore(folder.path("t.sqlite"))
    try writer.run("PRAGMA journal_mode = WAL")
    for key in 10..<13 {
      try writer.run("INSERT INTO ZTOPICLIST (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), 2, 1)")
    }
    let store = try Data(contentsOf: folder.url.appendingPathComponent("t.sqlite"))
    var wal = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("t.sqlite-wal")))
    writer.close()
    damage.change(&wal)
    try folder.write(Array(store), to: "t.sqlite")
    try folder.write(wal, to: "t.sqlite-wal")
    return wal
  }

  @Test(
    "commands that write, migrate or copy the store refuse and change nothing", arguments: damages
  )
  func refused(_ damage: Damage) throws {
    _ = try put(damage)
    let before = try folder.state()
    for line in [
      "insert t.sqlite TopicList title=x",
      "create t.sqlite --model sample:Topics/Model1 --force",
      "migrate t.sqlite --to sample:Topics/Model2",
      "migrate t.sqlite --to sample:Topics/Model2 --dry-run",
      "migrate t.sqlite --to sample:Topics/Model2 --output o.sqlite",
      "migrate t.sqlite --to sample:Topics/Model5 --strategy lightweight",
      "debug t.sqlite --to sample:Topics/Model2", "expect migrates t.sqlite sample:Topics/Model2",
    ] {
      let answer = session(line)
      #expect(answer.status == .failed, "\(line): \(answer)")
      #expect(answer.diagnostics.contains("[store.damagedWAL]"), "\(line): \(answer)")
      #expect(try folder.state() == before, "\(line)")
    }
    let read = session("count t.sqlite TopicList")
    #expect(read.output == "\(3 + damage.count)\n")
    #expect(read.diagnostics.contains("[store.damagedWAL]"), "\(read)")
  }

  @Test(
    "doctor reports it; --fix keeps a copy and loses nothing that SQLite reads", arguments: damages)
  func doctor(_ damage: Damage) throws {
    let wal = try put(damage)
    let before = try folder.state()
    let found = session("doctor .")
    #expect(found.status == .no && found.output.contains("[store.damagedWAL]"), "\(found)")
    #expect(!found.output.contains("[store.leftoverWAL]"), "\(found)")
    #expect(try folder.state() == before)
    let fixed = session("doctor . --fix")
    #expect(fixed.status == .done, "\(fixed)")
    #expect(fixed.output.contains("t.sqlite-wal.orphan"), "\(fixed)")
    #expect(
      fixed.output.contains("wrote the changes before the damage") == (damage.count > 0),
      "\(fixed)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "t.sqlite", "t.sqlite-wal.orphan",
      ])
    #expect(
      try Data(contentsOf: folder.url.appendingPathComponent("t.sqlite-wal.orphan")) == Data(wal))
    #expect(session("count t.sqlite TopicList").output == "\(3 + damage.count)\n")
    #expect(session("doctor .").output == "1 store checked, no problems found\n")
    #expect(session("insert t.sqlite TopicList title=x").status == .done)
  }
}
