import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Lessons that are handed in")
struct LessonReviewTests {
  private static let lesson = """
    # Lists

    <!-- task: Create a store with one list.
      check: count lists.sqlite TopicList 1
    -->
    <!-- hint: `create`, then `insert`. -->
    ```strata
    > create lists.sqlite --model sample:Topics/Model1
    > insert lists.sqlite TopicList title=First
    ```

    <!-- task: Insert a second list.
      check: count lists.sqlite TopicList 2  the second list is missing
    -->
    <!-- hint: As the first. -->
    ```strata
    > insert lists.sqlite TopicList title=Second
    ```

    """
  private static let create = "create lists.sqlite --model sample:Topics/Model1\n"

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try folder.write(Self.lesson, to: "in/lists.md")
    try folder.write("2: all lists.sqlite TopicList 'title != nil'\n", to: "in/lists.checks")
    let insert = "insert lists.sqlite TopicList"
    try folder.write("\(Self.create)\(insert) title=A\n\(insert) title=B\n", to: "in/ada.strata")
    try folder.write("\(Self.create)\(insert) title=A\n\(insert)\n", to: "in/ben.strata")
    try folder.write("samples\n", to: "in/cleo.strata")
    try folder.write("samples\nload gone.sqlite\n", to: "in/finn.strata")
    try folder.write("# no commands\n", to: "in/dora.strata")
    try folder.write("#? x\n", to: "in/eve.strata")
    return folder
  }

  @Test("each document is run in private, and each task is done, or not with its reasons")
  func review() throws {
    let folder = try folder()
    let check = TestSession(in: folder)("lesson check in --of in/lists.md")
    #expect(check.status == .failed)
    #expect(
      check.output.hasPrefix(
        """
        in/ada.strata: 2 of 2 tasks done
        in/ben.strata: 1 of 2 tasks done
          task 2: a condition of the task is not met
        in/cleo.strata: 0 of 2 tasks done
          task 1: lists.sqlite is neither a loaded name nor a file
          task 2: the second list is missing
          task 2: a condition of the task is not met
        in/dora.strata: 0 of 2 tasks done
          task 1: lists.sqlite is neither a loaded name nor a file
          task 1: the document contains no commands
          task 2: the second list is missing
          task 2: a condition of the task is not met
        """), "\(check.output)")
    #expect(check.output.contains("in/eve.strata: "))
    #expect(
      check.output.contains("  task 1: line 2: error: no such file  [file.notFound]\n"),
      "\(check.output)")
    #expect(!check.output.contains("title != nil"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("in/lists.sqlite")))
  }

  @Test("the results are also JSON and a JUnit report, without the hidden checks")
  func reports() throws {
    let folder = try folder()
    try FileManager.default.removeItem(atPath: folder.path("in/eve.strata"))
    let session = TestSession(in: folder)
    let json = session("lesson check in --of in/lists.md --json --junit r.xml")
    #expect(json.status == .no)
    #expect(json.output.contains("\"passed\" : false") && json.output.contains("in/ben.strata"))
    let report = try String(contentsOfFile: folder.path("r.xml"), encoding: .utf8)
    #expect(report.contains("the second list is missing"))
    #expect(!(report + json.output).contains("title != nil"))
  }

  @Test("a document cannot play the lesson, nor check others without end")
  func cheating() throws {
    let folder = try TemporaryFolder()
    let skips = Array(repeating: "skip\n", count: 12).joined()
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write("lesson versions\n\(skips)", to: "a/x.strata")
    try folder.write("lesson versions\n\(skips)lesson leave\n", to: "a/y.strata")
    try folder.write("run y.strata\n", to: "a/z.strata")
    let check = TestSession(in: folder)("lesson check a --of versions")
    #expect(check.status == .failed)
    #expect(
      check.output.components(separatedBy: "the document plays a lesson").count == 4,
      "\(check.output)")
    try folder.write("lesson check . --of versions\n", to: "b/x.strata")
    #expect(
      TestSession(in: folder)("lesson check b --of versions").output.contains("0 of 2 tasks"))
  }

  @Test("a condition that cannot be checked in a replayed document is an error, not a failed task")
  func nested() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try folder.write(
      """
      # Guard

      <!-- task: Guard the hash.
        check: guards g.strata M.xcdatamodel.Topic.content optional NO  g.strata is missing
      -->
      <!-- hint: `expect hash`. -->
      ```strata
      > write sample:Topics/Model1 M.xcdatamodel
      > expect hash M.xcdatamodel.Topic cb75b3e2
      > save g.strata --last 1
      ```

      """, to: "guard.md")
    try folder.write(
      "write sample:Topics/Model1 M.xcdatamodel\nexpect hash M.xcdatamodel.Topic cb75b3e2\nsave g.strata --last 1\n",
      to: "in/ada.strata")
    try folder.write("lesson check in --of guard.md\n", to: "ci.strata")
    let typed = TestSession(in: folder)("lesson check in --of guard.md")
    #expect(typed.output == "in/ada.strata: 1 of 1 tasks done\n", "\(typed.output)")
    let replayed = TestSession(in: folder)("replay ci.strata --update --all")
    let text = try String(contentsOfFile: folder.path("ci.strata"), encoding: .utf8)
    #expect(!text.contains("g.strata is missing"), "\(text) \(replayed.output)")
  }

  @Test("hidden checks count if the lesson is named through a link")
  func link() throws {
    let folder = try folder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("l.md"), withDestinationPath: "in/lists.md")
    let check = TestSession(in: folder)("lesson check in --of l.md")
    #expect(check.output.contains("in/ben.strata: 1 of 2 tasks done"), "\(check.output)")
    try FileManager.default.removeItem(atPath: folder.path("in/lists.checks"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("in/lists.checks"), withDestinationPath: "gone")
    #expect(TestSession(in: folder)("lesson check in --of in/lists.md").status == .failed)
  }

  @Test("without a lesson or a folder, it says what is missing")
  func usage() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    #expect(session("lesson check in").diagnostics.contains("[command.usage]"))
    #expect(session("lesson check gone --of versions").status == .failed)
    #expect(session("lesson check in --of nothing").diagnostics.contains("[lesson.unknown]"))
    #expect(session("lesson --of versions").status == .usage)
  }
}
