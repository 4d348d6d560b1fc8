import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What lies beside a store, or should, is told by every command that reads the store.
@Suite("Warnings of readers")
struct StoreWarningTests {
  /// Every command that reads a store, with the name of the store for `STORE`.
  static let readers = [
    "show STORE", "hash STORE", "metadata STORE", "identify STORE MODEL", "compare STORE MODEL",
    "compare STORE STORE --rows", "rows STORE ENTITY", "count STORE ENTITY",
    "sql STORE 'SELECT count(*) FROM Z_METADATA'", "diff STORE MODEL", "infer STORE MODEL",
    "plan STORE --to MODEL", "migrate STORE --to MODEL --dry-run", "debug STORE --to MODEL",
    "expect count STORE ENTITY 1", "expect compatible STORE MODEL",
  ]

  private static func line(_ reader: String, _ store: String, _ model: String, _ entity: String)
    -> String
  {
    reader.replacing("STORE", with: store).replacing("MODEL", with: model)
      .replacing("ENTITY", with: entity)
  }

  private static func warnings(_ answer: Evaluation) -> Int {
    let all = answer.output + answer.diagnostics
    return all.components(separatedBy: "[store.").count - 1
  }

  @Test(
    "missing files of binary data are reported once", arguments: readers + ["validate STORE"])
  func missingFiles(reader: String) throws {
    let session = try MarkedSession()
    let missing = session(Self.line(reader, "gone.sqlite", "Vault.xcdatamodeld/V2", "Secret"))
    let warning =
      "warning: 1 file of binary data is missing  [store.missingFiles]\n where: gone.sqlite\n"
    let isListed = reader.hasPrefix("validate")
    // Where the file itself is needed, its absence is the error, and the warning a note of it.
    let note = "warning: gone.sqlite: 1 file of binary data is missing"
    let isReported = missing.diagnostics.contains(warning) || missing.diagnostics.contains(note)
    #expect(isReported == !isListed, "\(missing)")
    #expect(missing.status == .failed || !missing.diagnostics.contains(note), "\(missing)")
    #expect(missing.output.contains("which is missing") == isListed, "\(missing)")
    #expect(Self.warnings(missing) <= 1, "\(missing)")
    session("abandon")
    let whole = session(Self.line(reader, "s.sqlite", "Vault.xcdatamodeld/V2", "Secret"))
    #expect(!whole.diagnostics.contains("[store."), "\(whole)")
  }

  @Test("a warning is included in JSON with the answer")
  func json() throws {
    let session = try MarkedSession()
    let answer = session("count gone.sqlite Secret --json")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [String: Any])
    #expect(Set(json.keys) == ["count", "diagnostics", "entity"] && json["count"] as? Int == 1)
    let warning = (json["diagnostics"] as? [[String: [String: Any]]])?.first?["warning"]
    #expect(
      warning?["id"] as? String == "store.missingFiles" && warning?["fix"] != nil, "\(answer)")
    #expect(answer.diagnostics.contains("[store.missingFiles]"))
  }

  @Test("a store without the -wal that its -shm belongs to is reported", arguments: readers)
  func missingWAL(reader: String) throws {
    let folder = try TemporaryFolder()
    let journaled = try JournaledStore(.liveWAL, in: folder)
    for (end, copy) in [("", "t.sqlite"), ("-shm", "t.sqlite-shm")] {
      try FileManager.default.copyItem(
        atPath: folder.path(journaled.path + end), toPath: folder.path(copy))
    }
    journaled.close()
    let session = TestSession(in: folder)
    let line = Self.line(reader, "t.sqlite", "sample:Topics/Model2", "Topic")
    let answer = session(line)
    #expect(
      answer.diagnostics.contains("warning: the -wal is missing; by the -shm it had"), "\(answer)")
    #expect(Self.warnings(answer) == 1, "\(answer)")
    session("abandon")
    // With an empty -wal, as Core Data leaves it, and without a -shm, nothing is missing.
    try folder.write("", to: "t.sqlite-wal")
    #expect(!session(line).diagnostics.contains("[store."))
    session("abandon")
    try FileManager.default.removeItem(atPath: folder.path("t.sqlite-wal"))
    // A -shm that counts nothing.
    try folder.write([UInt8](repeating: 0, count: 32_768), to: "t.sqlite-shm")
    let empty = session(line)
    #expect(
      empty.diagnostics.contains("the last changes may be missing  [store.missingWAL]"), "\(empty)")
    session("abandon")
    try FileManager.default.removeItem(atPath: folder.path("t.sqlite-shm"))
    #expect(!session(line).diagnostics.contains("[store."))
  }

  @Test(
    "a command that changes a store with -wal and -shm leaves no outdated -shm",
    arguments: [
      "migrate t.sqlite --to sample:Topics/Model2 --strategy lightweight",
      "migrate t.sqlite --to sample:Topics/Model2 --discard-old", "doctor t.sqlite --fix",
      "migrate t.sqlite --to sample:Topics/Model5 --strategy hybrid",
      "insert t.sqlite TopicList title=new",
    ])
  func staleIndex(line: String) throws {
    let folder = try TemporaryFolder()
    let journaled = try JournaledStore(.liveWAL, in: folder)
    for end in ["", "-wal", "-shm"] {
      try FileManager.default.copyItem(
        atPath: folder.path(journaled.path + end), toPath: folder.path("t.sqlite\(end)"))
    }
    journaled.close()
    let session = TestSession(in: folder)
    let changed = session(line)
    #expect(changed.status == .done, "\(changed)")
    let examined = session("doctor t.sqlite")
    #expect(examined.output.contains("no problems found"), "\(examined)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.sqlite-wal")))
    #expect(!FileManager.default.fileExists(atPath: folder.path("t.sqlite-shm")))
  }

  @Test("doctor reports a missing -wal: an error if changes are missing, else a note")
  func doctor() throws {
    let folder = try TemporaryFolder()
    let journaled = try JournaledStore(.liveWAL, in: folder)
    for (end, copy) in [("", "copy/t.sqlite"), ("-shm", "copy/t.sqlite-shm")] {
      try folder.write(
        Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(journaled.path + end)))),
        to: copy)
    }
    journaled.close()
    let session = TestSession(in: folder)
    let lost = session("doctor copy --json")
    #expect(lost.status == .no && lost.output.contains("\"id\" : \"missingWAL\""), "\(lost)")
    try folder.write([UInt8](repeating: 0, count: 32_768), to: "copy/t.sqlite-shm")
    let unknown = session("doctor copy --json")
    #expect(unknown.status == .done && unknown.output.contains("\"missingWAL\""), "\(unknown)")
  }

  @Test(
    "a -wal or -journal of another store is reported, whether or not the store can be read with it",
    .part(4),
    arguments: readers, ["wal", "journal"])
  func foreignCompanion(reader: String, end: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 3")
    if end == "wal" {
      try session.putForeignWAL(besideStore: "t.sqlite", in: folder)
    } else {
      try session.putForeignJournal(besideStore: "t.sqlite", in: folder)
    }
    let answer = session(Self.line(reader, "t.sqlite", "sample:Topics/Model2", "Topic"))
    #expect(
      answer.diagnostics.contains("the -\(end) beside it belongs to another store")
        || answer.diagnostics.contains("[store.foreign\(end == "wal" ? "WAL" : "Journal")]"),
      "\(answer)")
  }
}
