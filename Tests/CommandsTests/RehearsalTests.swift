import Foundation
import StrataBase
import StrataCommands
import StrataStore
import TestSupport
import Testing

@Suite("Rehearsals")
struct RehearsalTests {
  @Test(
    "a rehearsal changes no byte, time or name",
    arguments: JournaledStore.Journal.allCases,
    JournaledStore.options)
  func nothingChanges(journal: JournaledStore.Journal, option: String) throws {
    let folder = try TemporaryFolder()
    let store = try JournaledStore(journal, in: folder)
    let session = TestSession(in: folder)
    session("load sample:Topics")
    let before = try store.state()
    let evaluation = session("migrate \(store.path) --to Model5 \(option) --dry-run")
    #expect(evaluation.status == .done, "\(evaluation)")
    #expect(evaluation.output.contains("rehearsed"), "\(evaluation)")
    #expect(try store.state() == before)
    store.close()
  }

  @Test(
    "a rehearsal refuses what a run refuses: journals, folders and other files at the new store",
    arguments: ["sqlite", "xml"], ["Model1", "Model2"])
  func targets(form: String, version: String) throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    try folder.write("text", to: "file.\(form)")
    try folder.write("text", to: "file.\(form)-wal")
    try folder.write("journal", to: "journal.\(form)-journal")
    try folder.write("a", to: "folder.\(form)/a")
    try folder.write("a", to: "walFolder.\(form)-wal/a")
    for (name, options, id) in [
      ("journal", "", "store.strayCompanion"), ("walFolder", "--force", "store.strayCompanion"),
      ("folder", "--force", "store.isFolder"),
      ("file", "--force", "file.otherKind"), ("file", "", "file.exists"),
      ("none/new", "", "file.noFolder"),
    ] {
      let line = "migrate t.sqlite --to \(version) --output \(name).\(form) \(options)"
      let (rehearsed, run) = (session("\(line) --dry-run"), session(line))
      let isRefused = form == "sqlite" || id != "store.strayCompanion"
      #expect(run.status == (isRefused ? .failed : .done), "\(run)")
      #expect(rehearsed.status == run.status, "\(line): \(rehearsed)")
      #expect(!isRefused || rehearsed.diagnostics == run.diagnostics, "\(line): \(rehearsed)")
      #expect(!isRefused || run.diagnostics.contains(id), "\(line): \(run)")
    }
  }

  @Test("a rehearsal tells which other programs have the store open")
  func openElsewhere() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("t.sqlite")
    try SampleStore.topics(at: path)
    let session = TestSession(Session(folder: folder.url.path, clock: { 0 }))
    session("load sample:Topics")
    let other = try OtherProgram(using: path)
    try other.run("SELECT count(*) FROM ZTOPIC")
    session("create new.sqlite --copy t.sqlite")
    let second = try OtherProgram(using: folder.path("new.sqlite"))
    try second.run("SELECT count(*) FROM ZTOPIC")
    for (options, name) in [
      ("", "t.sqlite"), ("--output new.sqlite --force", "new.sqlite"), ("--output b.sqlite", nil),
    ] {
      let answer = session("migrate t.sqlite --to Model2 --dry-run \(options)")
      #expect(answer.status == .done, "\(answer)")
      #expect(
        answer.diagnostics.contains("[store.openElsewhere]\n where: \(name ?? "")")
          == (name != nil),
        "\(answer)")
    }
    let refused = session("migrate t.sqlite --to Model2 --output new.sqlite --force")
    #expect(refused.status == .failed, "\(refused)")
    #expect(refused.diagnostics.contains("[store.openElsewhere]"), "\(refused)")
    second.close()
    other.close()
    let answer = session("migrate t.sqlite --to Model2 --dry-run")
    #expect(!answer.diagnostics.contains("[store.openElsewhere]"), "\(answer)")
  }

  @Test("what no entity mapping reads is counted and named")
  func strayRows() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try StoreFixture.run(
      ["INSERT INTO ZTOPIC (Z_ENT, ZPRESENTERNAME) VALUES (77, 'x'), (NULL, 'y')"],
      on: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    let evaluation = session("migrate t.sqlite --to Model2 --dry-run")
    #expect(evaluation.diagnostics.contains("2 rows have an entity number that is not in Model1"))
  }

  @Test("rows of unknown entities are kept if their table is kept, and --strict accepts that")
  func keptStrayRows() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model3 --rows 2")
    try StoreFixture.run(
      ["INSERT INTO ZTOPIC (Z_ENT, Z_OPT) VALUES (77, 1)"], on: folder.path("t.sqlite"))
    session("try Model3.Topic versionHashModifier 'x'")
    let evaluation = session("migrate t.sqlite --to try:Model3 --strict")
    #expect(evaluation.status == .done, "\(evaluation)")
    #expect(
      evaluation.diagnostics.contains(
        "1 row has an entity number that is not in Model3: no entity mapping reads them, they are unchanged"
      ), "\(evaluation)")
    #expect(session("sql t.sqlite 'SELECT count(*) FROM ZTOPIC'").output.contains("3"))
    // A table that is made anew takes the rows of entities only.
    session("try try:Model3.Topic.timeBudget remove")
    let refused = session("migrate t.sqlite --to try:Model3 --strict=rows")
    #expect(refused.output.contains("refused by --strict: 1 row would be lost"), "\(refused)")
  }

  @Test("a view with the name of an entity's table is not a table")
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

  @Test("objects that would be lost are counted")
  func dropped() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("try Model1.TopicList remove")
    let evaluation = session("migrate t.sqlite --to try:Model1 --dry-run")
    #expect(evaluation.output.contains("rehearsed: 2 objects"), "\(evaluation)")
  }

  @Test("a store with an unknown model is error 134130")
  func unknownSource() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"), version: FrameworkVersion(419))
    let evaluation = TestSession(in: folder)("migrate t.sqlite --to sample:Recipes --dry-run")
    #expect(evaluation.status == .failed && evaluation.diagnostics.contains("134130"))
    let nearest = TestSession(in: folder)("migrate t.sqlite --to sample:FirstTopics --dry-run")
    #expect(
      nearest.diagnostics.contains(
        "note: the nearest version is FirstTopics/Model1: Topic differs"), "\(nearest)")
  }

  @Test("a migration that cannot be inferred is error 134140, with each obstacle")
  func notInferable() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("try Model1.Topic.content attributeType Binary")
    let evaluation = session("migrate t.sqlite --to try:Model1 --dry-run")
    #expect(evaluation.status == .no && evaluation.diagnostics.contains("134140"))
    #expect(evaluation.diagnostics.contains("note: Topic.content: Source and destination"))
  }

  @Test("inference is refused if a mapping model that may fit cannot be read")
  func unreadableMapping() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("samples --write .")
    session("create t.sqlite --model Topics.xcdatamodeld/Model2 --rows 2")
    // A text that no option names stops nothing.
    try folder.write("mapping from Nowhere/A to Nowhere/B\n\nAA: A -> A\n", to: "Mine.mapping")
    #expect(
      session("migrate t.sqlite --to Topics.xcdatamodeld/Model3 --dry-run").status == .done)
    try folder.write("<broken", to: "Broken.xcmappingmodel/xcmapping.xml")
    let before = try folder.state()
    for line in [
      "migrate t.sqlite --to Topics.xcdatamodeld/Model3",
      "migrate t.sqlite --to Topics.xcdatamodeld/Model3 --dry-run",
    ] {
      let refused = session(line)
      #expect(refused.status == .failed, "\(refused)")
      #expect(refused.diagnostics.contains("a mapping model that may apply here cannot be read"))
    }
    #expect(try folder.state() == before)
  }

  @Test("models that a mapping model names are also found relative to its folder")
  func mappingFromElsewhere() throws {
    let folder = try TemporaryFolder()
    let writer = TestSession(in: folder)
    writer("samples --write models")
    writer("create t.sqlite --model models/Topics.xcdatamodeld/Model2 --rows 2")
    let text = """
      mapping from Topics.xcdatamodeld/Model2 to Topics.xcdatamodeld/Model3

      TopicToTopic: Topic -> Topic
        title = 'mapped'
        topicList <- $source.topicList through Lists

      Lists: TopicList -> TopicList
        topics <- $source.topics through TopicToTopic
      """
    try folder.write(text, to: "models/A.mapping")
    let session = TestSession(in: folder)
    let done = session(
      "migrate t.sqlite --to models/Topics.xcdatamodeld/Model3 --mapping A --output n.sqlite")
    #expect(done.status == .done, "\(done)")
    #expect(session("count n.sqlite Topic --where \"title == 'mapped'\"").output == "2\n")
  }

  @Test("a wrong model name does not empty the store")
  func nothingStays() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let before = try folder.state()
    let session = TestSession(in: folder)
    let refused = session("migrate t.sqlite --to sample:Recipes/Recipes1")
    #expect(refused.status == .failed && refused.diagnostics.contains("[migration.nothingStays]"))
    #expect(try folder.state() == before)
  }

  @Test("an XML store becomes a SQLite or an XML store of the new model")
  func xmlStore() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.xml --model sample:Topics/Model2 --rows 3")
    session("create t.sqlite --model sample:Topics/Model2 --rows 3")
    for name in ["t.xml", "t.sqlite"] {
      let done = session("migrate \(name) --to sample:Topics/Model3 --output \(name).new")
      #expect(done.status == .done, "\(done)")
    }
    #expect(session("compare t.xml.new t.sqlite.new --rows").status == .done)
    #expect(session("migrate t.xml --to sample:Topics/Model3 --dry-run").status == .done)
    let document = session("migrate t.xml --to sample:Topics/Model3 --output n.xml")
    #expect(document.status == .done, "\(document)")
    #expect(session("compare n.xml t.sqlite.new --rows").status == .done)
  }

  @Test("an XML store is migrated by replacement; the old one is kept")
  func xmlStoreInPlace() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    func bytes(_ name: String) throws -> Data {
      try Data(contentsOf: folder.url.appendingPathComponent(name))
    }
    for (source, target) in [("Model2", "Model3"), ("Model1", "Model2")] {
      for name in ["t.xml", "t.sqlite"] {
        session("create \(name) --model sample:Topics/\(source) --rows 3 --force")
      }
      let before = try bytes("t.xml")
      #expect(session("migrate t.xml --to sample:Topics/\(target) --dry-run").status == .done)
      #expect(try bytes("t.xml") == before)
      for name in ["t.xml", "t.sqlite"] {
        let done = session("migrate \(name) --to sample:Topics/\(target)")
        #expect(done.status == .done, "\(done)")
        #expect(name == "t.sqlite" || done.output.contains("kept as t.xml.before-\(source)"))
      }
      #expect(try bytes("t.xml.before-\(source)") == before)
      #expect(session("identify t.xml sample:Topics").output.contains(target))
      #expect(session("validate t.xml --model sample:Topics/\(target)").status == .done)
      #expect(session("compare t.xml t.sqlite --rows").status == .done)
    }
  }

  @Test("an XML store whose migration fails or is refused by --strict is unchanged")
  func xmlStoreStays() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.xml --model sample:Topics/Model1 --rows 3")
    let before = try folder.state()
    session("create b.xml --model sample:Topics/Model2 --rows 3")
    let stores = try folder.state()
    let refused = session("migrate b.xml --to sample:Topics/Model1 --strict")
    #expect(refused.status == .failed, "\(refused)")
    #expect(try folder.state() == stores)
    try FileManager.default.removeItem(atPath: folder.path("b.xml"))
    #expect(try folder.state() == before)
    #expect(session("migrate t.xml --to sample:Topics/Model2 --discard-old").status == .done)
    #expect(try Set(folder.state().keys) == ["t.xml"])
  }

  @Test(
    "a missing value of a required attribute stops every kind of migration, with the source key")
  func missingValue() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model2 --rows 5")
    try StoreFixture.run(
      ["DELETE FROM ZTOPIC WHERE Z_PK < 3", "UPDATE ZTOPIC SET ZTIMEBUDGET = NULL WHERE Z_PK = 4"],
      on: folder.path("t.sqlite"))
    for end in ["", " --dry-run", " --output n.sqlite"] {
      let refused = session("migrate t.sqlite --to sample:Topics/Model3" + end)
      #expect(refused.status == (end == " --dry-run" ? .no : .failed), "\(refused)")
      #expect(
        refused.output.contains("Topic.timeBudget is a required value (1570) in 1 object: p4"),
        "\(refused)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("n.sqlite")))
  }

  @Test("a number that does not fit its new type is counted and named, and refused under --strict")
  func tooLarge() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create t.sqlite --model sample:Topics/Model3 --rows 3")
    try StoreFixture.run(
      ["UPDATE ZTOPIC SET ZTIMEBUDGET = 2147483647 WHERE Z_PK = 2"], on: folder.path("t.sqlite"))
    // The mapping model multiplies it by 60.
    let line = "computed from timeBudget; 2 out of range: p2, p3"
    let refused = session("migrate t.sqlite --to sample:Topics/Model4 --output n.sqlite --strict")
    #expect(refused.status == .failed, "\(refused)")
    #expect(refused.output.contains("2 numbers would be lost"), "\(refused)")
    for options in ["--output n.sqlite", "--dry-run", ""] {
      let done = session("migrate t.sqlite --to sample:Topics/Model4 \(options)")
      #expect(done.status == .done && done.output.contains(line), "\(done)")
    }
    // The attribute is required: its default value stands in.
    let value = "SELECT ZTIMEBUDGET FROM ZTOPIC WHERE Z_PK = 2"
    #expect(try Python.value(value, in: folder.path("t.sqlite")) == "5")
    #expect(try Python.value(value, in: folder.path("n.sqlite")) == "5")
  }

  @Test("a rehearsal warns if the disk has less free space than the migration needs")
  func room() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("t.sqlite"))
    for (free, isEnough) in [(0, false), (1000, false), (1 << 40, true), (nil, true)] {
      for options in ["", "--output n.sqlite", "--strategy lightweight"] {
        let session = TestSession(Session(folder: folder.url.path, clock: { 0 }))
        session.session.diskSpace = DiskSpace { _ in free }
        let answer = session("migrate t.sqlite --to sample:Topics/Model2 \(options) --dry-run")
        #expect(answer.status == .done, "\(answer)")
        #expect(
          answer.diagnostics.contains("[migration.littleRoom]") != isEnough,
          "\(free ?? -1) \(options): \(answer)")
      }
    }
  }
}
