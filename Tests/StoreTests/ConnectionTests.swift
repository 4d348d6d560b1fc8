import StrataSQLite
import TestSupport
import Testing

@Suite("Connections to stores")
struct ConnectionTests {
  @Test(
    "commits reach the disk itself where the system distinguishes that", arguments: [false, true])
  func fullSync(isNew: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    if !isNew { try SampleStore.topics(at: path) }
    let connection = try SQLiteConnection(path: path, mode: isNew ? .create : .readWrite)
    for pragma in ["fullfsync", "checkpoint_fullfsync"] {
      #expect(try connection.number("PRAGMA \(pragma)") == 1)
    }
  }
}
