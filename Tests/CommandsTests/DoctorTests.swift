import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What crashes and other tools leave beside stores and in them, and that nothing is lost when it is mended.
@Suite("Doctor")
struct DoctorTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    try SampleStore.topics(at: folder.path("t.sqlite"))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// Finds one thing, mends it where that is possible, and is content then.
  private func check(
    _ id: String, isMended: Bool = true, leaving expected: [String] = ["t.sqlite"],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.state()
    let found = session("doctor . --json")
    #expect(found.status == .no, "\(found)", sourceLocation: sourceLocation)
    #expect(found.output.contains("\"id\" : \"\(id)\""), "\(found)", sourceLocation: sourceLocation)
    #expect(
      found.output.components(separatedBy: "\"id\"").count == 2, "\(found)",
      sourceLocation: sourceLocation)
    #expect(try folder.state() == before, sourceLocation: sourceLocation)
    let mended = session("doctor . --mend")
    #expect(mended.status == (isMended ? .done : .no), "\(mended)", sourceLocation: sourceLocation)
    guard isMended else {
      #expect(try folder.state() == before, sourceLocation: sourceLocation)
      return
    }
    #expect(
      mended.output.contains("    fixed: ")
        && mended.output.hasSuffix("1 problem found and fixed\n"), "\(mended)",
      sourceLocation: sourceLocation)
    #expect(try names() == expected, sourceLocation: sourceLocation)
    #expect(
      session("doctor .").output.hasSuffix("1 store checked, no problems found\n"),
      sourceLocation: sourceLocation)
    #expect(session("count t.sqlite Topic").output == "3\n", sourceLocation: sourceLocation)
  }

  private func copyStore(to name: String) throws {
    let place = URL(fileURLWithPath: folder.path(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    if place != folder.url {
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.path)
    }
    try FileManager.default.copyItem(atPath: folder.path("t.sqlite"), toPath: folder.path(name))
  }

  /// What marks a folder as that of a process which is gone.
  private func mark(_ stage: String) throws {
    try folder.write("999999999\n", to: "\(stage)/strata-process")
  }

  @Test("an unfinished new store is deleted")
  func stage() throws {
    try mark(".t.sqlite.3012345678")
    try copyStore(to: ".t.sqlite.3012345678/t.sqlite")
    try folder.write("", to: ".t.sqlite.3012345678/strata-hop1.sqlite")
    try check("unfinishedDestination")
  }

  @Test("a folder without a store is an error: a wrong argument must not look like a good store")
  func noStore() throws {
    try folder.write("text", to: "Sources/a.swift")
    let found = session("doctor Sources")
    #expect(found.status == .failed && found.diagnostics.contains("[store.notFound]"), "\(found)")
  }

  @Test("a folder with the name of a private folder is kept")
  func otherFolder() throws {
    try copyStore(to: ".t.sqlite.20240101/t.sqlite")
    #expect(session("doctor . --mend").output == "1 store checked, no problems found\n")
    #expect(FileManager.default.fileExists(atPath: folder.path(".t.sqlite.20240101/t.sqlite")))
    try mark(".t.sqlite.3012345678")
    try copyStore(to: ".t.sqlite.3012345678/t.sqlite")
    try folder.write("letters", to: ".t.sqlite.3012345678/letters.txt")
    #expect(session("doctor . --mend").status == .done)
    #expect(FileManager.default.fileExists(atPath: folder.path(".t.sqlite.3012345678/letters.txt")))
  }

  @Test("Core Data's unfinished destination is deleted unless it is the only store")
  func coreDataDestination() throws {
    let name = ".t.sqlite.migrationdestination_41b5a6b5c6e848c462a8480cd24caef3"
    try copyStore(to: name)
    try folder.write("", to: name + "-wal")
    try check("unfinishedDestination")
    try copyStore(to: name)
    try FileManager.default.removeItem(atPath: folder.path("t.sqlite"))
    #expect(session("doctor . --mend").status == .no)
    #expect(try names() == [name])
  }

  @Test("an unfinished document is deleted beside the document, and kept without one")
  func unfinishedDocument() throws {
    let name = ".t.xml.3012345678.unfinished"
    try folder.write("<?xml", to: name)
    try check("unfinishedFile", isMended: false)
    #expect(session("doctor .").output.contains("fix: if it is complete, rename it to t.xml"))
    try folder.write("<?xml", to: "t.xml")
    #expect(session("doctor . --mend").output.contains("fixed: deleted it"))
    #expect(try names() == ["t.sqlite", "t.xml"])
  }

  @Test("a journal without its store is renamed, an empty one is deleted")
  func orphanJournal() throws {
    try folder.write("", to: "gone.sqlite-wal")
    try check("orphanJournal")
    try folder.write([0x37, 0x7F, 0x06, 0x82, 1, 2, 3, 4], to: "gone.sqlite-wal")
    try check("orphanJournal", leaving: ["gone.sqlite-wal.orphan", "t.sqlite"])
    // A user's own files are none.
    for name in ["travel-journal", "notes-shm", "letter-wal"] { try folder.write("Dear", to: name) }
    let before = try folder.state()
    #expect(session("doctor . --mend").output == "1 store checked, no problems found\n")
    #expect(try folder.state() == before)
  }

  @Test("a store that was about to be renamed keeps its name")
  func secondName() throws {
    try FileManager.default.linkItem(
      atPath: folder.path("t.sqlite"), toPath: folder.path("t.sqlite.before-Model1"))
    try check("secondName")
  }

  @Test("a store that exists only under the name of an old store is restored")
  func missingStore() throws {
    try FileManager.default.moveItem(
      atPath: folder.path("t.sqlite"), toPath: folder.path("t.sqlite.before-Model1"))
    try check("missingStore")
  }

  @Test("an interrupted transaction is rolled back")
  func hotJournal() throws {
    let writer = try OtherProgram(using: folder.path("t.sqlite"))
    try writer.beginHalfTransaction()
    for name in ["t.sqlite", "t.sqlite-journal"] {
      try FileManager.default.copyItem(
        atPath: folder.path(name), toPath: folder.path("copy-\(name)"))
    }
    writer.close()
    for name in try names() where !name.hasPrefix("copy-") {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    for name in try names() {
      try FileManager.default.moveItem(
        atPath: folder.path(name), toPath: folder.path(String(name.dropFirst(5))))
    }
    try check("hotJournal")
    let count = session(arguments: [
      "count", "t.sqlite", "Topic", "--where", "presenterName == 'Ben'",
    ])
    #expect(count.output == "1\n", "\(count)")
  }

  @Test("the journal of another store is renamed")
  func foreignJournal() throws {
    try session.putForeignJournal(besideStore: "t.sqlite", in: folder)
    try FileManager.default.removeItem(atPath: folder.path("other"))
    try check("foreignJournal", leaving: ["t.sqlite", "t.sqlite-journal.orphan"])
  }

  @Test("a journal of unknown origin is not changed")
  func unclearJournal() throws {
    try session.leaveUnclearJournal(besideStore: "t.sqlite", in: folder)
    try check("unclearJournal", isMended: false)
  }

  @Test("a WAL of unknown origin is not changed", arguments: [true, false])
  func unclearWAL(isStore: Bool) throws {
    try session.putWholeWAL(besideStore: "t.sqlite", ofStore: isStore, in: folder)
    try check("unclearWAL", isMended: false)
  }

  @Test("the WAL of another store is renamed")
  func foreignWAL() throws {
    let other = TestSession(in: folder)
    other("create other/t.sqlite --model sample:Recipes")
    try FileManager.default.createDirectory(
      atPath: folder.path("other"), withIntermediateDirectories: true)
    #expect(other("create other/t.sqlite --model sample:Recipes --rows 500").status == .done)
    let writer = try OtherProgram(using: folder.path("other/t.sqlite"))
    try writer.run("UPDATE ZCHEF SET Z_OPT = 9")
    try writer.run("UPDATE ZRECIPE SET Z_OPT = 9")
    try FileManager.default.copyItem(
      atPath: folder.path("other/t.sqlite-wal"), toPath: folder.path("t.sqlite-wal"))
    writer.close()
    try FileManager.default.removeItem(atPath: folder.path("other"))
    try check("foreignWAL", leaving: ["t.sqlite", "t.sqlite-wal.orphan"])
  }

  @Test("an empty folder of somebody else is not a new store that a migration has left")
  func foreignFolder() throws {
    let other = folder.path(".vscode.2024")
    try FileManager.default.createDirectory(
      atPath: other, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    #expect(session("doctor . --fix").output.contains("no problems found"))
    #expect(FileManager.default.fileExists(atPath: other))
  }

  @Test("an old store is deleted only if it is a store and the new one is intact")
  func discarding() throws {
    session("migrate t.sqlite --to sample:Topics/Model2")
    try FileManager.default.copyItem(
      atPath: folder.path("t.sqlite"), toPath: folder.path("t.sqlite.before-my edits"))
    session("doctor . --discard-old")
    #expect(try names() == ["t.sqlite", "t.sqlite.before-my edits"])
    session("migrate t.sqlite --to sample:Topics/Model3")
    session("migrate t.sqlite --to sample:Topics/Model4")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite")))
    for damaged in [Data(), Data(repeating: 0, count: 40_000), bytes.prefix(5000)] {
      try damaged.write(to: URL(fileURLWithPath: folder.path("t.sqlite")))
      session("doctor . --discard-old")
      #expect(try names().contains("t.sqlite.before-Model3"))
    }
  }

  #if os(Linux)
    @Test("an old store that another program has open is kept")
    func openOldStore() throws {
      session("migrate t.sqlite --to sample:Topics/Model2 --keep-old always")
      let name = "t.sqlite.before-Model1"
      let other = try OtherProgram(using: folder.path(name))
      try other.run("SELECT count(*) FROM ZTOPIC")
      let kept = session("doctor . --discard-old")
      #expect(kept.output.contains("a program has it open"), "\(kept)")
      #expect(try names().contains(name))
      other.close()
      session("doctor . --discard-old")
      #expect(try !names().contains(name))
    }
  #endif

  @Test("binary data that a copy under any name may need is kept")
  func copies() throws {
    let name = "374C5961-3E41-43E5-915C-383EA914074C"
    try folder.write("data", to: ".t_SUPPORT/_EXTERNAL_DATA/\(name)")
    try folder.write("mine", to: ".t_SUPPORT/_EXTERNAL_DATA/notes.txt")
    try folder.write("mine", to: ".t_SUPPORT/_EXTERNAL_DATA/folder/x")
    try FileManager.default.copyItem(
      atPath: folder.path("t.sqlite"), toPath: folder.path("t.sqlite.bak"))
    let copy = try StoreFixture.OpenStore(folder.path("t.sqlite.bak"))
    try copy.run("UPDATE ZTOPIC SET ZCONTENT = ?", blob: [2] + Array(name.utf8) + [0])
    copy.close()
    let before = try folder.state()
    session("doctor . --mend")
    #expect(try folder.state() == before)
  }

  @Test("binary data that an unreadable store may need is kept, in a folder and for one store")
  func unreadableOwner() throws {
    let name = "374C5961-3E41-43E5-915C-383EA914074C"
    try folder.write("data", to: ".t_SUPPORT/_EXTERNAL_DATA/\(name)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite")))
    for other in ["t.db", "copy", "t.sqlite.before-V1"] {
      try whole.prefix(5000).write(to: URL(fileURLWithPath: folder.path(other)))
      let before = try folder.state()
      for place in [".", "t.sqlite"] {
        let answer = session("doctor \(place) --fix")
        #expect(
          answer.output.contains("\(other) cannot be read, and may refer to them"), "\(answer)")
        #expect(try folder.state() == before, "\(answer)")
      }
      try FileManager.default.removeItem(atPath: folder.path(other))
    }
    // A SQLite file of another program, and a text, do not matter.
    try StoreFixture.run(["CREATE TABLE a (b)"], on: folder.path("other.db"))
    try folder.write("Dear", to: "letter")
    #expect(session("doctor . --fix").output.contains("fixed: moved them"))
  }

  @Test("a backup of the user with the name of a kept store is never deleted, unlike the kept one")
  func backup() throws {
    try copyStore(to: "t.sqlite.before-holiday")
    #expect(session("migrate t.sqlite --to sample:Topics/Model2").status == .done)
    let answer = session("doctor . --discard-old")
    #expect(answer.output.contains("it may be your own copy"), "\(answer)")
    #expect(try names() == ["t.sqlite", "t.sqlite.before-holiday"], "\(answer)")
    // In place, by passes and for a document, a migration marks what it keeps.
    #expect(session("create x.xml --model sample:Topics/Model2 --rows 2").status == .done)
    for line in [
      "migrate t.sqlite --to sample:Topics/Model3 --keep-old always",
      "migrate t.sqlite --to sample:Topics/Model4 --strategy custom",
      "migrate x.xml --to sample:Topics/Model3",
    ] {
      let kept = session(line).output.components(separatedBy: "kept as ").last?.trimmed ?? ""
      #expect(try names().contains(kept), "\(line)")
      session("doctor . --discard-old")
      #expect(try !names().contains(kept), "\(line)")
    }
  }

  @Test(
    "a fix that solves another problem is not followed by it, and one that cannot be applied is none"
  )
  func dataAside() throws {
    let name = "374C5961-3E41-43E5-915C-383EA914074C"
    let store = try StoreFixture.OpenStore(folder.path("t.sqlite"))
    try store.run(
      "UPDATE ZTOPIC SET ZCONTENT = ? WHERE Z_PK = 1", blob: [2] + Array(name.utf8) + [0])
    store.close()
    try folder.write("data", to: ".t_SUPPORT.12345/_EXTERNAL_DATA/\(name)")
    let fixed = session("doctor . --fix")
    #expect(
      fixed.status == .done && fixed.output.contains("fixed: moved the files back")
        && !fixed.output.contains("missing"), "\(fixed)")
    try folder.write("other", to: ".t_SUPPORT.67890/_EXTERNAL_DATA/\(name)")
    let before = try folder.state()
    let again = session("doctor . --fix")
    #expect(again.status == .no && !again.output.contains("fixed:"), "\(again)")
    #expect(try folder.state() == before)
  }

  @Test(
    "the mark of a kept store is not that of a copy with all attributes, nor of a restored store")
  func restored() throws {
    let kept = "t.sqlite.before-Model1"
    #expect(session("migrate t.sqlite --to sample:Topics/Model2").status == .done)
    _ = try Python.run(
      "import os, shutil; os.chdir('\(folder.url.path)'); os.rename('\(kept)', 't.sqlite'); "
        + "shutil.copy2('t.sqlite', '\(kept)')")
    session("delete t.sqlite Topic p2")
    #expect(session("migrate t.sqlite --to sample:Topics/Model2").status == .done)
    session("doctor . --discard-old")
    #expect(try names() == ["t.sqlite", kept])
    // A kept store that another program has changed.
    #expect(session("migrate t.sqlite --to sample:Topics/Model3 --keep-old always").status == .done)
    try StoreFixture.run(
      ["UPDATE ZTOPIC SET Z_OPT = 9"], on: folder.path("t.sqlite.before-Model2"))
    let answer = session("doctor . --discard-old")
    #expect(
      answer.output.components(separatedBy: "does not delete it").count == 3, "\(answer)")
  }

  @Test("a kept store that cannot be read is not deleted, and the others are examined")
  func damagedKept() throws {
    let kept = "t.sqlite.before-Model1"
    #expect(session("migrate t.sqlite --to sample:Topics/Model2").status == .done)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path(kept)))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 9000))
    try file.close()
    let answer = session("doctor . --discard-old")
    #expect(
      answer.status == .no && answer.output.contains("error: \(kept)  damaged")
        && answer.output.contains("does not delete it"), "\(answer)")
    #expect(try names().contains(kept))
  }

  @Test("a kept store is examined with the others and by its name")
  func keptStore() throws {
    #expect(session("migrate t.sqlite --to sample:Topics/Model2").status == .done)
    let kept = "t.sqlite.before-Model1"
    let one = session("doctor \(kept)")
    #expect(one.status == .done && one.output.contains("1 store checked"), "\(one)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path(kept)))
    for damaged in [whole.prefix(5000), Data("hello".utf8)] {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path(kept)))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: damaged)
      try file.close()
      for place in [".", "t.sqlite", kept] {
        let answer = session("doctor \(place)")
        #expect(answer.status != .done && answer.output.contains("error: \(kept)  "), "\(answer)")
      }
    }
  }

  @Test("unreferenced binary data is moved")
  func strayFiles() throws {
    try folder.write("old", to: ".t_SUPPORT/_EXTERNAL_DATA/374C5961-3E41-43E5-915C-383EA914074C")
    try check("strayFiles", leaving: [".t_SUPPORT", "t.sqlite"])
    #expect(
      FileManager.default.fileExists(
        atPath: folder.path(".t_SUPPORT/_ORPHANED_DATA/374C5961-3E41-43E5-915C-383EA914074C")))
  }

  @Test("an empty store is counted and named, in a folder too")
  func empty() throws {
    for name in ["zero.sqlite", "zero.store", "zero.storedata", "zero.txt"] {
      try folder.write("", to: name)
    }
    let all = session("doctor .")
    #expect(all.status == .failed && all.output.contains("4 stores checked"), "\(all)")
    for name in ["zero.sqlite", "zero.store", "zero.storedata"] {
      #expect(all.output.contains("\(name)  not a SQLite store, but an empty file"), "\(all)")
      let one = session("doctor \(name)")
      #expect(one.status == .failed, "\(one)")
      #expect((one.output + one.diagnostics).contains("an empty file"), "\(one)")
    }
  }

  @Test(
    "a path that is not a store is reported with its own advice",
    arguments: [
      ("none.sqlite", "check the path"), ("none/t.sqlite", "check the path"),
      ("t.sqlite/t.sqlite", "check the path"), ("pipe", "check the path"),
      ("/dev/null", "check the path"),
      ("link", "give the path of the file instead of a link"),
    ])
  func advice(path: String, advice: String) throws {
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "link")
    let answer = session("doctor \(path)")
    #expect(answer.status == .failed, "\(answer)")
    #expect(answer.diagnostics.contains(advice), "\(answer)")
    #expect(!answer.diagnostics.contains("permissions"), "\(answer)")
  }

  @Test(
    "in a replay, a link out of the folder does not prevent checking the other stores")
  func linkElsewhere() throws {
    let other = try TemporaryFolder()
    try SampleStore.topics(at: other.path("far.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("far.sqlite"), withDestinationPath: other.path("far.sqlite"))
    try folder.write("", to: "zero.sqlite")
    let before = try (folder.state(), other.state())
    let replayed = TestSession(
      try Session(replayingIn: folder.url.path, below: [folder.url.path]))
    let answer = replayed("doctor .")
    #expect(answer.output.contains("2 stores checked"), "\(answer)")
    #expect(answer.output.contains("zero.sqlite  not a SQLite store"), "\(answer)")
    let text = answer.output + answer.diagnostics
    #expect(
      text.contains("note: a replayed document can only access files in its own folder"),
      "\(answer)")
    #expect(text.contains("where: far.sqlite"), "\(answer)")
    #expect(try folder.state() == before.0 && other.state() == before.1)
  }

  @Test("files in use by another program are not changed")
  func inUse() throws {
    try mark(".t.sqlite.7")
    try copyStore(to: ".t.sqlite.7/t.sqlite")
    let other = try OtherProgram(using: folder.path(".t.sqlite.7/t.sqlite"))
    try other.run("SELECT count(*) FROM ZTOPIC")
    let found = session("doctor . --mend")
    #expect(found.status == .done && found.output.contains("wait for python3"), "\(found)")
    #expect(FileManager.default.fileExists(atPath: folder.path(".t.sqlite.7/t.sqlite")))
    other.close()
    #expect(session("doctor . --mend").status == .done)
  }
}
