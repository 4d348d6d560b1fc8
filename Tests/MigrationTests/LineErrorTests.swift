import StrataBase
import StrataExpressions
import StrataMapping
import StrataMigration
import Testing

/// Each error of the three line languages, in a text in which marks stand around what is wrong.
@Suite("Errors of mapping texts, policy files and stages files")
struct LineErrorTests {
  @Test(
    "errors of a mapping text",
    arguments: [
      ("mapping ‹Topics›", "expected from, and the source model"),
      ("mapping from‹›", "expected a model"),
      ("mapping from A ‹B›", "expected to, and the destination model"),
      ("mapping from A to‹›", "expected a model"),
      ("mapping from A to B ‹C›", "expected the end of the line"),
      ("  ‹a› = 1", "expected an entity mapping first: Name: Source -> Destination"),
      ("A ‹B›", "expected \":\" after the name of an entity mapping"),
      ("‹:› B -> C", "expected a name"),
      ("A: B‹›", "expected \"->\" and the destination entity"),
      ("A: ->‹›", "expected an entity"),
      (
        "A: B -> C as ‹odd›",
        "expected one of \(EntityMapping.Kind.allCases.map(\.name).joined(separator: ", "))"
      ),
      ("A: B -> C as‹›", "expected a name"),
      ("A: B -> C ‹D›", "expected the end of the line"),
      ("A: B -> C\n‹A›: D -> E", "two entity mappings are called A"),
      (
        "A: B -> C\n  ‹x›",
        "expected property = expression, property <- expression, where, policy, omit, info or objects"
      ),
      ("A: B -> C\n  x =‹›", "expected an expression, default or nothing"),
      ("A: B -> C\n  x <-‹›", "expected an expression, default or nothing"),
      ("A: B -> C\n  x = 1 +‹›", "expected an expression"),
      ("A: B -> C\n  é = 'é' + ‹)›", "expected an expression"),
      ("A: B -> C\n  \"two words\" = ‹a == 1›", "expected an expression, not a comparison"),
      ("A: B -> C\n  x <- $source ‹through›", "expected an operator or the end"),
      ("A: B -> C\n  x = 1\n  ‹x› = 2", "x is mapped twice"),
      ("A: B -> C\n  x = 1\n  omit ‹x›", "x is mapped and omitted"),
      ("A: B -> C\n  omit x\n  ‹x› <- nothing", "x is mapped and omitted"),
      ("A: B -> C\n  omit x\n  omit ‹x›", "x is omitted twice"),
      ("A: B -> C\n  where a == 1\n  ‹where› b == 1", "A has two lines with where"),
      ("A: B -> C\n  policy P\n  ‹policy› P", "A has two lines with policy"),
      ("A: B -> C\n  objects $source\n  ‹objects› $source", "A has two lines with objects"),
      ("A: B -> C\n  where‹›", "expected a predicate"),
      ("A: B -> C\n  policy‹›", "expected a name"),
      ("A: B -> C\n  policy ‹\"a›", "missing closing quote"),
      (
        "A: B -> C\n  policy \"a\\‹q\"›",
        "expected n, t, u{…}, a quote or a backslash after a backslash"
      ),
      (
        "A: B -> C\n  policy \"\\‹u{110000}\"›",
        "expected a code point in braces: u{2014}"
      ),
      ("A: B -> C\n  policy a ‹b›", "expected the end of the line"),
      (
        "A: B -> C\n  hashes ‹12› -> none",
        "expected a version hash of 64 hexadecimal digits, or none"
      ),
      ("A: B -> C\n  hashes none ‹none›", "expected \"->\" and the destination's hash"),
      ("A: B -> C\n  omit‹›", "expected a name"),
      ("A: B -> C\n  info ‹a›", "expected a text in double quotes"),
      ("A: B -> C\n  info \"a\" ‹\"b\"›", "expected \"=\" and a text in double quotes"),
      ("A: B -> C\n  info of ‹x› \"a\" = \"b\"", "x has user info but no mapping"),
      ("A: B -> C\n  objects‹›", "expected an expression, default or nothing"),
      ("A: B -> C # a comment\r\n\tx = ‹)› # another\r\n", "expected an expression"),
    ])
  func mappings(marked: String, message: String) throws {
    try expect(message, in: marked, id: "mapping.") { _ = try MappingScript(parsing: $0) }
  }

  @Test(
    "errors of a policy file",
    arguments: [
      ("‹set› a = 1", "expected a policy: policy NAME"),
      ("  ‹set› a = 1", "expected a policy first"),
      ("policy‹›", "expected the name of the policy"),
      ("policy A ‹B›", "expected for, in, from or to, each once"),
      ("policy A for‹›", "expected a name after for"),
      ("policy A for B ‹for› C", "expected for, in, from or to, each once"),
      ("policy A\n‹policy A›", "there are two policies A"),
      ("policy A\n  ‹dance› now", "expected a statement"),
      ("policy A\n  ‹skip› when", "expected a statement"),
      ("policy A\n  skip when (‹›", "expected an expression"),
      (
        "policy A\n  \n  # a comment\n  one destination for each a ==‹›",
        "expected an expression"
      ),
      ("policy A\n  in ‹passing›: set a = 1", "there is no pass passing"),
      ("policy A\n  in creation‹›", "expected \":\""),
      ("policy A\n  in creation:‹›", "expected something after \":\""),
      ("policy A\n  in ‹validation›: set a = 1", "this statement is not allowed in validation"),
      ("policy A\n  set a‹›", "expected \"=\""),
      ("policy A\n  set a =‹›", "expected something after \"=\""),
      ("policy A\n  set ‹›= 1", "expected something before \"=\""),
      ("policy A\n  set a = find B‹›", "expected \"where\""),
      ("policy A\n  set a = find B where c‹›", "expected \"==\""),
      ("policy A\n  set a = find B where c ==‹›", "expected something after \"==\""),
      ("policy A\n  set a = find or create B where c == 1 with d‹›", "expected \"=\""),
      ("policy A\n  set a = create B with c‹›", "expected \"=\""),
      ("policy A\n  set a = create B with c = 1, d = ‹)›", "expected an expression"),
      ("policy A\n  split a at ‹1› into b", "expected a text in quotes"),
      ("policy A\n  split a into b‹›", "expected \"at\""),
      ("policy A\n  split a at ' '‹›", "expected \"into\""),
      ("policy A\n  split a at ' ' into b, c, ‹b›", "b gets two parts"),
      ("policy A\n  join a into b‹›", "expected \"with\""),
      ("policy A\n  join a, ‹*› with ' ' into b", "expected an expression"),
      ("policy A\n  create B with c‹›", "expected \"=\""),
      ("policy A\n  find or create B‹›", "expected \"where\""),
      ("policy A\n  delete when a‹›", "expected a comparison, such as == or CONTAINS"),
      ("policy A\n  ‹keep› first", "expected a statement"),
      ("policy A\n  keep first ‹name›", "expected \"by\""),
      ("policy A\n  keep first of a‹›", "expected \"by\""),
      ("policy A\n  keep first by ‹a b›", "the key must be one word"),
      ("policy A\n  require a > 1‹›", "expected \",\" and a message"),
      ("policy A\n  require a > 1, ‹b›", "the message must be in double quotes"),
      ("policy A\n  require a > 1, \"‹\\(›b\"", "the parenthesis is not closed"),
      ("policy A\n  require a > 1, \"é \\(b +‹›)\"", "expected an expression"),
      ("policy A\n  method a‹›", "expected \"=\""),
      ("policy A\n  method ‹a› b = 1", "expected NAME:$VALUE, with another value each time"),
      ("policy A\n  method a:$x ‹b:$x› = 1", "expected NAME:$VALUE, with another value each time"),
      ("policy A\n  method a:$x = ‹*›", "expected an expression"),
      ("policy A\n  method a = 1\n  ‹method a = 2›", "there are two methods a"),
      (
        "policy A\n  set a = 1 +\n      'é' + ‹*› + # a comment\n    2",
        "expected an expression"
      ),
      ("policy A\n  split a\n    into b‹›", "expected \"at\""),
    ])
  func policies(marked: String, message: String) throws {
    try expect(message, in: marked, id: "policy.syntax") {
      _ = try PolicyScript.policies(parsing: $0)
    }
  }

  @Test(
    "errors of a stages file",
    arguments: [
      ("stage custom V1‹›", "expected \"->\""),
      ("stage custom ‹›-> V2", "expected something before \"->\""),
      ("\n‹stages› V1", "expected a stage"),
      ("  ‹will:› run x", "expected a stage first"),
      ("stage lightweight V1\n  ‹did: run x›", "a lightweight stage has no steps"),
      ("stage lightweight V1, ‹›, V2", "expected the name of a version"),
      ("stage lightweight V1, ‹V9›", "there is no version V9 (134504)"),
      ("stage lightweight V1, V2\nstage lightweight ‹V2›, V1", "V2 is in two stages"),
      ("stage lightweight V1\nstage lightweight ‹V1›", "V1 is in two stages"),
      ("stage custom V1 -> V2\nstage lightweight V2, ‹V1›", "V1 is in two stages"),
      ("stage lightweight V1, ‹V1›", "V1 is in two stages"),
      ("stage custom V1 -> V2\n  ‹then:› run x", "expected will: or did:"),
      ("stage custom V1 -> V2\n  did: ‹dance›", "expected a step"),
      ("stage custom V1 -> V2\n  did: policy P‹›", "expected \"on\""),
      ("stage custom V1 -> V2\n  did: ‹E:›", "expected a step"),
      ("stage custom V1 -> V2\n  did: E: ‹dance›", "expected a statement"),
      ("stage custom V1 -> V2\n  did: E: set a = (‹›", "expected an expression"),
      ("stage custom V1 -> V2\n  did: E: set a = 1 when (‹›", "expected an expression"),
      (
        "stage custom V1 -> V2\n  did: E: ‹one destination for each a›",
        "this creates new objects from old ones; a stage only changes existing objects"
      ),
      (
        "stage custom V1 -> V2\n  will: E: set a = 1 when\n        b =‹›",
        "expected an expression"
      ),
      (
        "stage custom V1 -> V2\n  did: policy ‹Missing› on E",
        "no file defines the policy Missing"
      ),
      ("stage custom V1 -> V2\n  will: ‹F›: set a = 1", "V1 has no entity F"),
      ("stage custom V1 -> V2\n  will: E: set ‹c› = 'x'", "E of V1 has no stored attribute c"),
      (
        "stage custom V1 -> V2\n  will: E: set a = 'x'\n        when ‹c› == 1",
        "E of V1 has no property c"
      ),
      ("stage custom V1 -> V2\n  did: E: set b = 'x' when ‹d› == 1", "E of V2 has no property d"),
      (
        "stage custom V1 -> V2\n  will: E: set ‹r› = find E where a == 1",
        "E of V1 has no relationship r"
      ),
    ])
  func stages(marked: String, message: String) throws {
    try expect(message, in: marked, id: "stages.syntax") { _ = try StagedTests.planner($0) }
  }

  @Test("a file without stages and files that are too large are rejected")
  func wholeFiles() throws {
    let empty = try #require(throws: LineError.self) { try StageScript(parsing: "# nothing") }
    #expect(empty.diagnostic.what == "the file has no stages")
    let large = String(repeating: " ", count: 1_000_001)
    let error = try #require(throws: LineError.self) {
      try PolicyScript.policies(parsing: large)
    }
    #expect(error.diagnostic.what == "the text is longer than 1000000 bytes")
    #expect(error.diagnostic.location?.description == "line 1:1")
    #expect(throws: LineError.self) { try StageScript(parsing: large) }
    #expect(throws: LineError.self) {
      try MappingScript(parsing: String(repeating: " ", count: (4 << 20) + 1))
    }
  }

  /// - Parameter marked: The text, with `‹` and `›` around what the caret marks.
  private func expect(
    _ message: String, in marked: String, id: String, _ read: (String) throws -> Void
  ) throws {
    let text = marked.filter { $0 != "‹" && $0 != "›" }
    let error = try #require(throws: LineError.self) { try read(text) }.diagnostic
      .located(in: "file")
    let pieces = marked.split(separator: "‹", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = pieces[0].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let column = 1 + (lines.last?.unicodeScalars.count ?? 0)
    #expect(error.location?.description == "file:\(lines.count):\(column)")
    #expect(error.what == message)
    #expect(error.id.hasPrefix(id))
    let excerpt = try #require(error.excerpt)
    let bytes = Array(excerpt.text.utf8)
    let caret = String(decoding: bytes[excerpt.range], as: UTF8.self)
    #expect(
      "\(caret)›"
        == pieces[1].prefix(through: pieces[1].firstIndex(of: "›") ?? pieces[1].startIndex))
    let before = String(decoding: bytes[..<excerpt.range.lowerBound], as: UTF8.self)
    #expect(lines.last?.drop { $0 == " " || $0 == "\t" } ?? "" == before)
  }
}
