import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Sample stores in commands")
struct SampleStoreCommandTests {
  @Test(
    "a sample store is named wherever a store is",
    arguments: StoreWarningTests.readers + ["validate STORE", "load STORE", "doctor STORE"])
  func readers(reader: String) throws {
    let session = TestSession(in: try TemporaryFolder())
    let line = reader.replacing("STORE", with: "sample:Kitchen")
      .replacing("MODEL", with: "sample:Recipes/Recipes2").replacing("ENTITY", with: "Recipe")
    let answer = session(line)
    #expect(answer.status == .done || answer.status == .no, "\(line): \(answer)")
    #expect(!answer.output.contains("/strata-") && !answer.diagnostics.contains("/strata-"))
  }

  @Test("every command that would change a sample store is refused, and no byte changes")
  func refused() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("create before.sqlite --copy sample:Kitchen")
    for lines in [
      ["insert sample:Kitchen Chef name=x"], ["delete sample:Kitchen Recipe p3"],
      ["migrate sample:Kitchen --to sample:Recipes/Recipes2"],
      ["load sample:Kitchen --as mine", "insert mine Chef name=x"],
      ["debug sample:Kitchen --to sample:Recipes/Recipes2", "commit"],
      [
        "create added.sqlite --model sample:Recipes/Recipes2",
        "migrate added.sqlite --to sample:Recipes/Recipes2 --append --output sample:Kitchen",
      ],
    ] {
      let answers = lines.map { session($0) }
      let last = try #require(answers.last)
      #expect(last.status == .failed || last.status == .usage, "\(lines): \(last)")
      #expect(last.diagnostics.contains("isSample") || lines[0].hasPrefix("create"), "\(last)")
      session("abandon")
    }
    session("create after.sqlite --copy sample:Kitchen")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.path("before.sqlite")))
        == Data(contentsOf: URL(fileURLWithPath: folder.path("after.sqlite"))))
  }

  @Test("a copy is like the original, can be changed, and replaces a store only with --force")
  func copy() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(session("create k.sqlite --copy sample:Kitchen").status == .done)
    #expect(session("compare k.sqlite sample:Kitchen --rows").status == .done)
    #expect(session("insert k.sqlite Chef name='Samin Nosrat'").output.contains("Chef p8"))
    #expect(session("create k.sqlite --copy sample:Phone").diagnostics.contains("file.exists"))
    #expect(session("create k.sqlite --copy sample:Phone --force").status == .done)
    #expect(try Python.value("SELECT count(*) FROM ZTOPIC", in: folder.path("k.sqlite")) == "9")
    #expect(session("create k.sqlite --copy k.sqlite --force").diagnostics.contains("sameStore"))
    for line in [
      "create n.sqlite", "create n.sqlite --copy k.sqlite --model sample:Recipes",
      "create n.sqlite --copy k.sqlite --rows 2", "create n.sqlite --copy k.sqlite --type xml",
    ] { #expect(session(line).status == .usage, "\(line)") }
  }

  @Test("a copy has its own external binary data; an XML store is copied byte for byte")
  func otherCopies() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    try PhotoStore.write([1, 2], to: folder.path("photos.sqlite"))
    #expect(session("create copy.sqlite --copy photos.sqlite").status == .done)
    #expect(session("compare photos.sqlite copy.sqlite --rows").status == .done)
    #expect(FileManager.default.fileExists(atPath: folder.path(".copy_SUPPORT/_EXTERNAL_DATA")))
    session("create x.xml --model sample:Recipes/Recipes1 --rows 3")
    #expect(session("create y.xml --copy x.xml").status == .done)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.path("x.xml")))
        == Data(contentsOf: URL(fileURLWithPath: folder.path("y.xml"))))
  }

  @Test("a replayed document reads sample stores; their values are not private")
  func replayed() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Phone")
    session("rows Phone Topic --where 'topicList.title BEGINSWITH \"S\"'")
    session("count sample:Kitchen Recipe")
    #expect(session("save phone.md").status == .done)
    let text = try String(contentsOfFile: folder.path("phone.md"), encoding: .utf8)
    #expect(text.contains("Oluchi") && text.contains("load sample:Phone"), "\(text)")
    let answer = session("replay phone.md")
    #expect(answer.status == .done, "\(answer)")
  }
}
