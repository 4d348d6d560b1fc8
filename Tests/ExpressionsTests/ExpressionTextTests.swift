import StrataBase
import StrataExpressions
import TestSupport
import Testing

@Suite("The text of expressions and predicates")
struct ExpressionTextTests {
  @Test("printed text is parsed to the same tree")
  func roundTrip() throws {
    var random = RandomExpressions(generator: SeededRandom(seed: 4))
    for _ in 0..<4000 {
      let predicate = random.predicate(depth: 5)
      #expect(try Predicate(parsing: predicate.text) == predicate, "\(predicate.text)")
      let expression = random.expression(depth: 5)
      #expect(try Expression(parsing: expression.text) == expression, "\(expression.text)")
    }
  }

  @Test(
    "predicates are printed in canonical form",
    arguments: [
      ("booleanAttribute = YES", "booleanAttribute == 1"),
      ("humanName == $humanName", "humanName == $humanName"),
      ("a=1 and b<>2 || !(c => 3)", "a == 1 AND b != 2 OR NOT c >= 3"),
      ("(a=1 AND (b=2 OR c=3))", "a == 1 AND (b == 2 OR c == 3)"),
      ("(a + b)*2 > -3", "(a + b) * 2 > -3"),
      ("a - (b - c) = 2 ** 3 ** 2", "a - (b - c) == 2 ** 3 ** 2"),
      ("none tags.name like[c] 'x*'", #"NOT ANY tags.name LIKE[c] "x*""#),
      ("SOME a.b in {1, 2,'3'}", #"ANY a.b IN {1, 2, "3"}"#),
      (
        "(flags & 4) != 0 || a|b^c&d<<1 = ~1",
        "flags & 4 != 0 OR a | b ^ c & d << 1 == onesComplement:(1)"
      ),
      ("x between {1, 5}", "x BETWEEN {1, 5}"), ("#any.#in = nil", "#any.#in == nil"),
      ("topics.@count > 0x1F", "topics.@count > 31"),
      ("SUBQUERY(topics, $t, $t.a = 1).@count = 0", "SUBQUERY(topics, $t, $t.a == 1).@count == 0"),
      (
        "TERNARY(a = 1, 'x', \"y\") = array[first]", #"TERNARY(a == 1, "x", "y") == (array)[FIRST]"#
      ),
      ("title MATCHES '[a-hA-H].*'", #"title MATCHES "[a-hA-H].*""#),
      ("truepredicate", "TRUEPREDICATE"),
      ("now() > CAST('2024-01-31', 'NSDate')", #"now() > CAST("2024-01-31", "NSDate")"#),
    ])
  func canonical(text: String, canonical: String) throws {
    #expect(try Predicate(parsing: text).text == canonical)
  }

  @Test(
    "expressions of mapping models are printed as they are written",
    arguments: [
      "$source.content.length * 0.2", "$source.timeBudget * 60",
      "$source.countries.@distinctUnionOfSets.moods",
      #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "TopicToTopic", $source.topics)"#,
      #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Car", "TRUEPREDICATE"), $manager.sourceContext, NO)"#,
      #"FUNCTION($entityPolicy, "method:manager:", $source.x, $manager)"#,
    ])
  func mappingExpressions(text: String) throws {
    #expect(try Expression(parsing: text).text == text)
  }

  @Test(
    "errors have a range",
    arguments: [
      ("title ==", 8..<8, "syntax"), ("== 3", 0..<2, "syntax"),
      ("title == 'a", 9..<10, "unclosedQuote"),
      ("title", 5..<5, "syntax"), ("a = 1 b", 6..<7, "syntax"), ("(a = 1", 6..<6, "syntax"),
      ("a = 1 AND b + 2", 15..<15, "syntax"), ("a = %@", 4..<6, "placeholder"),
      ("a = ?", 4..<5, "syntax"), ("a = 1e999", 4..<9, "numberTooLarge"),
      ("a.$x = 1", 2..<4, "syntax"),
      ("a =[x] 1", 4..<5, "syntax"), ("NOT a", 5..<5, "syntax"),
      ("FUNCTION(a, b)", 12..<13, "syntax"), ("#in() < 1", 3..<4, "syntax"),
    ])
  func errors(text: String, range: Range<Int>, id: String) throws {
    let error = #expect(throws: ExpressionError.self) { try Predicate(parsing: text) }
    #expect(error?.range == range, "\(text): \(String(describing: error))")
    #expect(error?.diagnostic.id == "expression." + id, "\(text)")
  }

  @Test("an error of resolution has the range of its word")
  func placing() {
    let text = "title = 1 AND contnet = 2"
    let error = ExpressionError(.unknownKey("contnet", of: "Topic", near: "content")).located(
      in: text)
    #expect(error.range == 14..<21)
    #expect(error.diagnostic.fix == "did you mean content?")
    let symbol = ExpressionError(.wrongOperand(operator: "LIKE", wanted: "text", found: "a number"))
    #expect(symbol.located(in: "a like 1").range == 2..<6)
  }

  @Test(
    "excessive nesting is refused",
    arguments: [
      String(repeating: "(", count: 10_000), String(repeating: "NOT ", count: 10_000),
      String(repeating: "-", count: 10_000), String(repeating: "{", count: 10_000),
      String(repeating: "1+", count: 10_000) + "1 = 2", String(repeating: "f(", count: 10_000),
      "a" + String(repeating: "[0]", count: 10_000) + " = 1",
      String(repeating: "(", count: 10_000) + "a = 1" + String(repeating: ")", count: 10_000),
      String(repeating: "2 ** ", count: 10_000) + "1 = 2",
    ])
  func depth(text: String) {
    let error = #expect(throws: ExpressionError.self) { try Predicate(parsing: text) }
    #expect(error?.diagnostic.id == "expression.tooDeep")
  }

  @Test("an expression at the nesting limit can be printed and parsed again", .part(3))
  func depthOfPrintedText() throws {
    for (open, close) in [
      ("-", ""), ("~", ""), ("(", ")"), ("NOT ", ""), ("f:(", ")"), ("1 - (", ")"),
    ] {
      var deepest = 0
      for count in 1...250 {
        let body = String(repeating: open, count: count) + "n"
        let text =
          open == "NOT " ? body + " = 1" : "t = " + body + String(repeating: close, count: count)
        guard let predicate = try? Predicate(parsing: text) else { continue }
        deepest = count
        #expect((try? Predicate(parsing: predicate.text)) == predicate, "\(count) times \(open)")
      }
      #expect((20..<250).contains(deepest), "\(open): \(deepest)")
    }
  }

  @Test("a long flat predicate is parsed; one over the length limit is refused")
  func length() throws {
    let flat = (0..<3000).map { "a = \($0)" }.joined(separator: " OR ")
    guard case .or(let parts) = try Predicate(parsing: flat) else {
      Issue.record("no OR")
      return
    }
    #expect(parts.count == 3000)
    #expect(throws: ExpressionError(.tooLong(limit: 65536))) {
      try Predicate(parsing: String(repeating: " ", count: 70_000) + "a = 1")
    }
  }

  @Test("random texts never make the parser trap")
  func anyText() {
    var generator = SeededRandom(seed: 9)
    let pieces = [
      "a", "1", "'x'", "(", ")", "#in", "{", "}", "[", "]", ",", ".", "AND", "NOT", "ANY", "==",
      "+", "-",
      "SUBQUERY(", "$x", "@count", "#", "f:(", ":", "%", "\\", "\"", "é", "BETWEEN", "0x", "1e",
      "*",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...12, using: &generator))
        .map { _ in pieces.randomElement(using: &generator)! + " " }.joined()
      if let predicate = try? Predicate(parsing: text) {
        #expect(try! Predicate(parsing: predicate.text) == predicate, "\(text)")
      }
    }
  }

  @Test(
    "a form that does not fit because a quote is open is told so at the quote",
    arguments: [
      ("split $source.name at ' into first, last", 23), ("split $source.name at \" into a", 23),
      ("split 'a' at 'b' into", nil), ("split 'it's at ' into a, b", 16), ("split a b", nil),
    ] as [(String, Int?)])
  func openQuote(text: String, column: Int?) throws {
    for language in [LineLanguage.policy, .mapping, .stages] {
      let line = try #require(try language.lines(of: text).first)
      do throws(LineError) {
        _ = try line.match("split EXPRESSION at TEXT into NAMES")
        Issue.record("\(text) fits")
      } catch {
        let problem = error.diagnostic
        #expect((problem.what == "missing closing quote") == (column != nil), "\(problem)")
        #expect(column == nil || problem.location?.column == column, "\(problem)")
      }
    }
  }
}
