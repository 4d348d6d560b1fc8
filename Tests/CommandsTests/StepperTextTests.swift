import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What the stepper says of statements, events and values.
@Suite("The stepper's texts")
struct StepperTextTests {
  private let folder: TemporaryFolder
  private let session: TestSession

  init() throws {
    folder = try TemporaryFolder()
    session = TestSession(in: folder)
    session("load sample:Topics")
  }

  private struct Stop: Decodable {
    struct Next: Decodable { var sql, purpose: String? }
    var statement: Next?
  }

  /// The verb of a purpose, by the beginning of a statement.
  private static let verbs: [(sql: String, verbs: [String])] = [
    ("ALTER TABLE .* RENAME TO ", ["renames", "gives"]),
    ("ALTER TABLE .* RENAME COLUMN ", ["renames"]), ("ALTER TABLE .* ADD COLUMN ", ["adds"]),
    ("DROP ", ["drops"]), ("CREATE TEMP TABLE ", ["keeps"]), ("CREATE ", ["creates"]),
    ("INSERT ", ["copies", "fills", "writes"]), ("DELETE ", ["deletes"]),
    ("UPDATE ", ["clears", "computes", "copies", "keeps", "orders", "sets", "updates", "writes"]),
  ]

  @Test(
    "the purpose of a statement in place says what it does",
    arguments: [
      ("sample:Topics/Model1", "sample:Topics/Model3"),
      ("sample:Topics/Model3", "sample:Topics/Model5"),
      ("sample:Topics/Model5", "sample:Topics/Model1"),
      ("sample:Recipes/Recipes1", "sample:Recipes/Recipes2"),
      ("sample:Recipes/Recipes2", "sample:Recipes/Recipes1"),
      ("sample:Flight/A", "sample:Flight/B"),
      ("sample:Journeys/Journeys1", "sample:Journeys/Journeys6"),
    ])
  func purposes(from: String, to: String) throws {
    session("create s.sqlite --model \(from) --rows 3")
    let start = session("debug s.sqlite --to \(to) --strategy lightweight --json")
    try #require(start.status == .done, "\(start)")
    var count = 0
    for _ in 0..<300 {
      let answer = session("step --json")
      guard answer.status == .done,
        let stop = try? JSONDecoder().decode(Stop.self, from: Data(answer.output.utf8)),
        let sql = stop.statement?.sql, let purpose = stop.statement?.purpose
      else { break }
      count += 1
      let known = try Self.verbs.first {
        sql.firstMatch(of: try Regex("^" + $0.sql)) != nil
      }
      let verb = purpose.split(separator: " ").first.map(String.init) ?? ""
      #expect(known?.verbs.contains(verb) ?? true, "\(purpose): \(sql)")
    }
    #expect(count > 2)
    session("abandon")
  }

  @Test("a stop names each breakpoint and the steps that are left")
  func stops() {
    session("create s.sqlite --model Model1 --rows 5")
    session("debug s.sqlite --to Model2 --strategy custom")
    session("break TopicToTopic --when '$source.content != nil'")
    session("break Topic/p4")
    session("next")
    let first = session("step 4")
    #expect(first.output.contains("breakpoint 1: matches"), "\(first)")
    #expect(first.output.contains("the rest: `step 3`"), "\(first)")
    let second = session("step 3")
    #expect(second.output.contains("breakpoint 1: matches"), "\(second)")
    #expect(second.output.contains("breakpoint 2: Topic/p4 is next"), "\(second)")
    #expect(second.output.contains("the rest: `step 2`"), "\(second)")
    let unknown = session("goto 99999")
    #expect(unknown.output.contains("the migration has no event 99999: the last is "), "\(unknown)")
    #expect(session("break --delete 1 2").status == .done)
    #expect(!session("step 2").output.contains("the rest"))
  }

  @Test(
    "in place, a breakpoint on objects says that it is never hit, and losses are told before validation"
  )
  func inPlace() {
    session("create s.sqlite --model Model4 --rows 4")
    session("debug s.sqlite --to Model5 --strategy lightweight")
    for place in ["IEM_Transform_Topic", "Topic/p1", "pass", "pass 2", "policy"] {
      #expect(session("break \(place)").diagnostics.contains("[step.noObjects]"), "\(place)")
    }
    for place in ["sql 'INSERT*'", "error", "warning", "Topic.title"] {
      #expect(!session("break \(place)").diagnostics.contains("step.noObjects"), "\(place)")
    }
    session("break --delete 1 2 3 4 5 6 9")
    let stop = session("continue")
    #expect(stop.output.contains("breakpoint 8: Topic.presenterEmail is removed"), "\(stop)")
    #expect(session("continue").output.contains("complete"))
    session("abandon")
    // Another kind of store is migrated by passes first.
    session("create s.xml --model Model4 --rows 2")
    session("debug s.xml --from Model4 --to Model5 --strategy lightweight")
    let object = session("break Topic/p103")
    #expect(object.status == .done && object.diagnostics.isEmpty, "\(object)")
    #expect(session("continue").output.contains("breakpoint 1: Topic/p103 is next"))
  }

  @Test("unit and count of `back` are taken in any order")
  func back() {
    session("create s.sqlite --model Model1 --rows 5")
    session("debug s.sqlite --to Model2 --strategy custom")
    session("pass 2")
    session("step 2")
    let position = session("where")
    let there = session("back pass 2")
    session("pass")
    session("step 2")
    #expect(session("where").output == position.output)
    #expect(session("back 2 pass").output == there.output)
    #expect(session("back pass mapping").diagnostics.contains("name one unit and one count"))
    #expect(session("back pas").diagnostics.contains("pass"))
  }

  @Test(
    "a condition that no object of a breakpoint can have is refused",
    arguments: [
      ("TopicToTopic", "nope == 1", "has no property nope"),
      ("Topic.content", "$destination.nope == 1", "has no property nope"),
      ("Topic/p1", "nope == 1", "has no property nope"),
      ("TopicToTopic", "FUNCTION($source, \"valueForKey:\", \"nope\") == 1", "no property nope"),
      ("TopicToTopic", "$source.content + $destination.content == 2", "requires numbers"),
      ("policy begin", "$source.content == nil", "--when requires objects"),
      ("sql 'INSERT*'", "$source.content == nil", "--when requires objects"),
    ])
  func refusedCondition(place: String, condition: String, what: String) {
    session("create s.sqlite --model Model1 --rows 2")
    session("debug s.sqlite --to Model2 --strategy custom")
    let refused = session("break \(place) --when '\(condition)'")
    #expect(refused.status > .no && refused.diagnostics.contains(what), "\(refused)")
    #expect(session("break").output.contains("no breakpoints"))
  }

  @Test("a condition with keys of one object is asked where that object is known, and nowhere else")
  func oneSidedCondition() {
    let run = "debug sample:Kitchen --to sample:Recipes/Recipes2"
    for (condition, stop) in [
      ("name == \"Julia Child\"", "Chef/p1"), ("lastName == \"Child\"", "Chef/p1"),
      ("$source.name == \"Julia Child\"", "Chef/p1"),
    ] {
      session(run)
      session("break ChefToChef --when '\(condition)'")
      let first = session("continue")
      #expect(first.output.contains(stop) && first.output.contains("matches"), "\(first)")
      while session("where").output.contains("pass") {
        let next = session("continue")
        #expect(!next.output.contains("cannot be evaluated"), "\(next)")
        if !next.output.contains("breakpoint 1") { break }
      }
      session("abandon")
    }
  }

  @Test("a breakpoint on a property of an abstract entity stops at the objects of its subentities")
  func inheritedProperty() throws {
    let base =
      "<entity name='Base' isAbstract='YES'><attribute name='name' optional='YES' attributeType='String'/></entity>"
    for (version, more) in [
      ("A", ""), ("B", "<attribute name='n' optional='YES' attributeType='Integer 16'/>"),
    ] {
      try folder.write(
        "<model>\(base)<entity name='Sub' parentEntity='Base'>\(more)</entity></model>",
        to: "I.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    session("load I.xcdatamodeld")
    session("create i.sqlite --model I/A --rows 2")
    try folder.write("S: Sub -> Sub\n  name = $source.name\n", to: "i.mapping")
    session("debug i.sqlite --to I/B --mapping i.mapping")
    #expect(session("break Base.nope").status > .no)
    #expect(session("break Base.name").status == .done)
    let stop = session("continue")
    #expect(stop.output.contains("breakpoint 1: Base.name"), "\(stop)")
  }

  @Test("a condition that cannot be evaluated is told with the way to delete it")
  func badCondition() {
    session("create s.sqlite --model Model1 --rows 2")
    session("debug s.sqlite --to Model2 --strategy custom")
    session("break TopicToTopic --when 'FUNCTION($source.content, \"uppercase\") == 2'")
    let stop = session("continue")
    #expect(stop.output.contains("cannot be evaluated here"), "\(stop)")
    #expect(stop.output.contains("(`break --delete 1` deletes the breakpoint)"), "\(stop)")
  }

  @Test(
    "`explain` with a word answers as `help` does", arguments: ["migration.objectKeys", "pass"])
  func explain(word: String) {
    #expect(session("explain \(word)").output == session("help \(word)").output)
  }

  @Test("a table that gets another name is renamed, not dropped and created")
  func renames() throws {
    session("create s.sqlite --model Model1 --rows 2")
    session("debug s.sqlite --to Model3 --strategy lightweight")
    let step = session("step")
    #expect(step.output.contains("renames the old table: a new one gets its name"), "\(step)")
    #expect(step.output.contains("schema: ZTOPIC is renamed _Strata_ZTOPIC"), "\(step)")
    #expect(!step.output.contains("ZTOPIC is dropped"), "\(step)")
    let early = session("rows destination Topic")
    #expect(early.diagnostics.contains("[step.betweenModels]"), "\(early)")
    session("continue")
    #expect(session("count source Topic").output == "2\n")
    #expect(session("abandon").status == .done)
    #expect(session("count source Topic").status == .failed)
  }

  @Test("rows and count read the two stores of the stepper")
  func sides() throws {
    session("debug sample:Phone --to Model2")
    #expect(session("count source Topic").output == "9\n")
    #expect(session("count destination Topic").output == "0\n")
    session("step 3")
    #expect(session("count destination Topic").output == "2\n")
    let rows = session("rows destination Topic --where 'timeBudget > 0' --sort timeBudget:desc")
    #expect(rows.status == .done && rows.output.contains("timeBudget"), "\(rows)")
    #expect(session("rows source Topic --limit 2").output.contains("there are more"))
    let explained = session("count source Topic --where 'content != nil' --explain")
    #expect(explained.output.contains("SELECT"), "\(explained)")
  }

  @Test("where counts the objects that no entity mapping reads")
  func lost() throws {
    session("create s.sqlite --copy sample:Phone")
    session("migrate s.sqlite --to Model4 --strategy hybrid")
    session("debug s.sqlite --to Model5 --strategy hybrid")
    session("continue")
    let end = session("where")
    #expect(end.output.contains("3 skipped or lost"), "\(end)")
  }

  @Test("an object without a destination has a reason, and values of samples are not masked")
  func reasons() throws {
    session("debug sample:Kitchen --to sample:Recipes/Recipes2")
    session("break RecipeToCuisine")
    session("continue")
    session("step")
    let step = session("step")
    #expect(step.output.contains("$source.cuisine = \"Indian\""), "\(step)")
    session("step 3")
    let log = session("log 40")
    #expect(
      log.output.contains("-> no object: skipped by policy RecipeToCuisine"),
      "\(log)")
    #expect(!log.output.contains("(text of"), "\(log)")
    let json = session("log 40 --json")
    #expect(json.output.contains("\"policy\":\"RecipeToCuisine\""), "\(json)")
  }

  @Test("values of other stores are masked")
  func masked() throws {
    for (name, extra) in [
      ("R1", ""), ("R2", "<attribute name=\"b\" optional=\"YES\" attributeType=\"String\"/>"),
    ] {
      try folder.write(
        "<model><entity name=\"E\"><attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>\(extra)</entity></model>",
        to: "P.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write("EToE: E -> E\n  policy P\n", to: "P.mapping")
    try folder.write("policy P\n  set a = uppercase:($source.a)\n", to: "P.policy")
    session("create p.sqlite --model P.xcdatamodeld/R1")
    session("insert p.sqlite E a=secret")
    let start = session(
      "debug p.sqlite --to P.xcdatamodeld/R2 --mapping P.mapping --policies P.policy")
    #expect(start.status == .done, "\(start)")
    let steps = (0..<4).map { _ in session("step").output }.joined()
    #expect(steps.contains("(text of 6 bytes)"), "\(steps)")
    #expect(!steps.lowercased().contains("secret"), "\(steps)")
  }
}
