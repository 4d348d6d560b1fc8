import Foundation
import StrataBase
import StrataCommands
import StrataSQLite
import TestSupport
import Testing

@Suite("Migrations into XML stores")
struct XMLOutputTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    for (name, added) in [
      ("V1", ""), ("V2", #"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#),
    ] {
      try folder.write(
        """
        <model><entity name="P">
        <attribute name="d" optional="YES" attributeType="Double"/>
        <attribute name="m" optional="YES" attributeType="Decimal"/>\(added)
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="P"/>
        </entity></model>
        """, to: "\(name).xcdatamodel/contents")
      session("load \(name).xcdatamodel")
    }
    session("create s.sqlite --model V1 --rows 1")
  }

  @Test("what a store has besides objects is lost, the framework's tables as a whole")
  func extras() throws {
    try StoreFixture.run(
      [
        "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)",
        "INSERT INTO ATRANSACTION VALUES (1, 16001)",
        "CREATE INDEX ATRANSACTION_I ON ATRANSACTION (Z_ENT)",
        "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)",
        "INSERT INTO ANSCKRECORDMETADATA VALUES (1)", "CREATE TABLE mine (x)",
        "CREATE VIEW seen AS SELECT * FROM mine",
      ], on: folder.path("s.sqlite"))
    let answer = session("migrate s.sqlite --to V2 --output new.xml")
    #expect(answer.status == .done, "\(answer)")
    let lines = (answer.output + answer.diagnostics).split(separator: "\n")
    let notes = lines.filter { $0.hasPrefix("  note: ") }.map { $0.dropFirst(8) }
    #expect(
      notes == [
        "the persistent history (0 changes in 1 transaction) is lost: the migration creates a new store without it",
        "CloudKit's mirroring data (1 row in 1 table) is lost: the migration creates a new store without it",
        "the table mine with 0 rows is lost: an XML store has objects only",
        "the view seen is lost: an XML store has objects only",
      ], "\(answer)")
  }

  @Test(
    "a value that an XML store cannot contain is refused on each road before anything is written",
    arguments: ["migrate s.sqlite --to V2 --output", "migrate s.sqlite --to V1 --output"])
  func refused(command: String) throws {
    try SQLiteConnection(path: folder.path("s.sqlite"), mode: .readWrite)
      .execute("UPDATE ZP SET ZD = 9e999")
    let answer = session("\(command) new.xml")
    #expect(
      answer.status == .failed && answer.diagnostics.contains("[store.notInXML]"), "\(answer)")
    #expect(answer.diagnostics.contains("P/p1.d is infinite"), "\(answer)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.xml")))
    let rehearsal = session("\(command) other.xml --dry-run")
    #expect(rehearsal.status == .no, "\(rehearsal)")
    #expect(rehearsal.diagnostics.contains("[store.notInXML]"), "\(rehearsal)")
    #expect(session("\(command) new.sqlite").status == .done)
  }

  @Test(
    "text that is not valid in its encoding is refused, the replacement character itself is not",
    arguments: ["UTF-8", "UTF-16le"], ["Name", "Link"])
  func invalidText(encoding: String, attribute: String) throws {
    let type = attribute == "Name" ? "String" : "URI"
    try folder.write(
      """
      <model><entity name="T"><attribute name="t" optional="YES" attributeType="\(type)"/></entity></model>
      """, to: "T.xcdatamodel/contents")
    session("create t.sqlite --model T.xcdatamodel --rows 1")
    // The encoding is that of the file, which the statements write anew.
    let dump = try Python.run(
      """
      import os, sqlite3, sys
      path, encoding = sys.argv[1:]
      dump = list(sqlite3.connect(path).iterdump())
      os.remove(path)
      store = sqlite3.connect(path)
      store.execute(f"PRAGMA encoding = '{encoding}'")
      store.executescript("\\n".join(dump))
      print(store.execute("PRAGMA encoding").fetchone()[0])
      """, arguments: [folder.path("t.sqlite"), encoding])
    #expect(dump == "\(encoding)\n")
    let invalid = encoding == "UTF-8" ? "61ff" : "610000d8"
    for (value, isValid) in [("'\u{FFFD}'", true), ("CAST(x'\(invalid)' AS TEXT)", false)] {
      try StoreFixture.run(["UPDATE ZT SET ZT = \(value)"], on: folder.path("t.sqlite"))
      for options in [" --dry-run", ""] {
        let answer = session(
          "migrate t.sqlite --to T.xcdatamodel --output \(isValid ? "good" : "bad").xml\(options)")
        #expect(
          answer.status == (isValid ? .done : options.isEmpty ? .failed : .no), "\(answer)")
        #expect(
          isValid || answer.diagnostics.contains("T/p1.t is text that is not valid"), "\(answer)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("bad.xml")))
  }

  @Test("metadata of the app is in each kind of new store, as Python reads it, or refused")
  func metadata() throws {
    try folder.write(
      """
      import datetime, plistlib, re, sqlite3, sys
      def good():
          return {"plain": "a <b> & c", "return": "a\\rb\\r\\n", "blank": " \\n\\t ", "spaces": "  ", "led": "\\n a",
              "odd": "\\u2028\\u00e9\\U0001f388]]>", "empty": "", "data": b"\\0\\xff", "yes": True, "real": 1e300,
              "numbers": [0, -1, 2**31, 2**63 - 1, -2**63, 2**63, 2**64 - 1, 255, 256, 65536], "nested": {"a": [{}, []]},
              "date": datetime.datetime(2026, 1, 2, 3, 4, 5), "ends": "\\r\\n", "past": [datetime.datetime(*day) for day in
                  [(1, 1, 1), (1582, 10, 14), (1582, 10, 15), (1600, 2, 29), (1969, 12, 31, 23, 59, 59), (9999, 12, 31)]]}
      def bad():
          return [{"k": "a\\x01"}, {"k": ["\\ufffe"]}, {"k\\x02": 1}, {"k": plistlib.UID(3)}]
      def put(path, entries):
          store = sqlite3.connect(path)
          plist = plistlib.loads(store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
          plist = {k: v for k, v in plist.items() if k.startswith(("NS", "_NS"))} | entries
          store.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (plistlib.dumps(plist, fmt=plistlib.FMT_BINARY),))
          store.commit()
      def get(path):
          if path.endswith(".xml"):
              text = open(path, newline="").read()
              plist = re.search("<plist.*</plist>", text, re.S)[0]
              return plistlib.loads(("<?xml version='1.0' encoding='UTF-8'?>" + plist).encode())
          return plistlib.loads(sqlite3.connect(path).execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
      if sys.argv[1] == "good": put(sys.argv[2], good())
      elif sys.argv[1] == "bad": put(sys.argv[3], bad()[int(sys.argv[2])])
      else:
          found = get(sys.argv[2])
          print([key for key, value in good().items() if found.get(key) != value])
      """, to: "plist.py")
    func python(_ arguments: String...) throws -> String {
      try Python.run(
        String(contentsOfFile: folder.path("plist.py"), encoding: .utf8), arguments: arguments)
    }
    let store = folder.path("s.sqlite")
    _ = try python("good", store)
    for version in ["V1", "V2"] {
      for name in ["\(version).sqlite", "\(version).xml", "again\(version).xml"] {
        let source = name.hasPrefix("again") ? "V1.xml" : "s.sqlite"
        let answer = session("migrate \(source) --to \(version) --output \(name)")
        #expect(answer.status == .done, "\(answer)")
        let differences = try python("compare", folder.path(name))
        #expect(differences == "[]\n", "\(name)")
      }
    }
    for index in 0..<4 {
      _ = try python("bad", "\(index)", store)
      for version in ["V1", "V2"] {
        for options in [" --dry-run", ""] {
          let answer = session("migrate s.sqlite --to \(version) --output bad.xml\(options)")
          #expect(answer.status == (options.isEmpty ? .failed : .no), "\(index): \(answer)")
          #expect(answer.diagnostics.contains("[store.notInXML]"), "\(index): \(answer)")
        }
        let answer = session("migrate s.sqlite --to \(version) --output \(index)\(version).sqlite")
        #expect(answer.status == .done, "\(index): \(answer)")
      }
    }
  }

  @Test("fractions of dates in the metadata are told on each road", arguments: ["V1", "V2"])
  func dates(version: String) throws {
    _ = try Python.run(
      """
      import plistlib, sqlite3, struct, sys, datetime
      store = sqlite3.connect(sys.argv[1])
      plist = plistlib.loads(store.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
      plist["seen"] = datetime.datetime(2026, 1, 2, 3, 4, 5)
      data = plistlib.dumps(plist, fmt=plistlib.FMT_BINARY)
      whole = (plist["seen"] - datetime.datetime(2001, 1, 1)).total_seconds()
      data = data.replace(struct.pack(">d", whole), struct.pack(">d", whole + 0.5))
      store.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (data,))
      store.commit()
      """, arguments: [folder.path("s.sqlite")])
    for options in ["--dry-run", "", "--json --force"] {
      let answer = session("migrate s.sqlite --to \(version) --output new.xml \(options)")
      #expect(answer.status == .done, "\(answer)")
      #expect(
        "\(answer)".contains("fractions of a second in new.xml: seen"), "\(answer)")
    }
    #expect(
      !session("migrate s.sqlite --to \(version) --output new.sqlite").diagnostics.contains("seen"))
  }

  @Test(
    "what an XML store cannot have is told on each road, and refused by --strict",
    arguments: ["V1", "V2"])
  func lost(version: String) throws {
    let store = try SQLiteConnection(path: folder.path("s.sqlite"), mode: .readWrite)
    for sql in [
      "CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('a')",
      "CREATE INDEX byNumber ON ZP (ZD)", "UPDATE ZP SET ZNEXT = 99",
      "INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT) VALUES (50, 77, 1)",
      "PRAGMA user_version = 7", "PRAGMA application_id = -9",
    ] {
      try store.execute(sql)
    }
    let command = "migrate s.sqlite --to \(version) --output"
    for options in ["new.xml --dry-run", "new.xml"] {
      let answer = session("\(command) \(options)")
      #expect(answer.status == .done, "\(answer)")
      for item in [
        "table notes with 1 row", "index byNumber on ZP", "user_version 7", "application_id -9",
      ] {
        #expect(answer.diagnostics.contains("the \(item)"), "\(answer)")
      }
      let json = session("\(command) \(options) --force --json").output
      #expect(json.contains("\"lost\" : 1") && json.contains("\"objects\" : 1"), "\(json)")
      #expect(json.contains("the user_version 7"), "\(json)")
      #expect(answer.diagnostics.contains("unknown entity number") == (version == "V1"))
      #expect(answer.diagnostics.contains("an entity number that") == (version == "V2"))
      #expect(
        version == "V1"
          ? answer.diagnostics.contains("P.next: 1 link to missing objects")
          : answer.output.contains("1 dangling link not copied"), "\(answer)")
    }
    let kept = session("\(command) new.sqlite")
    #expect(kept.status == .done && !kept.diagnostics.contains("notes"), "\(kept)")
    for (pragma, value) in [("user_version", "7"), ("application_id", "-9")] {
      #expect(try Python.value("PRAGMA \(pragma)", in: folder.path("new.sqlite")) == value)
    }
    for (category, text) in [("extras", "4 items outside the model"), ("rows", "1 row")] {
      let strict = session("\(command) strict.xml --strict=\(category)")
      #expect(strict.status == .failed, "\(strict)")
      #expect(strict.output.contains("refused by --strict: \(text) would be lost"), "\(strict)")
      #expect(!FileManager.default.fileExists(atPath: folder.path("strict.xml")))
      let rehearsed = session("\(command) strict.xml --strict=\(category) --dry-run --json")
      #expect(
        rehearsed.status == .no && rehearsed.output.contains("\"category\" : \"\(category)\""))
    }
  }

  /// Which keys refer to which objects, and what is left of them: `p1` is a Person, `p2` a Manager.
  @Test(
    "links to objects of another entity of the table are left out on each road, and repeated ones once",
    arguments: ["H1", "H2"])
  func wrongEntities(version: String) throws {
    for (name, added) in [
      ("H1", ""), ("H2", #"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#),
    ] {
      try folder.write(
        """
        <model><entity name="Person">\(added)
        <relationship name="chief" optional="YES" maxCount="1" destinationEntity="Manager" inverseName="reports" inverseEntity="Manager"/>
        <relationship name="mentor" optional="YES" maxCount="1" destinationEntity="Manager"/>
        <relationship name="bosses" optional="YES" toMany="YES" destinationEntity="Manager" inverseName="crew" inverseEntity="Manager"/>
        </entity><entity name="Manager" parentEntity="Person">
        <relationship name="reports" optional="YES" toMany="YES" destinationEntity="Person" inverseName="chief" inverseEntity="Person"/>
        <relationship name="crew" optional="YES" toMany="YES" destinationEntity="Person" inverseName="bosses" inverseEntity="Person"/>
        </entity></model>
        """, to: "\(name).xcdatamodel/contents")
      session("load \(name).xcdatamodel")
    }
    #expect(session("create h.sqlite --model H1 --rows 0").status == .done)
    let store = try SQLiteConnection(path: folder.path("h.sqlite"), mode: .readWrite)
    let join = try #require(
      try store.rows(
        "SELECT name FROM sqlite_master WHERE name LIKE 'Z_%BOSSES' OR name LIKE 'Z_%CREW'"
      ).first)
    guard case .text(let table) = join[0] else { return }
    let person = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person')"
    let manager = "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Manager')"
    var columns: [String] = []
    for row in try store.rows("PRAGMA table_info(\(table))") {
      if case .text(let name) = row[1] { columns.append(name) }
    }
    let crew = try #require(columns.firstIndex { $0.hasSuffix("CREW") })
    let (people, managers) = (columns[crew], columns[1 - crew])
    for sql in [
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZCHIEF, ZMENTOR) VALUES (1, \(person), 1, 2, 1)",
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZCHIEF, ZMENTOR) VALUES (2, \(manager), 1, 1, 2)",
      "DROP TABLE \(table)", "CREATE TABLE \(table) (\(people) INTEGER, \(managers) INTEGER)",
      "INSERT INTO \(table) (\(people), \(managers)) VALUES (1, 2), (2, 1)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 2",
    ] {
      try store.execute(sql)
    }
    if version == "H1" {
      // In passes, a repeated pair is an objection of the witness.
      try store.execute("INSERT INTO \(table) (\(people), \(managers)) VALUES (1, 2)")
    }
    let made = session("migrate h.sqlite --to \(version) --output h.xml")
    #expect(made.status == .done, "\(made)")
    for (query, count) in [
      ("Person --where 'chief != nil'", 1), ("Person --where 'mentor != nil'", 1),
      ("Person --where 'bosses.@count == 1'", 1), ("Manager --where 'crew.@count == 1'", 1),
      ("Manager --where 'reports.@count == 1'", 1), ("Person --where 'bosses.@count > 1'", 0),
    ] {
      let answer = session("count h.xml \(query) --model \(version)")
      #expect(answer.output == "\(count)\n", "\(query): \(answer)")
    }
  }

  @Test("objects have new keys, and a store of another kind is not called a copy")
  func keys() throws {
    let answer = session("migrate s.sqlite --to V2 --output new.xml --json")
    #expect(answer.output.contains(#""keys" : "changed""#), "\(answer)")
    #expect(
      !session("migrate s.sqlite --to V2 --output new.sqlite --json").output.contains("changed"))
    #expect(session("migrate s.sqlite --to V1 --output same.sqlite").output.contains("is a copy"))
    let same = session("migrate s.sqlite --to V1 --output same.xml")
    #expect(
      same.output.contains("same.xml has the same objects in another kind of store"), "\(same)")
  }

  @Test("digits of a decimal that are not kept are told, and refused by --strict")
  func digits() throws {
    session("create d.xml --model V1 --rows 2")
    let text = try String(contentsOfFile: folder.path("d.xml"), encoding: .utf8)
    let digits = "12345678901234567890.123456789"
    let pattern = try Regex(#"type="decimal">[^<]*<"#)
    try folder.write(
      text.replacing(pattern, with: "type=\"decimal\">\(digits)<", maxReplacements: 1), to: "d.xml")
    let rows = session("rows d.xml P --model V1")
    #expect(rows.diagnostics.contains("[store.rounded]"), "\(rows)")
    for options in ["--output e.xml", "", "--dry-run"] {
      let strict = session("migrate d.xml --to V2 --strict=values \(options)")
      #expect(
        strict.status == (options == "--dry-run" ? .no : .failed)
          && strict.diagnostics.contains("[store.rounded]"), "\(strict)")
    }
    let expected = session("expect loses nothing d.xml V2")
    #expect(expected.status == .no && expected.output.contains("digits of Decimal"), "\(expected)")
    let converted = session("migrate d.xml --to V1 --strict=values --output e.sqlite")
    #expect(converted.status == .failed && converted.diagnostics.contains("[store.rounded]"))
    let copied = session("migrate d.xml --to V1 --strict=values --output copy.xml")
    #expect(copied.status == .done && copied.output.contains("copy.xml is a copy"), "\(copied)")
    let files = ["d.xml", "copy.xml"].map { FileManager.default.contents(atPath: folder.path($0)) }
    #expect(files[0] == files[1])
    let migrated = session("migrate d.xml --to V2 --output e.xml")
    #expect(
      migrated.status == .done && migrated.diagnostics.contains("1 value of Decimal"), "\(migrated)"
    )
    #expect(migrated.output.contains("\nmigrated: 1 value rounded; "), "\(migrated)")
    #expect(!session("rows e.xml P --model V2").diagnostics.contains("store.rounded"))
  }
}
