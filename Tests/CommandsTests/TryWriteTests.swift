import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// `try --write`, which writes the edited copy into the file of the model.
@Suite("Edits that are written")
struct TryWriteTests {
  private static func project() throws -> TemporaryProject {
    try TemporaryProject([
      ("V1", ["Note": ["title": "String"]]), ("V2", ["Note": ["heading": "String"]]),
    ])
  }

  @Test(
    "a shell command changes the file, by the path of the version or by its loaded name",
    arguments: [false, true])
  func writes(isLoaded: Bool) throws {
    let project = try Self.project()
    let shell = isLoaded ? project.session : TestSession(in: project.folder)
    let version = isLoaded ? "V2" : "App.xcdatamodeld/V2"
    let answer = shell("try \(version).Note.heading elementID title --write")
    #expect(
      answer.output.contains("wrote App.xcdatamodeld/V2.xcdatamodel")
        && !answer.output.contains("earlier edits"),
      "\(answer)")
    #expect(!answer.output.contains("try:"), "\(answer)")
    let difference = TestSession(in: project.folder)("diff App.xcdatamodeld/V1 App.xcdatamodeld/V2")
    #expect(difference.output.contains("title renamed heading"), "\(difference)")
    // Nothing is left of the edit but the file.
    #expect(shell("try --reset").output.contains("no edits"))
  }

  @Test(
    "an edit that another program made meanwhile is not undone",
    arguments: [
      "try V2.Note.heading elementID title --write", "write try:V2 App.xcdatamodeld/V2 --force",
    ])
  func changedMeanwhile(line: String) throws {
    let project = try Self.project()
    let shell = project.session
    #expect(shell("try V2.Note.heading elementID headline").status == .done)
    let file = "App.xcdatamodeld/V2.xcdatamodel/contents"
    let edited = try String(contentsOfFile: project.folder.path(file), encoding: .utf8)
      .replacing("\"heading\"", with: "\"title\"")
    try project.folder.write(edited, to: file)
    let answer = shell(line)
    #expect(answer.status == .failed && answer.diagnostics.contains("model.changed"), "\(answer)")
    #expect(try String(contentsOfFile: project.folder.path(file), encoding: .utf8) == edited)
    // Elsewhere it may be written, and over the model after the edits are made again.
    #expect(shell("write try:V2 Copy.xcdatamodel").status == .done)
    shell("try --reset")
    #expect(shell("try V2.Note.title elementID x --write").output.contains("wrote"))
  }

  @Test("a copy that was written can be edited on, and written again")
  func again() throws {
    let project = try Self.project()
    for key in ["elementID", "versionHashModifier"] {
      project.session("try V2.Note.heading \(key) x")
      let answer = project.session("write try:V2 App.xcdatamodeld/V2 --force")
      #expect(answer.status == .done, "\(answer)")
    }
  }

  @Test("the JSON names the file that was written, and none if none was")
  func json() throws {
    let project = try Self.project()
    let shell = TestSession(in: project.folder)
    let edit = "try App.xcdatamodeld/V2.Note.heading elementID title --json"
    let written = shell("\(edit) --write")
    #expect(
      written.output.contains(#""file" : "App.xcdatamodeld/V2.xcdatamodel""#), "\(written)")
    #expect(!shell("\(edit)").output.contains("\"file\""))
  }

  @Test("the fetch requests of a removed entity are removed with it, and told")
  func fetchRequests() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "<model>\(RuleCases.entity("A"))\(RuleCases.entity("B"))<fetchRequest name='all' entity='B'/></model>",
      to: "M.xcdatamodel/contents")
    let answer = TestSession(in: folder)("try M.xcdatamodel.B remove --write")
    #expect(answer.output.contains("fetch request"), "\(answer)")
    let text = try String(contentsOfFile: folder.path("M.xcdatamodel/contents"), encoding: .utf8)
    #expect(!text.contains("fetchRequest") && text.contains("name=\"A\""), "\(text)")
  }

  @Test("a model that is in no .xcdatamodel is not written")
  func refuses() throws {
    let project = try Self.project()
    for reference in ["sample:Topics/Model1.Topic.title", "s.sqlite.Note.title"] {
      project.session("create s.sqlite --model V1")
      let answer = project.session("try \(reference) optional NO --write")
      #expect(answer.status == .usage || answer.status == .failed, "\(answer)")
    }
    #expect(project.session("try --reset").output.contains("no edits"))
  }
}
