import Foundation
import StrataBase
import StrataCommands
import StrataStore
import TestSupport
import Testing

/// What `doctor` does with stores that a migration has set aside.
@Suite("Doctor: stores that are set aside")
struct KeptStoreTests {
  private let folder: TemporaryFolder
  private let session: TestSession
  private static let kept = "t.sqlite.before-Model1"

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    try SampleStore.topics(at: folder.path("t.sqlite"))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test("of several stores without the new one, the newest is restored", arguments: [1, 2])
  func newest(number: Int) throws {
    let other = "t.sqlite.before-Model\(3 - number)"
    let newest = "t.sqlite.before-Model\(number)"
    try FileManager.default.moveItem(
      atPath: folder.path("t.sqlite"), toPath: folder.path(newest))
    try SampleStore.topics(at: folder.path(other))
    try StoreFixture.run(["DELETE FROM ZTOPIC"], on: folder.path(other))
    for (name, time) in [(other, 1000.0), (newest, 2000)] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: folder.path(name))
    }
    let fixed = session("doctor . --fix")
    #expect(fixed.output.components(separatedBy: "fixed: ").count == 2, "\(fixed)")
    #expect(try names() == ["t.sqlite", other])
    #expect(session("count t.sqlite Topic").output == "3\n")
  }

  @Test("a store is restored with the journal beside it")
  func journal() throws {
    let writer = try StoreFixture.OpenStore(folder.path("t.sqlite"))
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("DELETE FROM ZTOPIC WHERE Z_PK = 1")
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: folder.path("t.sqlite\(end)"), toPath: folder.path(Self.kept + end))
    }
    writer.close()
    for name in try names() where !name.hasPrefix(Self.kept) {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    #expect(session("doctor . --fix").status == .done)
    #expect(try names() == ["t.sqlite", "t.sqlite-wal"])
    #expect(session("count t.sqlite Topic").output == "2\n")
  }

  @Test("one of another origin than the new store is not deleted")
  func otherStore() throws {
    #expect(session("migrate t.sqlite --to sample:Topics/Model2 --keep-old always").status == .done)
    #expect(session("create t.sqlite --model sample:Topics/Model2 --force").status == .done)
    let refused = session("doctor . --discard-old")
    #expect(refused.output.contains("t.sqlite is another store"), "\(refused)")
    #expect(try names() == ["t.sqlite", Self.kept])
  }

  @Test(
    "journals of all kinds without a store are renamed, other files are not touched",
    arguments: [
      ("gone.sqlite-wal", [0x37, 0x7F, 0x06, 0x83, 1, 2, 3, 4], true),
      ("gone.sqlite-wal", [0x37, 0x7F, 0x06, 0x84, 1, 2, 3, 4], false),
      ("gone.sqlite-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], true),
      ("gone.sqlite-journal", [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD8], false),
      ("~t.sqlite", [0x53, 0x51, 0x4C], false),
    ] as [(String, [UInt8], Bool)])
  func journals(name: String, bytes: [UInt8], isJournal: Bool) throws {
    try folder.write(bytes, to: name)
    let fixed = session("doctor . --fix")
    #expect(fixed.status == .done && fixed.output.contains("fixed: ") == isJournal, "\(fixed)")
    #expect(isJournal || fixed.output == "1 store checked, no problems found\n", "\(fixed)")
    #expect(try names() == [name + (isJournal ? ".orphan" : ""), "t.sqlite"].sorted())
    let kept = try #require(try names().first { $0 != "t.sqlite" })
    #expect(try folder.state()[kept]?.bytes == Data(bytes))
  }
}
