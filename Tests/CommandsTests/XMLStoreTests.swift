import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("XML stores")
struct XMLStoreTests {
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
        <model><entity name="P"><attribute name="code" optional="YES" attributeType="String"/>\(added)
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
        </uniquenessConstraints></entity></model>
        """, to: "\(name).xcdatamodel/contents")
      session("load \(name).xcdatamodel")
    }
    session("create s.xml --model V1 --rows 3")
  }

  @Test("objects of a model with derived attributes are inserted and deleted as in a SQLite store")
  func derived() throws {
    try folder.write(
      """
      <model><entity name="B"><attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="n" optional="YES" attributeType="Integer 32" derived="YES" derivationExpression="pages.@count"/>
      <relationship name="pages" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="P" \
      inverseName="book" inverseEntity="B"/></entity>
      <entity name="P"><attribute name="of" optional="YES" attributeType="String" derived="YES" \
      derivationExpression="book.title"/>
      <relationship name="book" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" \
      inverseName="pages" inverseEntity="B"/></entity></model>
      """, to: "D.xcdatamodel/contents")
    session("load D.xcdatamodel")
    var answers: [String: [String]] = [:]
    for (end, book) in [("sqlite", "p1"), ("xml", "p102")] {
      let store = "d.\(end)"
      session("create \(store) --model D")
      for line in [
        "insert \(store) B title=A", "insert \(store) P book=\(book)",
        "insert \(store) P book=\(book)",
      ] {
        let answer = session(line)
        #expect(answer.status == .done, "\(answer)")
      }
      func counts() -> [String] {
        ["B --where 'n == 2'", "B --where 'n == 1'", "P --where \"of == 'A'\""].map {
          session("count \(store) \($0)").output
        }
      }
      answers[end] = counts()
      let page = session("rows \(store) P --columns of").output.matches(of: /p\d+/).last
      let deleted = session("delete \(store) P \(page?.output ?? "")")
      #expect(deleted.status == .done, "\(deleted)")
      answers[end]? += counts()
    }
    #expect(answers["xml"] == answers["sqlite"], "\(answers)")
    #expect(answers["sqlite"] == ["1\n", "0\n", "2\n", "0\n", "1\n", "1\n"], "\(answers)")
  }

  @Test("a new object is linked to objects of the document and to itself, by no other key")
  func keys() throws {
    try folder.write(
      """
      <model><entity name="R"><relationship name="o" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="R" inverseName="i" inverseEntity="R"/>
      <relationship name="i" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="R" \
      inverseName="o" inverseEntity="R"/></entity><entity name="S"/></model>
      """, to: "R.xcdatamodel/contents")
    session("load R.xcdatamodel")
    for key in [1, 2] + Array(101...106) {
      let store = "r\(key).xml"
      session("create \(store) --model R")
      for entity in ["R", "S"] { session("insert \(store) \(entity)") }
      let answer = session("insert \(store) R o=p\(key)")
      let isThere = key == 102 || key == 104
      #expect(answer.status == (isThere ? .done : .failed), "\(key): \(answer)")
      let references = try String(contentsOfFile: folder.path(store), encoding: .utf8)
        .matches(of: /name="o"[^>]*idrefs="(z\d+)"/).map { String($0.1) }
      #expect(references == (isThere ? ["z\(key)"] : []))
    }
  }

  @Test("duplicates, which no index of a document prevents, are shown, counted, and can be deleted")
  func duplicates() throws {
    let path = folder.path("s.xml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing("code 3", with: "code 1").write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(session("count s.xml P --where \"code == 'code 1'\"").output == "2\n")
    let invalid = session("validate s.xml")
    #expect(invalid.status == .no)
    #expect(invalid.output.contains("P/p104.code  equals that of p102"), "\(invalid)")
    let plan = session("plan s.xml --to V2")
    #expect(plan.status == .no && plan.output.contains("1 object (p104)"), "\(plan)")
    let migration = session("migrate s.xml --to V2")
    #expect(migration.status == .failed, "\(migration)")
    #expect(migration.output.contains("P.code is not unique (134111) in 1 object: p104"))
    let twin = session("insert s.xml P code='code 2'")
    #expect(twin.status == .failed && twin.output.contains("equals that of p103"), "\(twin)")
    #expect(session("insert s.xml P code=new").status == .done)
    #expect(session("delete s.xml P p104").status == .done)
    #expect(session("validate s.xml").status == .done)
    #expect(session("migrate s.xml --to V2").status == .done)
    #expect(session("count s.xml P").output == "3\n")
  }

  @Test(
    "a plan, a rehearsal and the migration tell of passes, since only SQLite is changed in place")
  func means() throws {
    let plan = session("plan s.xml --to V2")
    #expect(plan.output.contains("only a SQLite store is migrated in place"), "\(plan)")
    #expect(plan.diagnostics.contains("[migration.objectKeys]"), "\(plan)")
    let lines = ["plan s.xml --to V2", "migrate s.xml --to V2 --dry-run", "migrate s.xml --to V2"]
    for line in lines {
      let answer = session(line + " --json")
      let object = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
      let hops = try #require((object as? [String: Any])?["hops"] as? [[String: Any]], "\(answer)")
      #expect(hops.map { $0["means"] as? String } == ["passes"], "\(line)")
    }
  }

  @Test("white space with line ends is a value, and stays one", arguments: ["\n", " \n\t", "\n\n"])
  func whiteSpace(text: String) throws {
    let path = folder.path("s.xml")
    let document = try String(contentsOfFile: path, encoding: .utf8)
    try document.replacing("code 2", with: text).write(
      toFile: path, atomically: true, encoding: .utf8)
    for _ in 0..<2 {
      let shown = session("rows s.xml P --columns code --where \"SELF == 'p103'\" --json").output
      let row = try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any]
      #expect(row?["code"] as? String == text, "\(shown)")
      session("insert s.xml P code=\(UUID().uuidString)")
    }
  }

  @Test("large data is in the document, and in no file of another folder")
  func largeData() throws {
    try folder.writeBundle(brief: [
      "P": "Photo\n  data Binary allowsExternalBinaryDataStorage=YES"
    ])
    try folder.write((0..<200_000).map { UInt8(truncatingIfNeeded: $0) }, to: "large")
    // A store in memory has no path: nothing may take the current folder for it.
    let current = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    let support = current.deletingLastPathComponent()
      .appendingPathComponent(".\(current.deletingPathExtension().lastPathComponent)_SUPPORT")
    let before = FileManager.default.subpaths(atPath: support.path)
    session("create d.xml --model X.xcdatamodeld/P")
    #expect(session("insert d.xml Photo data=@large --model X.xcdatamodeld/P").status == .done)
    #expect(FileManager.default.subpaths(atPath: support.path) == before)
    let found = try Python.run(
      """
      import base64, sys
      data, document = (open(path, "rb").read() for path in sys.argv[1:])
      print(base64.b64encode(data) in b"".join(document.split()))
      """, arguments: [folder.path("large"), folder.path("d.xml")])
    #expect(found == "True\n")
  }

  @Test("a to-many link that only one end has is not valid")
  func oneSided() throws {
    try folder.write(
      """
      <model><entity name="A"><relationship name="bs" optional="YES" toMany="YES" \
      destinationEntity="B" inverseName="as" inverseEntity="B"/>
      <relationship name="c" optional="YES" maxCount="1" destinationEntity="B" inverseName="d" inverseEntity="B"/>
      </entity><entity name="B"><relationship name="as" optional="YES" toMany="YES" \
      destinationEntity="A" inverseName="bs" inverseEntity="A"/>
      <relationship name="d" optional="YES" toMany="YES" destinationEntity="A" inverseName="c" inverseEntity="A"/>
      </entity></model>
      """, to: "Links.xcdatamodel/contents")
    session("load Links.xcdatamodel")
    session("create l.xml --model Links --rows 2")
    #expect(session("validate l.xml").status == .done)
    let path = folder.path("l.xml")
    let document = try String(contentsOfFile: path, encoding: .utf8)
    for name in ["bs", "as", "c", "d"] {
      let links = try Regex("(<relationship name=\"\(name)\"[^>]*) idrefs=\"[^\"]*\"")
      let changed = document.replacing(links) { String($0.output[1].substring ?? "") }
      try #require(changed != document, "\(name)")
      try changed.write(toFile: path, atomically: true, encoding: .utf8)
      let answer = session("validate l.xml")
      #expect(
        answer.status == .no && answer.output.contains("[validation.brokenInverse]"), "\(answer)")
    }
  }
}
