import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

@Suite("Connections to stores")
struct ConnectionTests {
  @Test("what is written does not depend on how SQLite was built", arguments: [false, true])
  func settings(isNew: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    if !isNew { try SampleStore.topics(at: path) }
    let connection = try SQLiteConnection(path: path, mode: isNew ? .create : .readWrite)
    for pragma in ["fullfsync", "checkpoint_fullfsync", "secure_delete"] {
      #expect(try connection.number("PRAGMA \(pragma)") == 1)
    }
  }

  @Test(
    "each commit to a store of the user is synced, in WAL mode too", arguments: ["DELETE", "WAL"])
  func synchronous(journal: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let other = try OtherProgram(using: path)
    try other.run("PRAGMA journal_mode = \(journal)")
    other.close()
    let connection = try SQLiteConnection(changingStoreAt: path)
    try connection.waitAndSync()
    #expect(try connection.number("PRAGMA synchronous") == 2)
  }
}
