import Foundation
import StrataBase
import StrataCommands
import StrataStore
import TestSupport
import Testing

@Suite("Stores created and filled by commands")
struct StoreCommandTests {
  @Test("a store that cannot be created leaves no files")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("folder"), withIntermediateDirectories: false)
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    let session = TestSession(in: folder)
    for path in ["missing/s.sqlite", "file/s.sqlite", "folder", "file", "missing/s.xml"] {
      let evaluation = session("create \(path) --model sample:Topics/Model1 --rows 2")
      #expect(evaluation.status == .failed, "\(path): \(evaluation)")
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == before)
  }

  @Test("--force also deletes the journal and the external data of the replaced store")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.sqlite --model sample:Recipes --rows 2")
    for name in ["s.sqlite-shm", ".s_SUPPORT/_EXTERNAL_DATA/OLD"] {
      try folder.write("old", to: name)
    }
    // One that holds something may be a part of the store: create refuses it until doctor has kept a copy.
    try folder.write("", to: "s.sqlite-wal")
    let refused = session("create s.sqlite --model sample:Topics/Model1")
    #expect(refused.status == .failed && refused.diagnostics.contains("file.exists"))
    #expect(FileManager.default.fileExists(atPath: folder.path("s.sqlite-wal")))
    #expect(
      session("create s.sqlite --model sample:Topics/Model1 --rows 2 --force").status == .done)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["s.sqlite"])
    #expect(session("validate s.sqlite").status == .done)
  }

  @Test(
    "insert says which decimal SQLite does not keep exactly",
    arguments: [
      ("0.1", false), ("-12.50", false), ("1e20", false), ("123456789012345", false),
      ("12345678901234567", true), ("0.12345678901234567890", true), ("nil", false),
    ])
  func roundedDecimal(value: String, isRounded: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "<model><entity name='A'><attribute name='d' optional='YES' attributeType='Decimal'/></entity></model>",
      to: "M.xcdatamodel/contents")
    let session = TestSession(in: folder)
    session("create s.sqlite --model M.xcdatamodel")
    let answer = session("insert s.sqlite A d=\(value)")
    #expect(answer.status == .done, "\(answer)")
    #expect(answer.diagnostics.contains("[store.rounded]") == isRounded, "\(answer)")
  }

  @Test(
    "a folder of binary data that a store left is neither used nor deleted",
    arguments: [true, false])
  func strayExternalData(isEmpty: Bool) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let stray = ".new_SUPPORT/_EXTERNAL_DATA/OLD"
    try folder.write("old", to: stray)
    if isEmpty { try FileManager.default.removeItem(atPath: folder.path(stray)) }
    try folder.write(
      "<model><entity name='A'><attribute name='b' optional='YES' attributeType='Binary' allowsExternalBinaryDataStorage='YES'/></entity></model>",
      to: "M.xcdatamodel/contents")
    try folder.write(String(repeating: "0123456789", count: 20_000), to: "big")
    session("create s.sqlite --model M.xcdatamodel")
    session("insert s.sqlite A b=@big")
    let answer = session("create new.sqlite --copy s.sqlite")
    #expect((answer.status == .done) == isEmpty, "\(answer)")
    #expect(answer.diagnostics.contains("[store.strayExternalData]") != isEmpty, "\(answer)")
    #expect(FileManager.default.fileExists(atPath: folder.path("new.sqlite")) == isEmpty)
    let data = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(".new_SUPPORT/_EXTERNAL_DATA"))
    #expect(data.count == 1 && data.contains("OLD") != isEmpty, "\(data)")
  }

  @Test("two stores whose names differ only in the extension keep their own binary data")
  func sharedExternalData() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.sqlite --model sample:Recipes/Recipes1 --rows 2")
    session("create s.db --model sample:Recipes --rows 2")
    try folder.write("old", to: ".s_SUPPORT/_EXTERNAL_DATA/OLD")
    for line in [
      "create s.db --model sample:Topics/Model1 --force",
      "migrate s.sqlite --to sample:Recipes/Recipes2 --output s.store --without-policy",
    ] {
      let refused = session(line)
      #expect(refused.status == .failed, "\(line): \(refused)")
      #expect(refused.diagnostics.contains("xternal") || refused.diagnostics.contains("SUPPORT"))
    }
    #expect(FileManager.default.fileExists(atPath: folder.path(".s_SUPPORT/_EXTERNAL_DATA/OLD")))
  }

  @Test(
    "--force replaces only stores that are not in use, and no journal of another store is used")
  func notReplaced() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    try folder.write("precious", to: "notes.txt")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("folder"), withIntermediateDirectories: false)
    try folder.write("poison", to: "new.sqlite-wal")
    session("create used.sqlite --model sample:Topics/Model1 --rows 1")
    let other = try StoreFixture.OpenStore(folder.path("used.sqlite"))
    try other.run("BEGIN IMMEDIATE")
    for (line, id) in [
      ("create notes.txt --model sample:Topics/Model1 --force", "file.otherKind"),
      ("create notes.txt --model sample:Topics/Model1 --force --type xml", "file.otherKind"),
      ("create folder --model sample:Topics/Model1 --force", "store.isFolder"),
      ("create used.sqlite --model sample:Topics/Model1 --force", "store.locked"),
      ("create new.sqlite --model sample:Topics/Model1", "store.strayCompanion"),
      ("create folder/ --model sample:Topics/Model1", "store.isFolder"),
    ] {
      let evaluation = session(line)
      #expect(
        evaluation.status == .failed && evaluation.diagnostics.contains(id),
        "\(line): \(evaluation)")
    }
    other.close()
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == [
        "folder", "new.sqlite-wal", "notes.txt", "used.sqlite",
      ])
  }

  @Test("a model that did not write the store is refused by every command")
  func otherModel() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create s.xml --model sample:Topics/Model1 --rows 2")
    session("create s.sqlite --model sample:Topics/Model1 --rows 2")
    for store in ["s.xml", "s.sqlite"] {
      for line in [
        "validate \(store)", "insert \(store) Topic presenterName=x", "rows \(store) Topic",
      ] {
        let evaluation = session("\(line) --model sample:Topics/Model3")
        #expect(
          evaluation.status == .failed
            && ["store.otherModel", "store.badXMLObject"].contains {
              evaluation.diagnostics.contains($0)
            },
          "\(line): \(evaluation)")
      }
    }
  }

  @Test(
    "an XML store of more than ten million bytes is read; an insertion changes no other content",
    .part(4)
  )
  func largeXML() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create s.xml --model Model1 --rows 2")
    let long = String(repeating: "x", count: 11_000_000)
    let document = try String(contentsOfFile: folder.path("s.xml"), encoding: .utf8)
      .replacingOccurrences(
        of: "<object type=\"TOPICLIST\" id=\"z105\">",
        with:
          "<object type=\"TOPICLIST\" id=\"z105\">\n<attribute name=\"title\" type=\"string\">\(long)</attribute>"
      )
      .replacingOccurrences(
        of: "<attribute name=\"title\" type=\"string\"></attribute>\n        <relationship",
        with: "<relationship")
    try folder.write(document, to: "s.xml")
    #expect(session("insert s.xml Topic presenterName=Ann topicList=p104").status == .done)
    #expect(session("count s.xml TopicList --where 'title.length > 1000000'").output == "1\n")
    #expect(session("count s.xml Topic").output == "3\n")
  }

  @Test("compare lists the requested number of objects, and rejects options that do not apply")
  func comparisonOptions() throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let session = TestSession(in: folder)
    session("create a.sqlite --model sample:Topics/Model1 --rows 30")
    session("create b.sqlite --model sample:Topics/Model1")
    for (limit, lines) in [("", 10), ("--limit 3", 3), ("--limit 0", 30), ("--limit 99", 30)] {
      let output = session("compare a.sqlite b.sqlite --rows \(limit)").output
      let listed = output.split(separator: "\n").count { $0.hasPrefix("  Topic ") }
      #expect(listed == lines, "\(limit): \(output)")
      #expect(output.contains("\(30 - lines) more of Topic: --limit 0 for all") == (lines < 30))
    }
    for line in [
      "compare a.sqlite b.sqlite --limit 3", "compare a.sqlite b.sqlite --rows --limit -1",
      "compare a.sqlite b.sqlite --rows --configuration C",
      "compare a.sqlite b.sqlite --configuration C",
    ] {
      #expect(session(line).diagnostics.contains("command.usage"), "\(line)")
    }
  }

  @Test("an XML store with names that would collide is refused, not written with lost values")
  func sameXMLName() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("write sample:Topics/Model1 Model1.xcdatamodel")
    session("load Model1.xcdatamodel")
    session("try Model1.Topic add attribute Content attributeType=String optional=YES")
    let refused = session("create s.xml --model try:Model1 --rows 1")
    #expect(refused.diagnostics.contains("store.sameXMLName"), "\(refused)")
    #expect(session("create s.sqlite --model try:Model1 --rows 1").status == .done)
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.xml")))
  }

  /// Documents of XML stores that do not fit the model, with what is said of them.
  private static let brokenDocuments: [(what: String, from: String, to: String)] = [
    ("has no entity", "type=\"TOPIC\"", "type=\"TOPPIC\""),
    ("has no attribute", "name=\"title\" type=\"string\"", "name=\"titel\" type=\"string\""),
    ("has no relationship", "relationship name=\"topics\"", "relationship name=\"topiks\""),
    ("which does not exist", "idrefs=\"z", "idrefs=\"z99"),
    ("an id must be z and a number", "id=\"z102\"", "id=\"x102\""),
    ("duplicate object id", "id=\"z103\"", "id=\"z102\""),
    ("is not a valid Integer 32", "type=\"int32\">278", "type=\"int32\">many"),
    ("<object> has no attribute id", " id=\"z102\"", ""),
  ]

  @Test(
    "an XML store that does not fit is refused with the object and the reason",
    arguments: brokenDocuments)
  func brokenXML(what: String, from: String, to: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create s.xml --model Model4 --rows 4")
    let document = try String(contentsOfFile: folder.path("s.xml"), encoding: .utf8)
    #expect(document.contains(from))
    guard let range = document.range(of: from) else { return }
    try folder.write(document.replacingCharacters(in: range, with: to), to: "s.xml")
    let evaluation = session("rows s.xml Topic")
    #expect(evaluation.status == .failed, "\(evaluation)")
    #expect(evaluation.diagnostics.contains(what), "\(evaluation)")
  }

  @Test(
    "compare of two stores shows metadata differences, and no value of an app's own keys")
  func metadataDifferences() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create a.sqlite --model sample:Topics/Model1")
    session("create b.sqlite --model sample:Topics/Model1 --framework 866")
    // A copy with a key of an app, by Python.
    _ = try Python.run(
      """
      import plistlib, shutil, sqlite3, sys
      shutil.copy(sys.argv[1], sys.argv[2])
      db = sqlite3.connect(sys.argv[2])
      plist = plistlib.loads(db.execute("select Z_PLIST from Z_METADATA").fetchone()[0])
      plist["Owner"] = "Alesha"
      db.execute("update Z_METADATA set Z_PLIST = ?", [plistlib.dumps(plist, fmt=plistlib.FMT_BINARY)])
      db.commit()
      """, arguments: [folder.path("a.sqlite"), folder.path("c.sqlite")])
    func rows(_ line: String) throws -> [String] {
      let answer = try JSONSerialization.jsonObject(with: Data(session(line).output.utf8))
      let rows = (answer as? [String: Any])?["metadata"] as? [[String: String]] ?? []
      return rows.map { "\($0["key"] ?? ""): \($0["first"] ?? "none"), \($0["second"] ?? "none")" }
    }
    #expect(session("compare a.sqlite c.sqlite").status == .done)
    #expect(try rows("compare a.sqlite c.sqlite --json") == ["Owner: none, string of 6"])
    #expect(try rows("compare a.sqlite a.sqlite --json") == [])
    let others = try rows("compare a.sqlite b.sqlite --json")
    #expect(others.contains("framework: 1344, 866"), "\(others)")
    #expect(others.contains { $0.hasPrefix("UUID: ") } && !others.contains { $0.hasPrefix("type") })
    #expect(session("compare a.sqlite a.sqlite").output.contains("equal metadata"))
    #expect(!session("compare a.sqlite sample:Topics/Model1").output.contains("metadata"))
  }

  @Test(
    "a value of a property that is not stored is refused",
    arguments: ["note=x", "ghost=p1", "number=2"])
  func notStored(value: String) throws {
    let folder = try TemporaryFolder()
    try folder.writeBundle([
      "A": RuleCases.entity(
        "A",
        RuleCases.attribute("note", "String", "transient='YES'")
          + RuleCases.attribute(
            "number", "Integer 64", "derived='YES' derivationExpression='others.@count'")
          + RuleCases.relationship(
            "ghost", to: "A", "\(RuleCases.optional) maxCount='1' transient='YES'")
          + RuleCases.relationship("others", to: "A", "\(RuleCases.optional) toMany='YES'"))
    ])
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/A --rows 1")
    let answer = session("insert s.sqlite A \(value)")
    #expect(answer.status == .failed && answer.diagnostics.contains("store.notStored"), "\(answer)")
    #expect(session("count s.sqlite A").output == "1\n")
  }

  @Test("an empty -wal that stayed behind does not prevent a new store, one with content does")
  func leftover() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for (name, content) in [("a.sqlite", ""), ("b.sqlite", "x")] {
      try folder.write(content, to: name + "-wal")
      let created = session("create \(name) --model sample:Topics/Model1 --rows 1")
      #expect((created.status == .done) == content.isEmpty, "\(created.diagnostics)")
      #expect(content.isEmpty || created.diagnostics.contains("store.strayCompanion"))
    }
    #expect(session("show a.sqlite").status == .done)
  }
}
