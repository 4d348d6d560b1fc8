import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Whatever writes, migrates or copies a store refuses a `-wal` that belongs to another store, before anything is
/// touched; a rehearsal refuses what the migration refuses.
@Suite("A -wal of another store")
struct ForeignWALTests {
  private static let roads = [
    "insert t.sqlite TopicList title=x", "create t.sqlite --model sample:Topics/Model1 --force",
    "migrate t.sqlite --to sample:Topics/Model2",
    "migrate t.sqlite --to sample:Topics/Model2 --dry-run",
    "migrate t.sqlite --to sample:Topics/Model2 --output o.sqlite",
    "migrate t.sqlite --to sample:Topics/Model1 --output o.sqlite",
    "migrate t.sqlite --to sample:Topics/Model5 --strategy lightweight",
    "migrate t.sqlite --to sample:Topics/Model5 --strategy lightweight --dry-run",
    "migrate other/t.sqlite --to sample:Recipes --output t.sqlite --force",
    "debug t.sqlite --to sample:Topics/Model2", "expect migrates t.sqlite sample:Topics/Model2",
    "expect loses nothing t.sqlite sample:Topics/Model2",
  ]

  @Test("every road refuses it, and changes nothing")
  func refused() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 3")
    try session.putForeignWAL(besideStore: "t.sqlite", in: folder)
    let before = try folder.state()
    for line in Self.roads {
      let answer = session(line)
      #expect(answer.status == .failed, "\(line): \(answer)")
      #expect(answer.diagnostics.contains("[store.foreignWAL]"), "\(line): \(answer)")
      #expect(answer.diagnostics.contains("`doctor <store> --fix`"), "\(line): \(answer)")
      #expect(try folder.state() == before, "\(line)")
    }
    #expect(session("doctor t.sqlite --fix").status == .done)
    #expect(session("count t.sqlite Topic").output == "3\n")
  }
}
