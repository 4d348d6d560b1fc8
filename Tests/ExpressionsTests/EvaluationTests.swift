import StrataBase
import StrataExpressions
import TestSupport
import Testing

/// An object made of values, as a test writes them.
struct StubObject: EvaluatedObject {
  var key: Int64
  var values: [String: ExpressionValue]

  var identity: ObjectIdentity { ObjectIdentity(rootEntity: "Made", key: key) }

  func value(forKey key: String) throws -> ExpressionValue {
    guard let value = values[key] else {
      throw ExpressionError(.unknownKey(key, of: "Made", near: nil))
    }
    return value
  }
}

@Suite("Evaluating expressions and predicates")
struct EvaluationTests {
  private static func topic(_ key: Int64, _ title: String?, _ budget: Int64?) -> ExpressionValue {
    .object(
      StubObject(
        key: key,
        values: [
          "title": title.map { .value(.text($0)) } ?? .null,
          "budget": budget.map { .value(.integer($0)) } ?? .null,
          "tags": .collection(
            [.value(.text("a")), .value(.text("b\(key)"))], isOrdered: false),
        ]))
  }

  private static var list: StubObject {
    StubObject(key: 1, values: listValues)
  }

  private static var listValues: [String: ExpressionValue] {
    [
      "title": .value(.text("Größe")), "nothing": .null, "five": .value(.integer(5)),
      "half": .value(.real(0.5)), "bytes": .value(.bytes([1, 2, 3])),
      "topics": .collection(
        [topic(1, "b", 4), topic(2, "a", nil), topic(3, nil, 8), topic(4, "b", 4)],
        isOrdered: false),
      "steps": .collection([topic(3, nil, 8), topic(1, "b", 4)], isOrdered: true),
      "empty": .collection([], isOrdered: false), "parent": topic(9, "up", 1),
    ]
  }

  private let context = EvaluationContext(
    object: Self.list, variables: ["x": .value(.integer(3)), "me": .object(Self.list)], now: 1000)

  @Test(
    "predicates that are true",
    arguments: [
      "five = 5", "five = 5.0", "five > 4 AND five < 6", "five BETWEEN {5, 5}",
      "NOT five BETWEEN {6, 9}",
      "nothing = nil", "nothing != 5", "NOT nothing < 5", "NOT nothing >= 5",
      "NOT nothing BETWEEN {1, 2}",
      "9007199254740993 != 9007199254740992.0", "9007199254740993 > 9007199254740992.0",
      "9223372036854775807 < 9223372036854775808.0", "-1 > -1.5", "5 >= 5.0", "NOT 5 < 4.5",
      "title == 'Größe'", "title != 'größe'", "title ==[c] 'GRÖßE'",
      "title ==[cd] 'grosse' OR title ==[cd] 'große'",
      "title BEGINSWITH 'Gr'", "title ENDSWITH[c] 'ẞE' OR title ENDSWITH 'ße'",
      "title CONTAINS 'öß'",
      "'r' IN title", "title LIKE 'G*e'", "title LIKE 'Gr??e'", "NOT title LIKE 'G?e'",
      "title LIKE[c] 'g*E'",
      "title MATCHES 'G.*'", "NOT title MATCHES 'r'", "title MATCHES[c] 'g.*'",
      "NOT nothing LIKE '*'", "NOT title LIKE nothing", "NOT title BEGINSWITH[c] nothing",
      "NOT title MATCHES nothing", "five\t=\u{0B}\r\n5", "NOT empty = topics", "NOT topics = empty",
      "topics != empty AND empty = empty", "SUBQUERY(nothing, $t, TRUEPREDICATE).@count = 0",
      "five IN {1, 5}", "NOT five IN {}", "NOT nothing IN {1}", "five IN {nil, 5}",
      "ANY topics.budget = 8", "ALL empty.budget = 8", "NOT ANY empty.budget = 8",
      "NONE topics.budget = 9",
      "ANY topics.title = 'a'", "ANY topics.tags = 'b3'", "topics.title CONTAINS 'b'",
      "topics.@count = 4",
      "empty.@count = 0", "parent.title = 'up'", "nothing.title.length = nil", "SELF = $me",
      "parent != $me",
      "SUBQUERY(topics, $t, $t.budget = 4 AND $t.title = 'b').@count = 2",
      "SUBQUERY(topics, $t, $t.budget > $x).@count = 3",
      "TERNARY(five = 5, 'yes', 'no') = 'yes'", "TRUEPREDICATE", "NOT FALSEPREDICATE",
    ])
  func truths(text: String) throws {
    let predicate = try Predicate(parsing: text)
    #expect(try context.holds(predicate))
    #expect(try !context.holds(.not(predicate)))
  }

  @Test(
    "values",
    arguments: [
      ("title.length", .integer(5)), ("'🎈'.length", .integer(2)), ("bytes.length", .integer(3)),
      ("title.length * 0.2", .real(1)), ("7 / 2", .integer(3)), ("-7 / 2", .integer(-3)),
      ("7 / 2.0", .real(3.5)), ("five / 0", .null), ("modulus:by:(7, 0)", .null),
      ("modulus:by:(7, 4)", .integer(3)),
      ("2 ** 10", .integer(1024)), ("6 & 3 | 8", .integer(10)), ("1 << 4", .integer(16)),
      ("~0", .integer(-1)), ("2 ** 3 ** 2", .integer(512)), ("2 ** -1", .real(0.5)),
      ("nothing + 1", .null), ("9223372036854775807 + 1.0", .real(9_223_372_036_854_775_808)),
      ("topics.@sum.budget", .integer(16)), ("topics.@avg.budget", .real(4)),
      ("topics.@min.budget", .integer(4)), ("topics.@max.title", .text("b")),
      ("empty.@sum.budget", .integer(0)), ("empty.@avg.budget", .integer(0)),
      ("empty.@max.budget", .null),
      ("count:(topics.@distinctUnionOfObjects.title)", .integer(2)),
      ("count:(topics.@unionOfObjects.title)", .integer(3)),
      ("count:(topics.@distinctUnionOfSets.tags)", .integer(5)),
      ("topics.title.@count", .integer(2)), ("steps.title.@count", .integer(2)),
      ("steps[0].budget", .integer(8)), ("steps[LAST].budget", .integer(4)),
      ("steps[SIZE]", .integer(2)),
      ("steps[9]", .null), ("count:(topics)", .integer(4)), ("sum:(1, 2, 3.5)", .real(6.5)),
      ("average:({1, 2})", .real(1.5)), ("median:({5, 1, 3})", .real(3)),
      ("max:({1, 2})", .integer(2)),
      ("stddev:({2, 4, 4, 4, 5, 5, 7, 9})", .real(2)), ("abs:(-3)", .integer(3)),
      ("floor:(-0.5)", .integer(-1)),
      ("uppercase:('aé')", .text("AÉ")), ("canonical:('ÀB')", .text("ab")), ("now()", .real(1000)),
      ("now:()", .real(1000)),
      ("({1, 2} UNION {2, 3}).@count", .integer(3)), ("({1, 2} MINUS {2}).@count", .integer(1)),
      ("CAST('2001-01-02', 'NSDate')", .real(86400)),
      ("CAST('2001-01-01T00:00:01.5Z', 'NSDate')", .real(1.5)),
      ("CAST('AQID', 'NSData')", .bytes([1, 2, 3])), ("CAST('12', 'NSNumber')", .integer(12)),
      ("CAST(5, 'NSString')", .text("5")),
      ("FUNCTION(SELF, 'valueForKeyPath:', 'parent.title')", .text("up")),
      ("FUNCTION('a', 'uppercaseString')", .text("A")),
      ("FUNCTION('a', 'stringByAppendingString:', 'b')", .text("ab")),
      ("'12-5'.integerValue", .integer(12)), ("'-7+8'.doubleValue", .real(-7)),
      ("'--5'.integerValue", .integer(0)), ("'12abc'.integerValue", .integer(12)),
      ("'x'.doubleValue", .real(0)),
      ("five.stringValue", .text("5")),
    ] as [(String, AttributeValue)])
  func values(text: String, expected: AttributeValue) throws {
    guard case .value(let value) = try context.value(of: Expression(parsing: text)) else {
      Issue.record("\(text) is no plain value")
      return
    }
    #expect(value == expected)
  }

  @Test(
    "evaluation errors state their reason",
    arguments: [
      ("nosuch = 1", "unknownKey"), ("five.nosuch = 1", "keyOfValue"),
      ("$y = 1", "unknownVariable"),
      ("nosuch:(1) = 1", "unknownFunction"), ("sqrt:(1, 2) = 1", "wrongArgumentCount"),
      ("title + 1 = 2", "wrongOperand"), ("five LIKE 'x'", "wrongOperand"),
      ("five CONTAINS 1", "wrongOperand"),
      ("five BETWEEN 1", "wrongOperand"), ("title LIKE 5", "wrongOperand"),
      ("SUBQUERY(five, $t, TRUEPREDICATE).@count = 0", "wrongOperand"),
      ("title MATCHES '('", "badPattern"),
      ("title MATCHES 'a)|(b'", "badPattern"),
      ("topics.@sum.tags = 0", "wrongOperand"), ("topics.@max.tags = nil", "wrongOperand"),
      ("max:(topics.tags) = nil", "wrongOperand"), ("average:(topics.tags) = 0", "wrongOperand"),
      ("five.@count = 1", "wrongOperand"), ("topics.@nosuch.x = 1", "unknownFunction"),
      ("none = 1", "reservedWord"),
      ("FUNCTION(title, 'performSelector:', 'x') = 1", "unknownFunction"),
      ("FETCH(1, 2, NO) = 1", "notPossible"),
      ("CAST('x', 'NSNumber') = 1", "notANumber"), ("CAST('x', 'NSDate') = 1", "badText"),
      ("CAST('x!', 'NSData') = nil", "badText"), ("CAST('x', 'NSUUID') = nil", "badText"),
      ("uppercase:(5) = 1", "wrongOperand"), ("9223372036854775807 + 1 = 1", "integerOverflow"),
    ])
  func errors(text: String, id: String) throws {
    let error = #expect(throws: ExpressionError.self) {
      try context.holds(Predicate(parsing: text))
    }
    #expect(error?.diagnostic.id == "expression." + id)
  }

  @Test("a regular expression with excessive backtracking is stopped")
  func catastrophe() throws {
    let text = String(repeating: "a", count: 64) + "b"
    var context = context
    context.variables["text"] = .value(.text(text))
    let predicate = try Predicate(parsing: "$text MATCHES '(a+)+'")
    let start = ContinuousClock.now
    #expect(throws: ExpressionError(.patternTooSlow("(a+)+"))) { try context.holds(predicate) }
    #expect(ContinuousClock.now - start < .seconds(20))
    // LIKE cannot be made to.
    let like = Predicate.comparison(
      Comparison(
        .constant(.text(String(repeating: "a", count: 3000))), .like,
        .constant(.text(String(repeating: "a*", count: 1000) + "b"))))
    #expect(try !context.holds(like))
  }

  @Test("a written date is read back as the same date")
  func dates() throws {
    #expect(TextualValue.text(ofDate: 0) == "2001-01-01T00:00:00Z")
    #expect(TextualValue.text(ofDate: -0.25) == "2000-12-31T23:59:59.75Z")
    // Nearer to the next second than nine digits show.
    #expect(TextualValue.text(ofDate: 0.999_999_999_999_9) == "2001-01-01T00:00:01Z")
    #expect(TextualValue.text(ofDate: 0.123_456_789_123) == "2001-01-01T00:00:00.123456789Z")
    #expect(TextualValue.text(ofDate: -1e-13) == "2001-01-01T00:00:00Z")
    #expect(TextualValue.date("2001-01-02") == 86400)
    #expect(TextualValue.date("2001-01-01T01:00:00+01:00") == 0)
    #expect(TextualValue.date("2001-01-01T00:00:00.5-0130") == 5400.5)
    let time = "2001-01-01T00:00:00"
    let ends = ["Z+02:00", "Zjunk", " Z", "Z, 2025-01-01T00:00:00Z", "+02:00junk", ".0Zjunk", ".Z"]
    for text in ["", "yesterday", "2001-13-01", "."] + ends.map({ time + $0 }) {
      #expect(TextualValue.date(text) == nil, "\(text)")
    }
    #expect(TextualValue.text(ofDate: .infinity) == nil && TextualValue.text(ofDate: 1e300) == nil)
    var generator = SeededRandom(seed: 5)
    for _ in 0..<2000 {
      let seconds = Double.random(in: -1e9...2e9, using: &generator)
      let text = try #require(TextualValue.text(ofDate: seconds))
      #expect(TextualValue.date(text) == seconds, "\(text)")
    }
  }

  @Test("LIKE gives the results of a simple reference matcher")
  func likeAgainstReference() throws {
    func reference(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      let rest = pattern.dropFirst()
      switch first {
      case "*": return (0...text.count).contains { reference(text.dropFirst($0), rest) }
      case "?": return !text.isEmpty && reference(text.dropFirst(), rest)
      default: return text.first == first && reference(text.dropFirst(), rest)
      }
    }
    var generator = SeededRandom(seed: 3)
    func word(_ letters: [Character]) -> [Character] {
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        letters.randomElement(using: &generator)!
      }
    }
    for _ in 0..<5000 {
      let (text, pattern) = (word(["a", "b"]), word(["a", "b", "*", "?"]))
      let comparison = Predicate.comparison(
        Comparison(
          .constant(.text(String(text))), .like, .constant(.text(String(pattern)))))
      #expect(
        try EvaluationContext().holds(comparison) == reference(text[...], pattern[...]),
        "\(String(text)) LIKE \(String(pattern))")
    }
  }
}
