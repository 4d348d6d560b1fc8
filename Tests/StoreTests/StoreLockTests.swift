import StrataSQLite
import TestSupport
import Testing

@testable import StrataStore

@Suite("The lock on a store that is replaced")
struct StoreLockTests {
  private func store() throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    return (folder, path)
  }

  @Test(
    "the lock excludes writers and readers",
    arguments: ["SELECT * FROM ZTOPIC", "BEGIN IMMEDIATE", "PRAGMA journal_mode = WAL"])
  func keepsOut(statement: String) throws {
    let (folder, path) = try store()
    let other = try OtherProgram(using: path)
    try other.run("PRAGMA busy_timeout = 0")
    let lock = try StoreLock(path)
    #expect(throws: StoreFixture.Failure.self) { try other.run(statement) }
    _ = consume lock
    try other.run(statement)
    other.close()
    _ = folder
  }

  @Test(
    "the lock fails while another program reads or writes",
    arguments: [
      ["BEGIN", "SELECT * FROM ZTOPIC"], ["BEGIN IMMEDIATE"], ["BEGIN EXCLUSIVE"],
    ])
  func isRefused(statements: [String]) throws {
    let (folder, path) = try store()
    let other = try OtherProgram(using: path)
    try other.run("PRAGMA journal_mode = DELETE")
    for statement in statements { try other.run(statement) }
    #expect(throws: StoreError.locked) { _ = try StoreLock(path) }
    try other.run("COMMIT")
    _ = try StoreLock(path)
    other.close()
    _ = folder
  }
}
