import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What errors advise is what the user meant, and works as it is written.
@Suite("Advice of errors")
struct AdviceTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model1 --rows 2")
  }

  @Test(
    "an advised command works",
    arguments: [
      ("count Topic t.sqlite", "count t.sqlite Topic"),
      (
        "rows Topic t.sqlite --where 'content != nil'",
        "rows t.sqlite Topic --where 'content != nil'"
      ),
      ("rows Topics t.sqlite", nil), ("count Topic none.sqlite", nil), ("hash Topic.title", nil),
    ])
  func order(line: String, advised: String?) throws {
    let answer = session(line)
    #expect(answer.status != .done, "\(answer)")
    #expect(answer.diagnostics.contains("the store comes first") == (advised != nil), "\(answer)")
    guard let advised else { return }
    #expect(answer.diagnostics.contains("`\(advised)`"), "\(answer)")
    #expect(session(advised).status == .done)
  }

  @Test("an element that is named without its model")
  func element() throws {
    for (typed, advised) in [("Topic", "Topics.Topic"), ("Topic.title", "Topics.Topic.title")] {
      let answer = session("hash \(typed)")
      #expect(answer.diagnostics.contains("name its model first: `\(advised)`"), "\(answer)")
      #expect(session("hash \(advised)").status == .done)
    }
  }

  @Test("the same fixes are verified as text and as JSON, also where other problems remain")
  func verifiedFixes() {
    session("load sample:Topics")
    session("try Model1.Topic.content attributeType Binary")
    session("try Model1.Topic add attribute other attributeType=String optional=NO")
    let text = session("infer Model1 try:Model1").output
    let json = session("infer Model1 try:Model1 --json").output
    func count(_ part: String, in text: String) -> Int { text.ranges(of: part).count }
    #expect(count("(verified; other problems remain)", in: text) > 0, "\(text)")
    #expect(
      count(#""othersRemain" : true"#, in: json)
        == count("(verified; other problems remain)", in: text), "\(json)")
    // `remedies` are the fixes by their former name.
    #expect(
      count(#""verified" : true"#, in: json) == 2 * count("(verified", in: text), "\(json)")
  }

  @Test("of a store with nothing in common no version is the nearest, as text and as JSON")
  func nothingInCommon() throws {
    session("create t.sqlite --model sample:Flight/A")
    #expect(session("identify t.sqlite sample:Recipes").output.contains("in common"))
    let answer = session("identify t.sqlite sample:Recipes --json")
    #expect(!answer.output.contains(#""nearest""#), "\(answer)")
  }

  @Test("a sample that is named without `sample:`, and options of other tools")
  func others() throws {
    for (line, fix) in [
      ("load Recipes", "did you mean sample:Recipes?"),
      ("load sample:Topics/Model1", "`load sample:Topics` loads it with its bundle"),
      // ArgumentParser reads one dash as an option for each letter, of which h is help.
      ("check -shard 1/2", "did you mean --shard?"),
      ("count t.sqlite -where x", "did you mean --where?"),
      ("identify -phone.sqlite", "`help identify` shows its form"),
      ("check -html", "did you mean --html?"), ("--verson", "did you mean --version?"),
      ("-v", "did you mean --version?"),
      ("--since main check", "did you mean `check --since main`?"),
      ("version", "did you mean --version?"),
      ("check a b", "write it as: check [<options>] [<folder>]"),
      ("migrate t.sqlite Model2", "did you mean `migrate t.sqlite --to Model2`?"),
      ("show Model1 Topic", "did you mean `show Model1.Topic`?"),
      ("show Model 1", "did you mean `show 'Model 1'`?"),
      ("infer Model1 Model2 --split --swift x.swift", "--swift takes no value"),
      ("show Model1 | head -1", "work only at the prompt and in a shell"),
      ("count t.sqlite Topic --where content > 'a'", "a predicate is one argument, in quotes"),
      ("sql t.sqlite .tables", "'SELECT name, sql FROM sqlite_master'"),
      ("rows t.sqlite Topic --sort -content", "--sort content:desc"),
      ("rows t.sqlite Topic --sort 'content desc'", "--sort content:desc"),
      ("count t.sqlite Topic --where 'dateCreated > 2026-03-05'", "in quotes: '2026-03-05'"),
      (
        "count t.sqlite Topic --where 'dateCreated BETWEEN {2026-1-1, 2026-2-28}'",
        "in quotes: '2026-01-01'"
      ), ("count s.sqlite Topic", "did you mean t.sqlite?"),
      ("rows t.sqlite Topic --desc content", "--sort <key>:desc"),
      ("count t.sqlite Topic --filter 'a == 1'", "did you mean --where?"),
    ] {
      #expect(session(line).diagnostics.contains(fix), "\(line)")
    }
  }

  @Test("the fixes of a hop between two versions name them as a shell can")
  func middleHop() throws {
    let project = try TemporaryProject([
      ("V1", ["Card": ["a": "Double"]]), ("V2", ["Card": ["a": "Date"]]),
      ("V3", ["Card": ["a": "Double", "z": "String"]]),
    ])
    let shell = TestSession(in: project.folder)
    shell("create s.sqlite --model App.xcdatamodeld/V1")
    let plan = shell("plan s.sqlite --to App.xcdatamodeld/V3 --strategy progressive")
    #expect(
      plan.output.contains("infer App.xcdatamodeld/V1 App.xcdatamodeld/V2 --split")
        && plan.output.contains("try App.xcdatamodeld/V2.Card.a attributeType Double"), "\(plan)")
  }
}
