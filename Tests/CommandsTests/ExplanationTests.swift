import Foundation
import StrataBase
import StrataMigration
import StrataStepping
import StrataStore
import TestSupport
import Testing

@testable import StrataCommands

/// What `explain` says before a step, against what the step then does to the tables: read from its JSON and
/// from the rows of the store, by table and column.
@Suite("explain against the next step")
struct ExplanationTests {
  @Test("at every stop of every sample, explain says what the next step does")
  func samples() throws {
    var checked = ExplainedSteps()
    for (sample, from, to, options) in [
      ("Recipes", "Recipes1", "Recipes2", ""), ("Topics", "Model1", "Model5", "--strategy hybrid"),
      ("Topics", "Model4", "Model5", "--strategy custom"),
      ("Topics", "Model1", "Model3", "--strategy progressive"),
      ("Topics", "Model1", "Model5", ""), ("FirstTopics", "Model1", "Model2", ""),
      ("Flight", "A", "APrime", ""),
    ] {
      let folder = try TemporaryFolder()
      let session = TestSession(in: folder)
      session("load sample:\(sample)")
      let created = session("create s.sqlite --model \(sample)/\(from) --rows 7 --seed 3")
      #expect(created.status == .done, "\(created)")
      let begun = session("debug s.sqlite --to \(sample)/\(to) \(options)")
      #expect(begun.status == .done, "\(begun)")
      let stepper = try #require(session.session.stepping?.stepper)
      try checked.walk(stepper, "\(sample) \(from) to \(to) \(options)")
      session("abandon")
    }
    #expect(checked.created >= 60 && checked.links >= 40, "\(checked)")
    #expect(checked.attributes >= 150 && checked.statements >= 20, "\(checked)")
    #expect(checked.decisions >= 30 && checked.validations >= 10, "\(checked)")
  }

  @Test("a value that its type truncates is told as the expression gives it")
  func truncated() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("load sample:Topics")
    session("create t.sqlite --model Model1 --rows 1")
    for (text, told) in [
      ("abcd", "= 0.8, stored as 0 ($source.content.length = 4)"),
      ("abcde", "= 1 ($source.content.length = 5)"),
    ] {
      try StoreFixture.run(["UPDATE ZTOPIC SET ZCONTENT = '\(text)'"], on: folder.path("t.sqlite"))
      session("debug t.sqlite --to Model2")
      session("step")
      let answer = session("explain")
      #expect(
        answer.output.contains("timeBudget = $source.content.length * 0.2 \(told)"), "\(answer)")
      #expect(session("explain --json").output.contains("\"computed\"") == (text == "abcd"))
      session("abandon")
    }
  }

  @Test("a copied value that its type does not keep is told with what is stored, and not as copied")
  func copies() throws {
    let folder = try TemporaryFolder()
    for (version, type) in [("V1", "Double"), ("V2", "Integer 16")] {
      let attributes = ["a", "b", "c"].map {
        "<attribute name='\($0)' optional='YES' attributeType='\(type)'/>"
      }
      try folder.write(
        "<model><entity name='A'>\(attributes.joined())</entity></model>",
        to: "X.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/V1")
    session("insert s.sqlite A a=2.7 b=70000 c=3")
    session("infer X.xcdatamodeld/V1 X.xcdatamodeld/V2 --write M.mapping")
    session("debug s.sqlite --to X.xcdatamodeld/V2 --mapping M.mapping")
    session("step")
    let output = session("explain").output
    for line in [
      "  a = $source.a = 2.7, stored as 2\n", "  b = $source.b = 70000.0, stored as nil\n",
      "  copied: c\n",
    ] { #expect(output.contains(line), "\(output)") }
  }

  @Test("objects whose links are not kept are objects of the expression all the same")
  func objectsNotKept() throws {
    let folder = try TemporaryFolder()
    func version(_ boss: String, _ many: String) -> String {
      """
      Boss
        name String
        men -> Man many inverse=\(boss)
      Man
        name String
        \(boss) -> Boss \(many) inverse=men
      """
    }
    try folder.writeBundle(brief: ["V1": version("bosses", "many"), "V2": version("boss", "")])
    try folder.write(
      """
      mapping from X.xcdatamodeld/V1 to X.xcdatamodeld/V2

      Bosses: Boss -> Boss
        men <- $source.men through Men

      Men: Man -> Man
        boss <- $source.bosses through Bosses

      """, to: "m.mapping")
    let session = TestSession(in: folder)
    session("create s.sqlite --model X.xcdatamodeld/V1")
    for _ in 1...2 { session("insert s.sqlite Boss") }
    for _ in 1...2 { session("insert s.sqlite Man bosses=p1,p2") }
    session("debug s.sqlite --to X.xcdatamodeld/V2 --mapping m.mapping")
    session("pass")
    var explained: [String] = []
    for _ in 1...6 {
      let answer = session("explain").output
      explained += answer.split(separator: "\n").filter { $0.contains("not kept") }.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      session("step")
    }
    #expect(
      explained == [
        "men: $source.men are Man/p1, p2; Man/p1, p2 are not kept",
        "boss: $source.bosses are Boss/p1, p2; the table of Bosses says Boss/p1 became Boss/p1; Boss/p2 is not kept",
      ], "\(explained)")
  }

  @Test("in 200 random migrations, explain says what the next step does")
  func random() throws {
    let folder = try TemporaryFolder()
    let chosen = CaseCount.seeds(200, "EXPLAINED")
    let count = chosen.count
    var checked = ExplainedSteps()
    // Most seeds make a migration, but not all.
    let seeds = 4996 + 4 * chosen.lowerBound..<5000 + 4 * chosen.upperBound
    var (migrations, seed) = (0, seeds.lowerBound)
    while migrations < count, seed < seeds.upperBound {
      seed += 1
      var random = SeededRandom(seed: seed)
      guard
        let migration = try RandomMigration(
          seed: seed, at: folder.path("\(seed).sqlite"), hasScripts: true, using: &random)
      else { continue }
      migrations += 1
      try checked.walk(Stepper(migration.setup(.standard)), "\(seed)")
      if checked.isWrong { return }
    }
    #expect(migrations == count)
    #expect(checked.created > 2 * count && checked.links > 2 * count, "\(checked)")
    #expect(checked.attributes > 6 * count && checked.decisions > count / 2, "\(checked)")
    #expect(checked.skipped > count / 10 && checked.joined > CaseCount.least(10), "\(checked)")
  }
}
