import Foundation
import StrataArchives
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

@Suite("Reading a store changes nothing")
struct ReadingTests {
  /// Opens the store, reads all of it, and returns how many topics it saw.
  private static func read(_ path: String) throws -> Int {
    let store = try SQLiteStore(reading: path)
    let reader = try StoreReader(store, model: SampleStore.model("Topics", "Model1"))
    let count = try reader.count(of: "Topic")
    try reader.store.checkUnchanged()
    return count
  }

  @Test("a store at rest")
  func atRest() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let before = try folder.state()
    #expect(try Self.read(folder.path("t.sqlite")) == 3)
    #expect(try folder.state() == before)
  }

  @Test("rows in a live WAL are read, and the folder is unchanged")
  func liveWAL() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    // Another process, as it is in earnest: within one, SQLite shares its state between links to a file.
    let writer = try OtherProgram(using: path)
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("PRAGMA wal_autocheckpoint = 0")
    try writer.run(
      "INSERT INTO ZTOPIC (Z_ENT, Z_OPT, ZPRESENTERNAME) SELECT Z_ENT, 1, 'Dora' FROM ZTOPIC LIMIT 1"
    )
    let before = try folder.state()
    #expect(before["t.sqlite-wal"]?.bytes.isEmpty == false)
    #expect(try Self.read(path) == 4)
    #expect(try folder.state() == before)
    // The writer goes on as if nobody had looked.
    try writer.run(
      "INSERT INTO ZTOPIC (Z_ENT, Z_OPT, ZPRESENTERNAME) SELECT Z_ENT, 1, 'Emil' FROM ZTOPIC LIMIT 1"
    )
    #expect(try Self.read(path) == 5)
    writer.close()
    #expect(try Self.read(path) == 5)
  }

  @Test("rows in the WAL are read through a link to the store")
  func linkedStore() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("inner/t.sqlite")
    try SampleStore.topics(at: path)
    let link = folder.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let writer = try OtherProgram(using: path)
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("DELETE FROM ZTOPIC WHERE ZPRESENTERNAME = 'Ben'")
    let before = try folder.state()
    #expect(try Self.read(link) == 2)
    #expect(try folder.state() == before)
    writer.close()
  }

  @Test("a store whose writer died with rows in the WAL")
  func deadWAL() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let writer = try StoreFixture.OpenStore(path)
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("DELETE FROM ZTOPIC WHERE ZPRESENTERNAME = 'Ben'")
    let copy = try TemporaryFolder()
    for name in ["t.sqlite", "t.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    writer.close()
    let before = try copy.state()
    #expect(Set(before.keys) == ["t.sqlite", "t.sqlite-wal"])
    #expect(try Self.read(copy.path("t.sqlite")) == 2)
    #expect(try copy.state() == before)
  }

  @Test("a hot journal is rolled back in a copy: the unfinished transaction is not read")
  func hotJournal() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let writer = try StoreFixture.OpenStore(path)
    try writer.run("PRAGMA journal_mode = DELETE")
    try writer.run("PRAGMA cache_size = 1")
    try writer.run("BEGIN")
    try writer.run("DELETE FROM ZTOPIC")
    try writer.run("CREATE TABLE filler (x)")
    try writer.run(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO filler SELECT zeroblob(4000) FROM n"
    )
    let crashed = try TemporaryFolder()
    for name in ["t.sqlite", "t.sqlite-journal"] {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: crashed.path(name))
    }
    try writer.run("ROLLBACK")
    let before = try crashed.state()
    #expect(try Self.read(crashed.path("t.sqlite")) == 3)
    #expect(try crashed.state() == before)
  }

  @Test("a change of a store while it is read is detected")
  func changedMeanwhile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let store = try SQLiteStore(reading: path)
    try store.checkUnchanged()
    try StoreFixture.run(["DELETE FROM ZTOPIC"], on: path)
    var error: StoreError?
    do throws(StoreError) {
      try store.checkUnchanged()
    } catch let caught {
      error = caught
    }
    #expect(error == .changedMeanwhile)
  }

  @Test("no private folder is left behind")
  func noLeftovers() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let writer = try StoreFixture.OpenStore(path)
    try writer.run("PRAGMA journal_mode = WAL")
    try writer.run("DELETE FROM ZTOPIC WHERE ZPRESENTERNAME = 'Ben'")
    var hiddenPath = ""
    do {
      let hidden = try PrivateFolder()
      hiddenPath = hidden.path
      #expect(FileManager.default.fileExists(atPath: hiddenPath))
      let mode =
        try FileManager.default.attributesOfItem(atPath: hiddenPath)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o700)
    }
    #expect(!FileManager.default.fileExists(atPath: hiddenPath))
    #expect(try Self.read(path) == 2)
  }
}
