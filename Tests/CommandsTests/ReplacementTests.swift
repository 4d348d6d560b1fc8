import Foundation
import StrataBase
import StrataCommands
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// A migration by a mapping model whose new store takes the place of the old one.
@Suite("Replacement")
struct ReplacementTests {
  private static let line = "migrate t.sqlite --to sample:Topics/Model2"

  private static func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// The store as a process leaves it that was killed: a copy of its files while they were in use.
  private static func crashed(
    _ folder: TemporaryFolder, _ work: (OtherProgram) throws -> Void
  ) throws {
    try SampleStore.topics(at: folder.path("live/t.sqlite"))
    let writer = try OtherProgram(using: folder.path("live/t.sqlite"))
    try work(writer)
    for name in ["t.sqlite", "t.sqlite-wal", "t.sqlite-journal"]
    where FileManager.default.fileExists(atPath: folder.path("live/\(name)")) {
      try FileManager.default.copyItem(
        atPath: folder.path("live/\(name)"), toPath: folder.path(name))
    }
    writer.close()
    try FileManager.default.removeItem(atPath: folder.path("live"))
  }

  private static func refusal(
    _ replacement: consuming StoreReplacement, _ aside: String?
  ) -> StoreError? {
    do throws(StoreError) {
      _ = try replacement.commit(settingAside: aside)
      return nil
    } catch {
      return error
    }
  }

  @Test("the content of a leftover WAL is in the new store and in the old one; no journal is left")
  func deadWAL() throws {
    let folder = try TemporaryFolder()
    try Self.crashed(folder) { writer in
      try writer.run("PRAGMA journal_mode = WAL")
      try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    }
    #expect(try Self.names(folder) == ["t.sqlite", "t.sqlite-wal"])
    let session = TestSession(in: folder)
    let migrated = session(Self.line)
    #expect(migrated.status == .done, "\(migrated)")
    #expect(try Self.names(folder) == ["t.sqlite", "t.sqlite.before-Model1"])
    for store in ["t.sqlite", "t.sqlite.before-Model1"] {
      let count = session(arguments: ["count", store, "Topic", "--where", "presenterName == 'Zoe'"])
      #expect(count.output == "3\n", "\(store): \(count)")
    }
  }

  @Test("a hot journal is rolled back first: the incomplete transaction is in neither store")
  func hotJournal() throws {
    let folder = try TemporaryFolder()
    try Self.crashed(folder) { try $0.beginHalfTransaction() }
    #expect(try Self.names(folder) == ["t.sqlite", "t.sqlite-journal"])
    let session = TestSession(in: folder)
    let migrated = session(Self.line)
    #expect(migrated.status == .done, "\(migrated)")
    #expect(try Self.names(folder) == ["t.sqlite", "t.sqlite.before-Model1"])
    for store in ["t.sqlite", "t.sqlite.before-Model1"] {
      let count = session(arguments: ["count", store, "Topic", "--where", "presenterName == 'Ben'"])
      #expect(count.output == "1\n", "\(store): \(count)")
    }
  }

  @Test("file mode and link are kept; the old store has its new name")
  func modeAndLink() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("real/store.sqlite"))
    let files = FileManager.default
    try files.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.path("real/store.sqlite"))
    let old = try Data(contentsOf: URL(fileURLWithPath: folder.path("real/store.sqlite")))
    try files.createSymbolicLink(
      atPath: folder.path("t.sqlite"), withDestinationPath: "real/store.sqlite")
    let session = TestSession(in: folder)
    #expect(session(Self.line).status == .done)
    #expect(
      try files.attributesOfItem(atPath: folder.path("real/store.sqlite"))[.posixPermissions]
        as? Int == 0o640)
    #expect(
      try files.destinationOfSymbolicLink(atPath: folder.path("t.sqlite")) == "real/store.sqlite")
    #expect(
      try files.contentsOfDirectory(atPath: folder.path("real")).sorted()
        == ["store.sqlite", "store.sqlite.before-Model1"])
    // But for the two bytes of the header that ask for a WAL: who waits for the store must not write one.
    let aside = try Data(
      contentsOf: URL(fileURLWithPath: folder.path("real/store.sqlite.before-Model1")))
    #expect(aside[18..<20] == Data([1, 1]) && old[18..<20] == Data([2, 2]))
    #expect(aside[..<18] == old[..<18] && aside[20...] == old[20...])
    // Once more: the name is taken.
    let back = session("migrate t.sqlite --to sample:Topics/Model1")
    #expect(back.status == .done, "\(back)")
    let again = session(Self.line)
    #expect(again.output.hasSuffix("kept as store.sqlite.before-Model1-2\n"), "\(again)")
  }

  @Test(
    "a store that another program has open is refused and unchanged",
    arguments: ["DELETE", "WAL"], ["SELECT count(*) FROM ZTOPIC", "UPDATE ZTOPIC SET Z_OPT = 2"])
  func openElsewhere(journal: String, statement: String) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let other = try OtherProgram(using: folder.path("t.sqlite"))
    try other.run("PRAGMA journal_mode = \(journal)")
    try other.run(statement)
    let session = TestSession(in: folder)
    let before = try folder.state()
    for target in ["Model2", "Model5 --strategy lightweight"] {
      let refused = session("migrate t.sqlite --to sample:Topics/\(target)")
      #expect(refused.status == .failed, "\(refused)")
      #expect(
        refused.diagnostics.contains("store.openElsewhere")
          || refused.diagnostics.contains("store.locked"), "\(refused)")
    }
    #expect(try folder.state() == before)
    other.close()
    #expect(session(Self.line).status == .done)
  }

  @Test("a store that changes during the migration is kept, with the change")
  func changedMeanwhile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    for journal in ["DELETE", "WAL"] {
      try? FileManager.default.removeItem(atPath: path)
      try SampleStore.topics(at: path)
      let replacement = try StoreReplacement(of: path)
      try SampleStore.topics(at: replacement.stagedPath)
      try StoreFixture.run(
        ["PRAGMA journal_mode = \(journal)", "UPDATE ZTOPIC SET ZPRESENTERNAME = 'New'"], on: path)
      let changed = try folder.state()
      #expect(Self.refusal(replacement, path + ".before-Model1") == .changedMeanwhile)
      #expect(try folder.state()["t.sqlite"] == changed["t.sqlite"])
      #expect(try Self.names(folder) == ["t.sqlite"])
    }
  }

  @Test("a WAL that appears beside the store is never applied to the new one")
  func staleWAL() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let replacement = try StoreReplacement(of: path)
    try SampleStore.topics(at: replacement.stagedPath)
    // A good one, of the old store.
    try FileManager.default.createDirectory(
      atPath: folder.path("other"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: path, toPath: folder.path("other/t.sqlite"))
    let writer = try OtherProgram(using: folder.path("other/t.sqlite"))
    try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Late'")
    try FileManager.default.copyItem(
      atPath: folder.path("other/t.sqlite-wal"), toPath: path + "-wal")
    writer.close()
    #expect(Self.refusal(replacement, nil) == .changedMeanwhile)
    let count = TestSession(in: folder)(
      arguments: ["count", "t.sqlite", "Topic", "--where", "presenterName == 'Late'"])
    #expect(count.output == "3\n", "\(count)")
  }

  @Test("if several migrations run at once, one migrates and the others do not change its result")
  func together() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("create migrated.sqlite --model sample:Topics/Model2 --rows 2")
    // Another one holds the store until it has migrated it: this one waits, and must not go on then.
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    other.arguments = [
      "python3", "-c",
      """
      import os, sys, time
      file = open("t.sqlite")
      print(flush=True)
      tests = f"/proc/{os.getppid()}/fd"
      def is_open():
          for name in os.listdir(tests):
              try:
                  if os.path.samefile(f"{tests}/{name}", "t.sqlite"): return True
              except OSError: pass
      # It may have been open so briefly that nobody saw it.
      for _ in range(120 if sys.platform == "linux" else 0):
          if is_open(): break
          time.sleep(0.01)
      time.sleep(0.3 if sys.platform == "linux" else 1)
      os.replace("migrated.sqlite", "t.sqlite")
      """,
    ]
    other.currentDirectoryURL = folder.url
    let ready = Pipe()
    other.standardOutput = ready
    try other.run()
    _ = ready.fileHandleForReading.availableData
    let late = session(Self.line + " --discard-old")
    other.waitUntilExit()
    #expect(late.status == .failed && late.diagnostics.contains("changedMeanwhile"), "\(late)")
    #expect(session("count t.sqlite Topic").output == "2\n")
  }

  @Test("the WAL of another store is not applied to the store", arguments: ["Model2", "Model5"])
  func foreignWAL(target: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 3")
    try session.putForeignWAL(besideStore: "t.sqlite", in: folder)
    let before = try folder.state()
    let refused = session(
      "migrate t.sqlite --to sample:Topics/\(target) --strategy \(target == "Model2" ? "default" : "lightweight")"
    )
    #expect(refused.status == .failed, "\(refused)")
    #expect(try folder.state()["t.sqlite"] == before["t.sqlite"])
    session("doctor t.sqlite --mend")
    #expect(session("count t.sqlite Topic").output == "3\n")
  }

  @Test("two reports of one rehearsal are equal")
  func repeatable() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model1 --rows 7")
    let reports = (0..<4).map { _ in
      session("migrate t.sqlite --to sample:Topics --strategy lightweight --dry-run").output
    }
    #expect(Set(reports).count == 1)
    // What is ordered only afterwards is the same without its order.
    #expect(reports[0].contains("1 relationship (7 links)"), "\(reports[0])")
  }

  // MARK: External data

  @Test("new files are added to the folder and none is replaced; data in both stores is one file")
  func externalData() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    let aside = path + ".before-Photos"
    func files() throws -> [String: Data] {
      let place = folder.path(".t_SUPPORT/_EXTERNAL_DATA")
      return try Dictionary(
        uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: place).map {
          ($0, try Data(contentsOf: URL(fileURLWithPath: "\(place)/\($0)")))
        })
    }
    try PhotoStore.write([1, 2, 3], to: path)
    let before = try files()
    #expect(before.count == 3)
    // The same seeds name the files: the second object has other data under a name that is taken.
    var replacement = try StoreReplacement(of: path)
    try PhotoStore.write([1, 9], to: replacement.stagedPath, replacing: path)
    let model = try PhotoStore.model()
    let faults = (
      try replacement.faults(model, objects: 2), try replacement.faults(model, objects: 3)
    )
    #expect(faults == ([], ["it has 2 of 3 objects"]))
    _ = try replacement.commit(settingAside: aside)
    let after = try files()
    #expect(after.count == 4)
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    #expect(try PhotoStore.read(path) == [1, 9].map { .bytes(PhotoStore.image($0)) })
    #expect(try PhotoStore.read(aside) == [1, 2, 3].map { .bytes(PhotoStore.image($0)) })
    // The old store of this replacement goes, and takes only what no other store has.
    replacement = try StoreReplacement(of: path)
    try PhotoStore.write([5], to: replacement.stagedPath, replacing: path)
    _ = try replacement.commit(settingAside: nil)
    #expect(try files().count == 4)
    #expect(try PhotoStore.read(path) == [.bytes(PhotoStore.image(5))])
    #expect(try PhotoStore.read(aside) == [1, 2, 3].map { .bytes(PhotoStore.image($0)) })
  }
}
