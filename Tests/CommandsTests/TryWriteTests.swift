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
