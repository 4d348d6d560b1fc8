import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Options that are out of range, or that cannot be used together.
@Suite("Combinations of options")
struct OptionCombinationTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    session("load sample:Topics")
    session("create a.sqlite --model Model1 --rows 1")
    session("create b.sqlite --model Model1 --rows 1")
  }

  /// Each is refused as a mistake in typing, with these words, and changes nothing.
  private func expectUsage(_ cases: KeyValuePairs<String, String>) throws {
    let before = try folder.state()
    for (line, words) in cases {
      let answer = session(line)
      #expect(answer.status == .usage && answer.output.isEmpty, "\(line): \(answer)")
      #expect(answer.diagnostics.hasPrefix("error: \(words)  [command.usage]\n"), "\(answer)")
    }
    #expect(try folder.state() == before)
  }

  @Test("are refused with the reason, before anything is done")
  func usage() throws {
    let lightweight = "lightweight uses inference only: omit --no-infer and --mapping"
    let unchanged = "with --output the old store is unchanged: omit"
    let migrate = "migrate a.sqlite --to Model2"
    try expectUsage([
      "replay x.md --jobs 0": "--jobs must be from 1 to 64",
      "replay x.md --jobs 65": "--jobs must be from 1 to 64",
      "save --last 2": "--last requires a file",
      "save x.md --last 0": "--last requires a number from 1",
      "rows a.sqlite Topic --limit=-1": "--limit must be between 0 and 1000000000",
      "rows a.sqlite Topic --limit 1000000001": "--limit must be between 0 and 1000000000",
      "export a.sqlite x.html --objects 0": "--objects is between 1 and 100000",
      "lesson --all": "--all requires `lesson forget`",
      "mapping write sample:Topics/Model1ToModel2": "usage: mapping write MAPPING FILE",
      "mapping lint sample:Topics/Model1ToModel2 --from Model1":
        "--from and --to require each other",
      "\(migrate) --keep-old always --discard-old":
        "--discard-old does not keep the old store: omit --keep-old",
      "\(migrate) --output c.sqlite --discard-old": "\(unchanged) --discard-old",
      "\(migrate) --output c.sqlite --keep-old always": "\(unchanged) --keep-old",
      "\(migrate) --output c.sqlite --append --dry-run":
        "--append cannot be rehearsed: omit --dry-run or --append",
      "\(migrate) --strategy lightweight --no-infer": lightweight,
      "\(migrate) --strategy lightweight --mapping sample:Topics/Model1ToModel2": lightweight,
      "try Model1.Topic meaning": "meaning requires one text",
      "try Model1.Topic.content meaning a b": "meaning requires one text",
      "write Model1 x.xcdatamodel --current": "--current is for versions of a bundle",
      "compare a.sqlite b.sqlite --mapping sample:Topics/Model1ToModel2":
        "--mapping requires --rows",
      "compare a.sqlite b.sqlite --rows --policies x.policy": "--policies requires --mapping",
      "compare a.sqlite b.sqlite --reveal": "--reveal requires --rows",
      "compare a.sqlite b.sqlite --configuration x":
        "--configuration requires a model, but these are two stores",
      "create c.sqlite --model Model1 --rows=-1": "--rows is between 0 and 100000000",
      "create c.sqlite --model Model1 --framework 0":
        "--framework must be a number such as 640, 866 or 1344",
      "trace migration 2 --reveal": "--reveal requires trace sql",
      "infer Model1 --write x": "name two models",
      "expect compatible a.sqlite Model1 --stages x": "expect compatible requires A B",
    ])
  }

  @Test("of the stepper are refused while it stays where it is")
  func stepper() throws {
    #expect(session("debug a.sqlite --to Model2").status == .done)
    session("step")
    let state = session("state --json").output
    let limit = "--limit is between 1 and 1000000"
    try expectUsage([
      "debug a.sqlite --to Model2 --force": "--force requires --trace-json",
      "associations --limit 0": limit, "state --limit 0": limit, "source --limit 0": limit,
      "source --where 'content == nil'": "--where requires an entity",
      "break --once":
        "name a location: an entity mapping, pass, sql, policy, error, warning …",
      "break --delete 1 --when 'a == 1'": "--delete cannot be combined with a new breakpoint",
      "break pass --ignore=-1": "--ignore is between 0 and 1000000000",
      "break sql": "a pattern is missing, or is not quoted",
      "break sql a b": "a pattern is missing, or is not quoted",
      "commit --force": "--force requires --output",
      "eval": "name an expression: eval '$source.title'",
      "goto": "name a mark or an event: goto 5, without the #, which begins a comment",
      "log 0": "the count must be between 1 and 500",
      "log 501": "the count must be between 1 and 500",
      "step 0": "the count must be between 1 and 1000000000",
    ])
    for (line, words) in [
      ("associations Nope", "this hop has no entity mapping Nope  [step.unknownPlace]"),
      ("source Nope", "this store has no entity Nope  [step.unknownEntity]"),
      ("lesson 0", "there is no lesson 0  [lesson.unknown]"),
    ] {
      let answer = session(line)
      #expect(answer.status == .failed && answer.diagnostics.contains(words), "\(answer)")
    }
    #expect(session("state --json").output == state)
  }

  @Test("objects cannot be inserted into an abstract entity, or linked twice or too often")
  func insertions() throws {
    try folder.writeBundle([
      "1": """
      <entity name="Base" isAbstract="YES"/><entity name="Leaf" parentEntity="Base"/>
      <entity name="A"><relationship name="one" optional="YES" maxCount="1" destinationEntity="Leaf"/>
      <relationship name="many" optional="YES" toMany="YES" destinationEntity="Leaf"/>
      <attribute name="data" optional="YES" attributeType="Binary"/></entity>
      """
    ])
    session("load X.xcdatamodeld")
    session("create c.sqlite --model X/1")
    session("insert c.sqlite Leaf")
    session("insert c.sqlite Leaf")
    let before = try folder.state()
    for (line, id) in [
      ("insert c.sqlite Base", "store.abstractEntity"),
      ("insert c.sqlite A many=p1,p1", "store.givenTwice"),
      ("insert c.sqlite A one=p1,p2", "store.toOne"),
      ("insert c.sqlite A data=0xabc", "store.badValue"),
    ] {
      let answer = session(line)
      #expect(answer.status == .failed && answer.diagnostics.contains("[\(id)]"), "\(answer)")
    }
    #expect(try folder.state() == before)
    #expect(session("insert c.sqlite A one=p1 many=p1,p2").status == .done)
  }
}
