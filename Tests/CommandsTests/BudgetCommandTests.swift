import Foundation
import StrataBase
import StrataCommands
import StrataNotebook
import TestSupport
import Testing

/// Commands without end, each ended by its budget: the same words and the same status in every run.
@Suite("Budgets of commands")
struct BudgetCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let endlessQuery =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
  private static let endless = "sql t.sqlite '\(endlessQuery)' --budget sql=2000000"

  /// Runs commands in two sessions, and requires equal answers.
  private func twice(
    _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Evaluation {
    func answer() throws -> Evaluation {
      let session = TestSession(in: folder)
      return try #require(lines.map { session($0) }.last)
    }
    let first = try answer()
    let second = try answer()
    #expect(first.output == second.output, sourceLocation: sourceLocation)
    #expect(first.diagnostics == second.diagnostics, sourceLocation: sourceLocation)
    #expect(first.status == second.status, sourceLocation: sourceLocation)
    return first
  }

  private func check(
    _ answer: Evaluation, _ budget: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == .failed, "\(answer)", sourceLocation: sourceLocation)
    #expect(
      answer.diagnostics.contains("[budget.\(budget)]")
        && answer.diagnostics.contains("--budget \(budget)="),
      "\(answer)", sourceLocation: sourceLocation)
    #expect(!answer.answer.dependsOnTime, sourceLocation: sourceLocation)
  }

  @Test("an endless query ends at its budget", arguments: ["sqlite", "xml"])
  func sql(form: String) throws {
    TestSession(in: folder)("create t.\(form) --model sample:Topics/Model1 --rows 3")
    check(
      try twice([
        "load sample:Topics", "sql t.\(form) '\(Self.endlessQuery)' --budget sql=2000000",
      ]), "sql")
  }

  @Test(
    "a function on long strings counts as steps of the same duration",
    arguments: [
      "instr(a, b)", "replace(a, b, '')", "trim(a, b)", "ltrim(a, b)", "rtrim(a, b)",
      "b LIKE '%' || substr(a, 1, 900) || 'x'", "b GLOB '*' || substr(a, 1, 900) || 'x'",
      "printf('%.*c', 900000000, 'a')", "format('%900000000d', 1)",
    ])
  func slowFunctions(_ call: String) throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let query =
      "SELECT \(call) FROM (SELECT hex(printf('%.*c', 100000, 'a')) AS a, hex(printf('%.*c', 50000, 'a')) AS b)"
    check(try twice(["sql t.sqlite \"\(query)\" --budget sql=1000000"]), "sql")
  }

  @Test(
    "counted functions return the same results as those of SQLite",
    arguments: [
      ("instr('Hashes', 'sh')", "3"), ("instr(x'0102', x'02')", "2"), ("instr(NULL, 'a')", ""),
      ("replace('abc', 'b', 'é')", "aéc"), ("trim('xxaxx', 'x')", "a"), ("trim('  a ')", "a"),
      ("ltrim('xxa', 'x')", "a"), ("rtrim('axx', 'x')", "a"), ("'Ab' LIKE 'aB'", "1"),
      ("'A_b' LIKE 'a!_b' ESCAPE '!'", "1"), ("'ab' GLOB 'A*'", "0"),
      ("printf('%05.1f|%*d', 3.14159, 4, 7)", "003.1|   7"), ("printf('%s', NULL)", ""),
      ("hex('é')", "C3A9"), ("hex(CAST(x'ff41' AS TEXT))", "FF41"), ("hex(12)", "3132"),
      ("quote('it''s')", "'it''s'"), ("quote(NULL)", "NULL"), ("quote(x'0a')", "X'0A'"),
      ("upper('aé')", "Aé"), ("lower('AÉ')", "aÉ"), ("substr('aéb', 2)", "éb"),
      ("substring('aéb', -2, 1)", "é"), ("hex(substr(x'010203', 2))", "0203"),
      ("typeof(substr(x'010203', 2))", "blob"), ("typeof(upper(NULL))", "null"),
    ])
  func countedFunctions(_ call: String, _ expected: String) throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let answer = TestSession(in: folder)("sql t.sqlite \"SELECT \(call) AS v\" --json")
    #expect(answer.status == .done, "\(answer)")
    let row = try JSONDecoder().decode(
      [String: String?].self, from: Self.quotingNumbers(answer.output))
    #expect((row["v"] ?? nil) ?? "" == expected)
  }

  /// With 400,000 bytes each of the 27,000 rows takes as long as some 3,000 steps.
  @Test(
    "long values count by their length, whatever the query does with them",
    arguments: [
      "length(x || a.Z_PK)", "x < y", "max(x, y) = x", "x BETWEEN y AND y", "nullif(x, y) = a.Z_PK",
      "CAST(x AS INTEGER)", "x + a.Z_PK", "length(x)", "CASE x WHEN y THEN a.Z_PK END",
      "hex(x) = y", "quote(x) = y", "upper(x) = y", "lower(x) = y", "substr(x, -1 - a.Z_PK) = y",
    ])
  func longValues(_ expression: String) throws {
    TestSession(in: folder)("create t.sqlite --model sample:Topics/Model1 --rows 30")
    func line(_ bytes: Int) -> String {
      "sql t.sqlite \"WITH t(x, y) AS MATERIALIZED (SELECT printf('%.*c', \(bytes), 'x'), printf('%.*c', \(bytes), 'x') || 'y') SELECT sum(\(expression)) FROM t, ZTOPIC a, ZTOPIC b, ZTOPIC c\" --budget sql=5000000"
    }
    #expect(TestSession(in: folder)(line(10)).status == .done)
    check(try twice([line(400_000)]), "sql")
  }

  @Test("stored long values do not end a query that reads each once")
  func storedValues() throws {
    TestSession(in: folder)("create t.sqlite --model sample:Topics/Model1 --rows 20000")
    try StoreFixture.run(
      ["UPDATE ZTOPIC SET ZCONTENT = hex(zeroblob(2000000)) WHERE Z_PK IN (7, 19000)"],
      on: folder.path("t.sqlite"))
    let answer = TestSession(in: folder)(
      "sql t.sqlite 'SELECT Z_PK, length(ZCONTENT || 1) AS n FROM ZTOPIC WHERE n > 1000' --json")
    #expect(answer.status == .done, "\(answer)")
    let rows = [7, 19000].map { "{\"Z_PK\":\($0),\"n\":4000001}" }
    #expect(answer.output.split(separator: "\n").map(String.init) == rows)
  }

  @Test("a query that meets a longer value passes each row once", arguments: [1, 3, 1000])
  func continuedQuery(limit: Int) throws {
    TestSession(in: folder)("create t.sqlite --model sample:Topics/Model1 --rows 60")
    for key in [5, 20, 40] {
      try StoreFixture.run(
        ["UPDATE ZTOPIC SET ZCONTENT = hex(zeroblob(\(key * 1000))) WHERE Z_PK = \(key)"],
        on: folder.path("t.sqlite"))
    }
    let answer = TestSession(in: folder)(
      "sql t.sqlite 'SELECT Z_PK FROM ZTOPIC WHERE length(ZCONTENT || 1) IS NOT 3' --json --limit \(limit)"
    )
    let expected = (1...60).prefix(limit).map { "{\"Z_PK\":\($0)}" }
    #expect(answer.output.split(separator: "\n").map(String.init) == expected, "\(answer)")
  }

  private static func quotingNumbers(_ json: String) throws -> Data {
    Data(json.replacing(/: ?(-?[0-9.]+)(?=[,}])/) { ": \"\($0.1)\"" }.utf8)
  }

  @Test(
    "long strings are searched in linear time or within the budget of the pattern",
    arguments: [
      ("CONTAINS[c]", BudgetCommandTests.part, true), ("CONTAINS", BudgetCommandTests.part, true),
      ("CONTAINS[cd]", BudgetCommandTests.part, true),
      ("LIKE", "*\(BudgetCommandTests.part)*", false),
      ("LIKE[cd]", "*\(BudgetCommandTests.part)*", false),
    ])
  func longTexts(_ comparison: String, _ pattern: String, _ isLinear: Bool) throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try folder.write(String(repeating: "a", count: 300_000), to: "hay.txt")
    let session = TestSession(in: folder)
    let inserted = session("insert t.sqlite Topic content=@hay.txt presenterName=Ann")
    #expect(inserted.status == .done, "\(inserted)")
    let answer = session("count t.sqlite Topic --where 'content \(comparison) \"\(pattern)\"'")
    if isLinear {
      #expect(answer.status == .done && answer.output.hasPrefix("0"), "\(answer)")
    } else {
      #expect(answer.status == .failed, "\(answer)")
      #expect(answer.diagnostics.contains("[expression.patternTooSlow]"), "\(answer)")
    }
  }

  private static let part = String(repeating: "a", count: 10_000) + "b"

  @Test("a query with values that are too long is an error of the query")
  func tooLongValue() throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let answer = TestSession(in: folder)(
      "sql t.sqlite \"WITH RECURSIVE n(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM n) SELECT length(s) FROM n\""
    )
    #expect(answer.diagnostics.contains("[store.badQuery]"), "\(answer)")
  }

  @Test("a query with endless rows ends")
  func endlessRows() throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let query =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0"
    check(try twice(["sql t.sqlite \"\(query)\" --limit 0 --budget sql=2000000"]), "sql")
  }

  @Test("a query has its default budget without an option")
  func standard() throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let query =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT count(*) FROM n"
    let session = TestSession(in: folder)
    #expect(session("sql t.sqlite '\(query)'").output.contains("300000"))
    #expect(session("sql t.sqlite '\(query)' --budget sql=1000000").status == .failed)
    #expect(session("sql t.sqlite '\(query)' --budget sql=100000000").status == .done)
  }

  @Test("a nested SUBQUERY ends at the budget of visits")
  func subquery() throws {
    TestSession(in: folder)("create t.sqlite --model sample:Topics/Model1 --rows 400")
    // 400 topics of one list: 64 million visits.
    try StoreFixture.run(["UPDATE ZTOPIC SET ZTOPICLIST = 1"], on: folder.path("t.sqlite"))
    let predicate =
      "SUBQUERY(topics, $a, SUBQUERY(topics, $b, SUBQUERY(topics, $c, $c.content != $a.content AND $b.content == nil).@count > 9).@count > 9).@count > 9"
    check(
      try twice(["count t.sqlite TopicList --where '\(predicate)' --budget predicate=2000"]),
      "predicate")
  }

  /// A list of objects, each of which leads to the next: what differs at its end takes as many rounds to be seen.
  private func makeChain(_ name: String, last: Int) throws {
    let model =
      "<model><entity name='N'><attribute name='v' attributeType='Integer 32' optional='YES'/><relationship name='next' maxCount='1' optional='YES' destinationEntity='N' inverseName='last' inverseEntity='N'/><relationship name='last' maxCount='1' optional='YES' destinationEntity='N' inverseName='next' inverseEntity='N'/></entity></model>"
    try folder.write(model, to: "M.xcdatamodel/contents")
    let session = TestSession(in: folder)
    let inserted = session("create \(name) --model M.xcdatamodel --rows 300")
    try #require(inserted.status == .done, "\(inserted)")
    try StoreFixture.run(
      [
        "UPDATE ZN SET ZV = 0, ZNEXT = NULL, ZLAST = NULL",
        "UPDATE ZN SET ZNEXT = Z_PK + 1 WHERE Z_PK < 300",
        "UPDATE ZN SET ZLAST = Z_PK - 1 WHERE Z_PK > 1",
        "UPDATE ZN SET ZV = \(last) WHERE Z_PK = 300",
      ], on: folder.path(name))
  }

  @Test("a comparison along a chain ends at its budget without an answer")
  func comparison() throws {
    try makeChain("a.sqlite", last: 0)
    try makeChain("b.sqlite", last: 0)
    let line = "compare a.sqlite b.sqlite --rows"
    // 600 objects have 60,000 visits beyond the budget; a chain of 300 takes about 150 rounds of 1,800.
    check(try twice(["\(line) --budget comparison=1000"]), "comparison")
    let answer = TestSession(in: folder)(line)
    #expect(answer.status == .done && answer.output.contains("300 objects"), "\(answer)")
  }

  @Test("commands of a document that together exceed the budget end the whole replay")
  func replay() throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let query =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) FROM n"
    let document = Array(repeating: "sql t.sqlite '\(query)'\n", count: 5).joined()
    try folder.write(document, to: "d.strata")
    let line = "replay d.strata --budget replay=3000000"
    let answer = try twice([line])
    check(answer, "replay")
    #expect(answer.diagnostics.contains("d.strata:"), "\(answer)")
    let session = TestSession(in: folder)
    #expect(session("\(line) --update --all").status == .failed)
    #expect(try String(contentsOfFile: folder.path("d.strata"), encoding: .utf8) == document)
    #expect(session("replay d.strata").status == .done)
    #expect(session("replay d.strata d.strata --jobs 2 --budget replay=3000000").status == .failed)
  }

  @Test("an answer ended by a work budget is recorded and replays without differences")
  func recorded() throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let session = TestSession(in: folder)
    session(Self.endless)
    #expect(session("save s.strata --all").status == .done)
    #expect(session("replay s.strata").status == .done)
  }

  @Test("an answer ended by a time limit is never recorded")
  func time() throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    let line =
      "sql t.sqlite '\(Self.endlessQuery)' --budget sql=1000000000000 --budget time=1"
    let session = TestSession(in: folder)
    let answer = session(line)
    #expect(answer.status == .failed && answer.answer.dependsOnTime, "\(answer)")
    #expect(answer.diagnostics.contains("[budget.time]"), "\(answer)")
    session("samples")
    #expect(session("save s.strata --all").status == .done)
    let saved = try String(contentsOfFile: folder.path("s.strata"), encoding: .utf8)
    #expect(saved.contains("samples") && !saved.contains("WITH RECURSIVE"))
    // What a document expects of it, in whatever words, is not met either.
    for end in ["", "#? 2\n"] {
      let document = "\(line)\n\(end)"
      try folder.write(document, to: "d.strata")
      let replayed = session("replay d.strata --update --all")
      #expect(replayed.status == .no, "\(replayed)")
      #expect(replayed.output.contains("depends on time"), "\(replayed)")
      #expect(try String(contentsOfFile: folder.path("d.strata"), encoding: .utf8) == document)
    }
  }

  @Test("the time limit of a replay ends the whole replay")
  func timeOfReplay() throws {
    try SampleStore.topics(at: folder.path("t.sqlite"))
    try folder.write(
      "sql t.sqlite '\(Self.endlessQuery)' --budget sql=1000000000000\nsamples\n", to: "d.strata")
    let answer = TestSession(in: folder)("replay d.strata --budget time=1")
    #expect(answer.status == .failed && answer.diagnostics.contains("[budget.time]"), "\(answer)")
    #expect(!answer.output.contains("replayed"))
  }

  @Test("help lists every budget with its default")
  func help() throws {
    let page = TestSession(in: folder)("help budgets").output
    for budget in Budget.allCases {
      #expect(page.contains("\n\(budget.rawValue) ") || page.hasPrefix(budget.rawValue))
      if let standard = budget.standard { #expect(page.contains(String(standard))) }
    }
  }

  @Test("an invalid budget is an error of the command line")
  func badBudget() {
    let answer = TestSession(in: folder)("samples --budget sqk=1")
    #expect(answer.status == .usage && answer.diagnostics.contains("did you mean sql"), "\(answer)")
  }
}
