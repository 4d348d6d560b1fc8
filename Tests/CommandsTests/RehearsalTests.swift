import Foundation
import StrataCommands
import StrataDiagnostics
import StrataStore
import TestSupport
import Testing

@Suite("Rehearsals")
struct RehearsalTests {
  @Test(
    "a rehearsal leaves every byte, every time and every name as it was", arguments: [false, true])
  func nothingChanges(withWAL: Bool) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let writer = try OtherProgram(using: folder.path("t.sqlite"))
    if withWAL {
      try writer.run("PRAGMA journal_mode = WAL")
      try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    }
    let before = try folder.state()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    let evaluation = session("migrate t.sqlite --to Model5 --dry-run")
    #expect(evaluation.status == .done, "\(evaluation)")
    #expect(evaluation.output.hasSuffix("rehearsed; t.sqlite is unchanged\n"))
    #expect(try folder.state() == before)
    writer.close()
  }

  @Test("what no entity mapping takes is counted and named")
  func strayRows() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try StoreFixture.run(
      ["INSERT INTO ZTOPIC (Z_ENT, ZPRESENTERNAME) VALUES (77, 'x'), (NULL, 'y')"],
      on: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    let evaluation = session("migrate t.sqlite --to Model2 --dry-run")
    #expect(evaluation.diagnostics.contains("2 rows have an entity number that Model1 lacks"))
  }

  @Test("a view in place of an entity's table is no table")
  func views() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try StoreFixture.run(
      ["DROP TABLE ZTOPIC", "CREATE VIEW ZTOPIC AS SELECT 1 AS Z_PK, 1 AS Z_ENT"],
      on: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    let evaluation = session("migrate t.sqlite --to Model2 --dry-run")
    #expect(evaluation.status == .failed)
    #expect(evaluation.diagnostics.contains("[store.missingTable]\n where: t.sqlite"))
  }

  @Test("objects that would be let go are counted")
  func dropped() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("try Model1.TopicList remove")
    let evaluation = session("migrate t.sqlite --to try:Model1 --dry-run")
    #expect(evaluation.output.contains("2 objects would be let go"), "\(evaluation)")
  }

  @Test("a store that nothing tells the model of is 134130")
  func unknownSource() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"), version: FrameworkVersion(419))
    let evaluation = TestSession(in: folder)("migrate t.sqlite --to sample:Recipes --dry-run")
    #expect(evaluation.status == .failed && evaluation.diagnostics.contains("134130"))
  }

  @Test("a migration that cannot be inferred is 134140, each obstacle with it")
  func notInferable() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("try Model1.Topic.content attributeType Binary")
    let evaluation = session("migrate t.sqlite --to try:Model1 --dry-run")
    #expect(evaluation.status == .failed && evaluation.diagnostics.contains("134140"))
    #expect(evaluation.diagnostics.contains("note: Topic.content: Source and destination"))
  }
}
