import StrataBase
import StrataMigration
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

/// In WAL mode the store is counted on another thread while its statements run.
@Suite("What a migration in place counts of its store")
struct InPlaceObservationTests {
  /// A store of the sample Topics in a journal mode.
  private final class Fixture {
    let folder: TemporaryFolder
    let path: String
    let hop: MigrationPlan.Hop

    /// - Parameter hasFrames: Whether the WAL has frames: their content is a part of the store.
    init(journal: String, hasFrames: Bool = false) throws {
      folder = try TemporaryFolder()
      path = folder.path("s.sqlite")
      hop = try .inferred(
        from: SampleStore.model("Topics", "Model1"), to: SampleStore.model("Topics", "Model2"))
      try SampleStore.topics(at: path)
      _ = try Python.run(
        """
        import os, sqlite3, sys
        path, journal, frames = sys.argv[1:]
        store = sqlite3.connect(path)
        assert store.execute(f"PRAGMA journal_mode = {journal}").fetchone()[0] == journal
        if frames == "true":
          store.execute("UPDATE ZTOPIC SET ZCONTENT = NULL WHERE Z_PK = 2")
          store.commit()
          # As when the app is ended: nothing is checkpointed.
          os._exit(0)
        store.close()
        """, arguments: [path, journal, "\(hasFrames)"])
    }
  }

  @Test(
    "the report is that of a walk, which counts before the first statement",
    arguments: [("wal", false), ("wal", true), ("delete", false), ("truncate", false)])
  func equalsWalk(journal: String, hasFrames: Bool) throws {
    var reports: [MigrationReport] = []
    for isWalked in [true, false] {
      let fixture = try Fixture(journal: journal, hasFrames: hasFrames)
      let isApart = try SQLiteStore(changing: fixture.path).fileDuringTransaction() != nil
      #expect(isApart == (journal == "wal" && !hasFrames))
      var run = try InPlaceRun(
        fixture.hop, number: 1, of: 1, path: fixture.path, isWalked: isWalked)
      while run.pending != nil { _ = try run.step() }
      reports.append(run.report)
      _ = consume run
      let nulls = try Python.value(
        "SELECT count(*) FROM ZTOPIC WHERE ZCONTENT IS NULL", in: fixture.path)
      #expect(nulls == (hasFrames ? "1" : "0"))
      #expect(
        try Python.value("SELECT sum(ZTIMEBUDGET) / count(*) FROM ZTOPIC", in: fixture.path) == "5")
    }
    #expect(reports[0] == reports[1])
    #expect(reports[1].entities.contains { $0.source > 0 && $0.source == $0.created })
  }

  @Test("the store stays locked after it was counted", arguments: ["wal", "delete"])
  func staysLocked(journal: String) throws {
    let fixture = try Fixture(journal: journal)
    var run = try InPlaceRun(fixture.hop, number: 1, of: 1, path: fixture.path)
    while let step = run.pending, step != .commit { _ = try run.step() }
    let answer = try Python.run(
      """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1], timeout=0)
      for sql in ["BEGIN IMMEDIATE", "SELECT count(*) FROM ZTOPIC"]:
        try: store.execute(sql); print(sql, "is possible")
        except sqlite3.OperationalError as error: print(error)
      """, arguments: [fixture.path])
    #expect(answer == "database is locked\ndatabase is locked\n")
    while run.pending != nil { _ = try run.step() }
    _ = consume run
    #expect(
      try Python.value("SELECT count(*) FROM ZTOPIC WHERE ZTIMEBUDGET = 5", in: fixture.path) == "3"
    )
  }

  @Test("a run that is dropped midway leaves the store as it was", arguments: ["wal", "delete"])
  func dropped(journal: String) throws {
    let fixture = try Fixture(journal: journal)
    var run = try InPlaceRun(fixture.hop, number: 1, of: 1, path: fixture.path)
    while let step = run.pending, step != .validate { _ = try run.step() }
    _ = consume run
    let store = try SQLiteStore(reading: fixture.path)
    #expect(store.metadata.versionHashes == fixture.hop.from.model.versionHashes())
    #expect(try Python.value("PRAGMA integrity_check", in: fixture.path) == "ok")
  }
}
