import Foundation
import StrataBase
import StrataCommands
import StrataStore
import TestSupport
import Testing

@Suite("Lost content outside the model is listed")
struct LostExtrasTests {
  private static let triggers = [
    "CREATE TRIGGER audit AFTER UPDATE ON ZTOPIC BEGIN SELECT NEW.ZPRESENTERNAME; END",
    "CREATE UNIQUE INDEX once ON Z_PRIMARYKEY (Z_NAME)",
  ]
  private static let sentence =
    "the trigger audit on ZTOPIC is lost: it refers to a column that the new model does not have"

  private static func session(_ folder: TemporaryFolder, _ sql: [String]) throws -> TestSession {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try StoreFixture.run(sql, on: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("try Model1.Topic.presenterName remove")
    return session
  }

  @Test(
    "in text and JSON, in a rehearsal and a migration",
    arguments: ["--dry-run", "--strategy lightweight", "--output new.sqlite"])
  func named(options: String) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder, Self.triggers)
    let text = session("migrate t.sqlite --to try:Model1 \(options)")
    #expect(text.status == .done, "\(text)")
    #expect(text.diagnostics.contains("1 item outside the model"), "\(text.diagnostics)")
    #expect(text.diagnostics.contains(Self.sentence))
    #expect(text.diagnostics.contains("[migration.extras]"))
    let other = try TemporaryFolder()
    let json = try Self.session(other, Self.triggers)(
      "migrate t.sqlite --to try:Model1 \(options) --json")
    #expect(json.output.contains("\"\(Self.sentence)\""), "\(json.output)")
  }

  @Test(
    "--strict refuses it, and the store is unchanged",
    arguments: ["", "--dry-run", "--output new.sqlite"])
  func refused(options: String) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(folder, Self.triggers)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite")))
    let evaluation = session("migrate t.sqlite --to try:Model1 --strict=extras \(options)")
    #expect(evaluation.status != .done, "\(evaluation)")
    #expect(
      evaluation.output.contains("refused by --strict: 1 item outside the model would be lost"),
      "\(evaluation)")
    #expect(evaluation.diagnostics.contains(Self.sentence), "\(evaluation)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite"))) == before)
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.sqlite")))
  }

  @Test(
    "--strict refuses losses that are known after the rows are copied, and the store is unchanged")
  func refusedAtTheEnd() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    // Each topic gets the same date.
    try StoreFixture.run(
      [
        "UPDATE ZTOPIC SET ZDATECREATED = NULL",
        "CREATE UNIQUE INDEX once ON ZTOPIC (ZDATECREATED)",
      ], on: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("try Model1.Topic.dateCreated optional NO")
    session("try Model1.Topic.dateCreated defaultDateTimeInterval 5")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite")))
    let evaluation = session("migrate t.sqlite --to try:Model1 --strict")
    #expect(evaluation.status != .done, "\(evaluation)")
    #expect(evaluation.output.contains("1 item outside the model would be lost"), "\(evaluation)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("t.sqlite"))) == before)
  }

  @Test(
    "the history of an entity that is removed is named by each way",
    arguments: ["", "--output new.sqlite"])
  func historyOfRemovedEntity(options: String) throws {
    let folder = try TemporaryFolder()
    let entity = "<entity name=\"A\"/>"
    for (name, entities) in [("V1", entity + "<entity name=\"B\"/>"), ("V2", entity)] {
      try folder.write("<model>\(entities)</model>", to: "\(name).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    for name in ["V1", "V2"] { session("load \(name).xcdatamodel") }
    session("create s.sqlite --model V1 --rows 1")
    try StoreFixture.run(
      [
        "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER)",
        "INSERT INTO ACHANGE VALUES (1, 1), (2, 2), (3, 2)",
      ], on: folder.path("s.sqlite"))
    let refused = session("migrate s.sqlite --to V2 --strict=extras \(options)")
    #expect(refused.status == .failed && refused.output.contains("1 item"), "\(refused)")
    let answer = session("migrate s.sqlite --to V2 \(options)")
    #expect(
      answer.status == .done && answer.diagnostics.contains("[migration.extras]"), "\(answer)")
  }
}
