import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Lines that are refused, or answered in a corner of their command: what they say, and that nothing is changed.
@Suite("Refused lines")
struct RefusedLineTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model1 --rows 5 --seed 1")
    try folder.write("<model/>\0", to: "bytes")
  }

  @Test(
    "a store stays as it is",
    arguments: [
      (
        "migrate t.sqlite --to Model2 --discard-old --keep-old always",
        "--discard-old does not keep the old store: omit --keep-old"
      ),
      (
        "migrate t.sqlite --to Model2 --dry-run --append --output o.sqlite",
        "--append cannot be rehearsed: omit --dry-run or --append"
      ),
      (
        "migrate t.sqlite --to Model1 --output o.xml --dry-run",
        "nothing to migrate; o.xml would have the same objects in another kind of store: t.sqlite is at"
      ),
      ("insert t.sqlite TopicList topics=p1,p1", "topics names an object twice"),
      ("insert t.sqlite Topic topicList=p1,p2", "Topic.topicList is a to-one relationship"),
      (
        "insert t.sqlite Topic presenterName=@bytes",
        "presenterName is a String, but bytes is not a text: it contains a NUL byte"
      ),
      (
        "insert t.sqlite Topic presenterName=x topicList=x-coredata://AAAA/TopicList/p1",
        "is an object of another store"
      ),
    ])
  func refused(line: String, message: String) throws {
    let before = try folder.state()
    let answer = session(line)
    #expect((answer.output + answer.diagnostics).contains(message), "\(answer)")
    #expect(try folder.state() == before)
  }

  @Test(
    "in the stepper, a line that is refused changes nothing of it",
    arguments: [
      ("back 500", "this is the beginning"),
      ("break --delete 1 --delete 9", "there is no breakpoint 9"),
      (
        "break pass --when '$source.content == \"a\"'",
        "--when requires objects, but this breakpoint has none"
      ),
      ("break TopicToTopic --when '$foo.content == \"a\"'", "undefined variable $foo"),
      ("break clear 1", "break has no clear"), ("mark '#x'", "cannot be a number or begin with #"),
      ("commit --output t.sqlite", "a file with this name already exists"),
    ])
  func stepper(line: String, message: String) throws {
    session("debug t.sqlite --to Model2 --mapping sample:Topics/Model1ToModel2")
    session("break pass")
    let before = (try folder.state(), session("where").output, session("break").output)
    let answer = session(line)
    #expect((answer.output + answer.diagnostics).contains(message), "\(answer)")
    #expect(session("where").output == before.1 && session("break").output == before.2)
    #expect(try folder.state() == before.0)
  }

  @Test("a store that has changed is not replaced by the stepper, and is told as changed")
  func changed() throws {
    session("debug t.sqlite --to Model2")
    #expect(session("insert ./t.sqlite Topic presenterName=q").status == .done)
    let commit = session("commit")
    #expect(
      commit.status == .failed && commit.diagnostics.contains("has changed since `debug` began"),
      "\(commit)")
    let end = session("abandon")
    #expect(end.output.contains("t.sqlite was changed, but not by the stepper"), "\(end)")
  }
}
