import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Whatever writes, migrates or copies a store refuses a `-wal` or `-journal` that belongs to another store, before
/// anything is touched; a rehearsal refuses what the migration refuses.
@Suite("A -wal or -journal of another store")
struct ForeignJournalTests {
  private static let commands = [
    "insert t.sqlite TopicList title=x", "create t.sqlite --model sample:Topics/Model1 --force",
    "migrate t.sqlite --to sample:Topics/Model2",
    "migrate t.sqlite --to sample:Topics/Model2 --dry-run",
    "migrate t.sqlite --to sample:Topics/Model2 --output o.sqlite",
    "migrate t.sqlite --to sample:Topics/Model1 --output o.sqlite",
    "migrate t.sqlite --to sample:Topics/Model5 --strategy lightweight",
    "migrate t.sqlite --to sample:Topics/Model5 --strategy lightweight --dry-run",
    "migrate other/t.sqlite --to sample:Recipes --output t.sqlite --force",
    "migrate one.sqlite --to sample:Topics/Model1 --output t.sqlite --append",
    "debug t.sqlite --to sample:Topics/Model2", "expect migrates t.sqlite sample:Topics/Model2",
    "expect loses nothing t.sqlite sample:Topics/Model2",
  ]

  @Test(
    "every kind of migration refuses it and changes nothing",
    arguments: ["foreignWAL", "unclearWAL", "foreignJournal", "unclearJournal"])
  func refused(rule: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 3")
    session("create one.sqlite --model sample:Topics/Model2 --rows 3")
    switch rule {
    case "foreignWAL": try session.putForeignWAL(besideStore: "t.sqlite", in: folder)
    case "unclearWAL":
      try FileManager.default.createDirectory(
        atPath: folder.path("other"), withIntermediateDirectories: true)
      session("create other/t.sqlite --model sample:Recipes --rows 1")
      try session.putWholeWAL(besideStore: "t.sqlite", in: folder)
    case "foreignJournal": try session.putForeignJournal(besideStore: "t.sqlite", in: folder)
    default:
      try FileManager.default.createDirectory(
        atPath: folder.path("other"), withIntermediateDirectories: true)
      session("create other/t.sqlite --model sample:Recipes --rows 1")
      try session.leaveUnclearJournal(besideStore: "t.sqlite", in: folder)
    }
    let before = try folder.state()
    for line in Self.commands {
      let answer = session(line)
      #expect(answer.status == .failed, "\(line): \(answer)")
      #expect(answer.diagnostics.contains("[store.\(rule)]"), "\(line): \(answer)")
      #expect(answer.diagnostics.contains("`doctor <store>"), "\(line): \(answer)")
      #expect(try folder.state() == before, "\(line)")
    }
    let isClear = rule.hasPrefix("foreign")
    #expect(session("doctor t.sqlite --fix").status == (isClear ? .done : .no))
    #expect(try isClear || folder.state() == before)
    let count = session("count t.sqlite Topic")
    // SQLite reads the pages of a WAL, and rolls nothing back while it reads.
    #expect(count.output == (rule == "unclearWAL" ? "1\n" : "3\n"))
    #expect(count.diagnostics.contains("[store.\(rule)]") != isClear, "\(count)")
  }
}
