import Foundation
import StrataBase
import StrataCommands
import StrataNotebook
import StrataRendering
import TestSupport
import Testing

/// `rows`, `show OBJECT` and what is typed at a terminal only.
@Suite("Looking at objects")
struct RowsTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  /// Two lists of two topics each, with texts that are hard to write.
  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    session("create s.sqlite --model sample:Topics/Model1 --rows 4")
    try StoreFixture.run(
      [
        "UPDATE ZTOPICLIST SET ZTITLE = 'a \"quoted\", |piped|' || char(10) || 'text' WHERE Z_PK = 1",
        "UPDATE ZTOPICLIST SET ZTITLE = NULL WHERE Z_PK = 2",
        "UPDATE ZTOPICLIST SET ZTITLE = 'list ' || Z_PK WHERE Z_PK > 2",
        "UPDATE ZTOPIC SET ZTOPICLIST = 1 + Z_PK % 2, ZCONTENT = 'c' || Z_PK",
      ], on: folder.path("s.sqlite"))
  }

  /// Rows of Python's `csv` and `sqlite3`.
  private func python(_ script: String, _ input: String = "") throws -> String {
    try Python.run(
      "import csv, io, json, sqlite3, sys\n"
        + "store = sqlite3.connect('\(folder.path("s.sqlite"))')\n" + script, input: input)
  }

  @Test("comma-separated values are what Python's csv reads and its sqlite3 says")
  func csv() throws {
    let answer = session("rows s.sqlite Topic --columns content,topicList.title,topicList --csv")
    #expect(answer.status == .done && answer.diagnostics.isEmpty, "\(answer)")
    let read = try python(
      """
      rows = list(csv.reader(io.StringIO(sys.stdin.read())))
      print(rows[0] == ["key", "content", "topicList.title", "topicList"])
      for key, content, title, other in rows[1:]:
          stored = store.execute(
              "SELECT t.ZCONTENT, coalesce(l.ZTITLE, ''), l.Z_PK FROM ZTOPIC t JOIN ZTOPICLIST l "
              "ON l.Z_PK = t.ZTOPICLIST WHERE t.Z_PK = ?", (key[1:],)).fetchone()
          print((content, title) == stored[:2] and other.split(" ")[0] == f"p{stored[2]}")
      """, answer.output)
    #expect(read == String(repeating: "True\n", count: 5), "\(read)\(answer.output)")
    let empty = session("rows s.sqlite Topic --where 'content == nil' --csv --columns content")
    #expect(empty.output == "key,content\n")
    let many = session("rows s.sqlite Topic --csv --limit 1")
    #expect(many.output.split(separator: "\n").count == 2 && many.diagnostics.contains("rows.more"))
  }

  @Test("the URI of an object names its store and its table: that of another is refused")
  func uris() throws {
    let uuid = try python(
      "print(store.execute('SELECT Z_UUID FROM Z_METADATA').fetchone()[0], end='')")
    let own = "x-coredata://\(uuid)/TopicList/p2"
    let count = "count s.sqlite Topic --where"
    #expect(session("\(count) \"topicList == '\(own)'\"").output == "2\n")
    let others = [
      "x-coredata://\(uuid)/Topic/p2", "x-coredata://\(uuid)/Nothing/p2",
      "x-coredata://00000000-0000-4000-8000-000000000000/TopicList/p2", "x-coredata://\(uuid)/p2",
      "x-coredata://p2",
    ]
    let before = try folder.state()
    for uri in others {
      for line in [
        "\(count) \"topicList == '\(uri)'\"", "\(count) \"topicList IN {'p1', '\(uri)'}\"",
        "insert s.sqlite Topic presenterName=x topicList=\(uri)",
        "delete s.sqlite TopicList \(uri)",
      ] {
        let answer = session(line)
        #expect(answer.status == .failed, "\(line): \(answer)")
      }
    }
    #expect(try folder.state() == before)
    // In an attribute, a URI is a text like any other.
    #expect(session("\(count) \"content == '\(others[2])'\"").output == "0\n")
    #expect(session("insert s.sqlite Topic presenterName=x topicList=\(own)").status == .done)
    #expect(session("\(count) \"topicList == 'p2'\"").output == "3\n")
  }

  @Test("JSON names the entity of an object, not the table's, on each road to it")
  func concreteEntities() throws {
    try folder.write(
      """
      <model><entity name="Base" isAbstract="YES"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="next" optional="YES" maxCount="1" destinationEntity="Base" inverseName="last" inverseEntity="Base"/>
      <relationship name="last" optional="YES" maxCount="1" destinationEntity="Base" inverseName="next" inverseEntity="Base"/>
      </entity><entity name="Red" parentEntity="Base"/></model>
      """, to: "B.xcdatamodel/contents")
    session("create b.sqlite --model B.xcdatamodel")
    session("insert b.sqlite Red name=one")
    session("insert b.sqlite Red name=two next=p1")
    let answer = session(
      "rows b.sqlite Base --where \"name == 'two'\" --columns SELF,next,SELF.next,next.last --json")
    #expect(answer.output.matches(of: #/\/Red\/p[12]/#).count == 5, "\(answer)")
    #expect(!answer.output.contains("/Base/"), "\(answer)")
  }

  @Test("data of a related object is shown as its own, and needs no file to be told from nil")
  func relatedData() throws {
    let data = """
      <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      """
    try folder.write(
      """
      <model><entity name="Note">\(data)
      <relationship name="page" optional="YES" maxCount="1" destinationEntity="Page" inverseName="note" inverseEntity="Page"/>
      </entity><entity name="Page">
      <relationship name="note" optional="YES" maxCount="1" destinationEntity="Note" inverseName="page" inverseEntity="Note"/>
      </entity></model>
      """, to: "N.xcdatamodel/contents")
    session("create n.sqlite --model N.xcdatamodel")
    for _ in 0..<3 { session("insert n.sqlite Note") }
    for key in 1...3 { session("insert n.sqlite Page note=p\(key)") }
    // Data whose first bytes look like the kinds of storage, and a file that is not there.
    let file = "02" + Array("374C5961-3E41-43E5-915C-383EA914074C".utf8).hex + "00"
    try StoreFixture.run(
      [
        "UPDATE ZNOTE SET ZDATA = x'0102736563726574' WHERE Z_PK = 1",
        "UPDATE ZNOTE SET ZDATA = x'01010203' WHERE Z_PK = 2",
      ], on: folder.path("n.sqlite"))
    let own = session("rows n.sqlite Note --columns data --csv").output
    let related = session("rows n.sqlite Page --columns note.data --csv").output
    #expect(own.contains("7 bytes") && own.contains("3 bytes"), "\(own)")
    #expect(own.replacing("data", with: "note.data") == related, "\(own)\(related)")
    try StoreFixture.run(
      ["UPDATE ZNOTE SET ZDATA = x'\(file)' WHERE Z_PK = 3"], on: folder.path("n.sqlite"))
    #expect(session("count n.sqlite Note --where 'data != nil'").output == "3\n")
    #expect(session("count n.sqlite Page --where 'note.data == nil'").output == "0\n")
  }

  @Test("columns can be key paths, also over to-many relationships, in every form")
  func columns() throws {
    let table = session("rows s.sqlite TopicList --columns topics.@count,topics.content --limit 2")
    #expect(table.output.contains("topics.@count") && table.output.contains("c1, c3"), "\(table)")
    let json = session("rows s.sqlite TopicList --columns topics.content --json --limit 0")
    let lines = json.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[1].contains(#""topics.content":["c1","c3"]"#), "\(json)")
    let markdown = session("rows s.sqlite TopicList --columns title --markdown --limit 0")
    #expect(
      markdown.output.hasPrefix(
        "| key | title |\n| --- | --- |\n| p1 | a \"quoted\", \\|piped\\|<br>text |\n| p2 |  |\n"),
      "\(markdown)")
    let vertical = session("rows s.sqlite TopicList --vertical --limit 1")
    #expect(vertical.output.hasPrefix("p1\n  title "), "\(vertical)")
    for words in ["--columns nothing", "--csv --json", "--vertical --wide"] {
      #expect(session("rows s.sqlite TopicList \(words)").status >= .failed, "\(words)")
    }
  }

  @Test("in Markdown, no character of a value has a meaning")
  func markdown() throws {
    try StoreFixture.run(
      [
        #"UPDATE ZTOPICLIST SET ZTITLE = '*a* _b_ `c` [l](u) ~~x~~ &lt; <b> \ |' WHERE Z_PK = 4"#
      ], on: folder.path("s.sqlite"))
    let markdown = session("rows s.sqlite TopicList --columns title --markdown --limit 0").output
    let last = try #require(markdown.split(separator: "\n").last)
    #expect(
      last.hasSuffix(
        #"| \*a\* \_b\_ \`c\` \[l\](u) \~\~x\~\~ &amp;lt; &lt;b> \\ \| |"#), "\(last)")
  }

  @Test("an object is shown only as one of its own entity, and an unknown entity is an error")
  func objectsOfOtherEntities() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let attribute = "<attribute name='x' optional='YES' attributeType='String'/>"
    try folder.write(
      "<model><entity name='A'>\(attribute)</entity><entity name='Sub' parentEntity='A'/></model>",
      to: "S.xcdatamodel/contents")
    session("create s.sqlite --model S.xcdatamodel")
    session("insert s.sqlite A x=one")
    session("insert s.sqlite Sub x=two")
    for (object, status) in [
      ("A/p1", ExitStatus.done), ("A/p2", .done), ("Sub/p1", .no), ("Sub/p2", .done), ("A/p3", .no),
      ("Nope/p1", .failed),
    ] {
      let answer = session("show s.sqlite.\(object)")
      #expect(answer.status == status, "\(object): \(answer)")
    }
    #expect(session("show s.sqlite.Nope/p1").diagnostics.contains("[model.unknownEntity]"))
  }

  @Test("columns that do not fit are named, and --wide shows them")
  func omitted() throws {
    session.session.renderer.width = 30
    let narrow = session("rows s.sqlite Topic")
    #expect(narrow.output.contains("… not shown: "), "\(narrow)")
    for name in ["presenterEmail", "topicList"] { #expect(narrow.output.contains(name)) }
    #expect(!narrow.isWide)
    let wide = session("rows s.sqlite Topic --wide")
    #expect(wide.isWide && !wide.output.contains("not shown"))
    #expect(wide.output.split(separator: "\n").allSatisfy { $0.utf8.count > 30 }, "\(wide)")
  }

  @Test("an object is shown with its values and its related objects; a key needs no quotes")
  func object() throws {
    let list = session("show s.sqlite.TopicList/p3")
    #expect(list.output.hasPrefix("TopicList/p3\n  title   list 3\n  topics  0"), "\(list)")
    let topics = session("show s.sqlite.TopicList/p1")
    #expect(topics.output.contains("Topic/p2") && topics.output.contains("Topic/p4"), "\(topics)")
    let topic = session("show s.sqlite.Topic/p2")
    #expect(topic.output.contains("TopicList/p1 a "), "\(topic)")
    #expect(topic.answer.showsValues && !session("show s.sqlite").answer.showsValues)
    #expect(session("show s.sqlite.Topic/p99").status == .no)
    for (plain, quoted) in [
      ("topicList == p1", "topicList == 'p1'"), ("topicList IN {p1, p2}", "topicList != nil"),
      ("ANY topics == p2", "ANY topics == 'p2'"), ("p1 == topicList", "topicList == 'p1'"),
    ] {
      let entity = plain.contains("ANY") ? "TopicList" : "Topic"
      let counts = [plain, quoted].map {
        session("count s.sqlite \(entity) --where \"\($0)\"").output
      }
      #expect(counts[0] == counts[1] && Int(counts[0].dropLast()) ?? 0 > 0, "\(plain): \(counts)")
    }
    #expect(session("count s.sqlite Topic --where 'content == p1'").status == .failed)
  }

  @Test("what is typed at a terminal can be shortened, and its answer written to a file or program")
  func typed() throws {
    func typed(_ line: String) throws(Diagnostic) -> TypedLine {
      guard case .complete(let tokens) = CommandLineLexer.tokens(of: line) else { fatalError() }
      return try TypedLine(line, tokens, in: session.session)
    }
    for (line, command, output) in [
      ("rows s Topic > a.txt", "rows s Topic ", TypedLine.Output.file("a.txt", appends: false)),
      ("rows s Topic >>'a b'", "rows s Topic ", .file("'a b'", appends: true)),
      ("rows s Topic >> 'a b'", "rows s Topic ", .file("a b", appends: true)),
      ("row s Topic | sort -r | head", "rows s Topic ", .program("sort -r | head")),
      ("rows s Topic --where 'a > 1 | 2'", "rows s Topic --where 'a > 1 | 2'", nil),
      ("eval $source.a > 5", "eval $source.a > 5", nil), ("metad s", "metadata s", nil),
      ("s x", "s x", nil), ("step", "step", nil), ("# a > b", "# a > b", nil),
    ] as [(String, String, TypedLine.Output?)] {
      let found = try typed(line)
      #expect(found.line == command && found.output == output, "\(line): \(found)")
    }
    for line in ["rows s >", "rows s > a b", "rows s |", "rows s >>> a"] {
      #expect(throws: Diagnostic.self, "\(line)") { try typed(line) }
    }
    #expect(throws: Diagnostic.self) { try typed("rows s Topic --where 'SELF IN _'") }
    session("rows s.sqlite Topic --limit 2")
    #expect(
      try typed("count s.sqlite Topic --where 'SELF IN _'").line
        == "count s.sqlite Topic --where 'SELF IN {p1, p2}'")
    #expect(throws: Diagnostic.self) { try typed("show _") }
    session("rows s.sqlite Topic --where 'SELF == p2'")
    #expect(try typed("show _").line == "show s.sqlite.Topic/p2")
    #expect(try typed("sho _").line == "show s.sqlite.Topic/p2")
    #expect(try typed("count s.sqlite _").line == "count s.sqlite _")
    let inText = "count s.sqlite Topic --where \"content == 'a _ b' OR presenterName == '(_)'\""
    #expect(try typed(inText).line == inText)
    let beside = "count s.sqlite Topic --where \"SELF == _ AND content != ' _ '\""
    #expect(try typed(beside).tokens.last?.text == "SELF == p2 AND content != ' _ '")
    for line in ["count t.sqlite Topic", "count s.sqlite TopicList"] {
      #expect(throws: Diagnostic.self) { try typed("\(line) --where 'SELF IN _'") }
    }
    #expect(
      try typed("count ./s.sqlite TopicList --where 'ANY topics == _'").line
        == "count ./s.sqlite TopicList --where 'ANY topics == p2'")
    for path in ["topicList", "SELF.topicList", "topicList.topics.topicList"] {
      #expect(throws: Diagnostic.self) {
        try typed("count s.sqlite Topic --where '\(path) IN _'")
      }
    }
    #expect(try typed("count s --where 'a_b == _x'").line == "count s --where 'a_b == _x'")
    session("debug s.sqlite --to sample:Topics/Model2")
    for (word, command) in [("p $source", "eval $source"), ("n", "n"), ("bt", "where")] {
      #expect(try typed(word).line == command, "\(word)")
    }
    session("abandon")
    try session.session.write("x\n", to: "a.txt", appending: false)
    try session.session.write("y\n", to: "a.txt", appending: true)
    #expect(try String(contentsOfFile: folder.path("a.txt"), encoding: .utf8) == "x\ny\n")
    #expect(throws: Diagnostic.self) {
      try session.session.write("x", to: "s.sqlite", appending: false)
    }
  }

  @Test(
    "an entity is shown with bounds, user info and fetch requests, and metadata with its stored keys"
  )
  func everything() throws {
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="P"><attribute name="a" attributeType="Integer 16" minValueString="3" maxValueString="9">
      <userInfo><entry key="k" value="v"/></userInfo></attribute>
      <userInfo><entry key="own" value="w"/></userInfo></entity>
      <fetchRequest name="recent" entity="P" predicateString="a &gt; 4"/></model>
      """, to: "M.xcdatamodel/contents")
    let shown = session("show M.xcdatamodel.P").output
    for text in [
      "a.minValueString", "a.maxValueString", "a.userInfo.k", "userInfo.own",
      "fetch request recent",
      "a > 4",
    ] { #expect(shown.contains(text), "\(text): \(shown)") }
    let raw = session("metadata s.sqlite --raw").output
    for key in ["NSStoreModelVersionHashes ", "NSPersistenceFrameworkVersion", "NSStoreType"] {
      #expect(raw.contains(key), "\(key): \(raw)")
    }
    session.session.renderer = Renderer(style: .plain, width: 200, isLive: true)
    let plan = session("rows s.sqlite Topic --where \"topicList == p1\" --explain").output
    #expect(plan.contains("SELECT t0.Z_PK") && plan.contains("SQLite: "), "\(plan)")
  }

  @Test("texts that are read alike but are stored as other bytes differ")
  func invalidTexts() throws {
    let paths = ["a.sqlite", "b.sqlite"]
    for path in paths { session("create \(path) --model sample:Topics/Model1 --rows 1") }
    for (first, second) in [
      ("61ff", "61fe"), ("61ff", "61ff"), ("61efbfbd", "61ff"), ("efbfbd", "efbfbd"),
    ] {
      for (path, bytes) in zip(paths, [first, second]) {
        try StoreFixture.run(
          ["UPDATE ZTOPIC SET ZCONTENT = CAST(x'\(bytes)' AS TEXT)"], on: folder.path(path))
      }
      let answer = session("compare a.sqlite b.sqlite --rows")
      #expect(answer.status == (first == second ? .done : .no), "\(first) \(second): \(answer)")
    }
  }

  @Test("an infinite number is text in JSON, and no nil")
  func infinity() throws {
    try folder.write(
      """
      <model><entity name="T"><attribute name="d" optional="YES" attributeType="Double"/></entity></model>
      """, to: "T.xcdatamodel/contents")
    session("create t.sqlite --model T.xcdatamodel --rows 1")
    for (stored, text) in [("9e999", "inf"), ("-9e999", "-inf")] {
      try StoreFixture.run(["UPDATE ZT SET ZD = \(stored)"], on: folder.path("t.sqlite"))
      #expect(session("rows t.sqlite T --json").output.contains("\"d\":\"\(text)\""))
      #expect(session("sql t.sqlite \"SELECT ZD FROM ZT\" --json").output.contains("\"\(text)\""))
    }
  }

  @Test("a saved session replays the long strings that the terminal cut")
  func cutOnTerminal() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session.session.renderer = Renderer(style: .plain, width: 120, isLive: true)
    session("create l.sqlite --copy sample:Phone")
    let long = String(repeating: "word ", count: 100)
    session("insert l.sqlite TopicList title='\(long)'")
    let rows = session("rows l.sqlite TopicList --columns title")
    #expect(rows.output.contains("… 500 bytes"), "\(rows)")
    session("sql l.sqlite 'SELECT ZTITLE FROM ZTOPICLIST'")
    #expect(session("save l.strata").status == .done)
    let replayed = TestSession(in: folder)("replay l.strata")
    #expect(replayed.status == .done, "\(replayed)")
  }
}
