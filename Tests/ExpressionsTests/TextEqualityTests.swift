import Foundation
import StrataBase
import StrataExpressions
import TestSupport
import Testing

// Foundation has types of these names too.
private typealias Expression = StrataExpressions.Expression
private typealias Predicate = StrataExpressions.Predicate

/// Precomposed and decomposed letters in every operator: SQLite and Python, which compare code points, say
/// what is right.
@Suite("Equality of texts in expressions")
struct TextEqualityTests {
  private static let texts = [
    "e", "\u{E9}", "e\u{301}", "\u{301}", "caf\u{E9}s", "cafe\u{301}s", "cafes", "\u{C5}",
    "A\u{30A}", "\u{212B}", "E\u{301}", "\u{C9}", "f\u{E9}", "fe\u{301}", "\u{AC00}",
    "\u{1100}\u{1161}", "x",
  ]

  /// Operators between two texts `$a` and `$b`, each with its meaning in Python or SQLite.
  private static let cases: [(predicate: String, python: String)] = [
    ("$a == $b", "sql('? = ?', a, b)"),
    ("$a != $b", "sql('? <> ?', a, b)"),
    ("$a < $b", "sql('? < ?', a, b)"),
    ("$a <= $b", "sql('? <= ?', a, b)"),
    ("$a > $b", "sql('? > ?', a, b)"),
    ("$a >= $b", "sql('? >= ?', a, b)"),
    ("$a BETWEEN {$b, $b}", "sql('? BETWEEN ?2 AND ?2', a, b)"),
    ("$a BETWEEN {'e', $b}", "sql(\"? BETWEEN 'e' AND ?\", a, b)"),
    ("$a IN {'x', $b}", "sql(\"? IN ('x', ?)\", a, b)"),
    ("{'x', $b} CONTAINS $a", "sql(\"? IN ('x', ?)\", a, b)"),
    ("$a IN $b", "sql('instr(?2, ?1) > 0', a, b)"),
    ("$a CONTAINS $b", "sql('instr(?, ?) > 0', a, b)"),
    ("$a BEGINSWITH $b", "sql('substr(?1, 1, length(?2)) = ?2', a, b)"),
    ("$a ENDSWITH $b", "sql('substr(?1, -length(?2)) = ?2', a, b)"),
    ("$a LIKE $b", "sql('? GLOB ?', a, b)"),
    ("$a LIKE $wide", "sql(\"? GLOB '*' || ? || '*'\", a, b)"),
    ("$a LIKE $longer", "sql(\"?1 GLOB ?2 || '?'\", a, b)"),
    ("$a MATCHES $b", "re.fullmatch(b, a) is not None"),
    ("$a MATCHES $oneMore", "re.fullmatch(b + '.', a) is not None"),
    ("ANY $list == $b", "b in [a, 'x']"),
    ("ALL $list == $b", "all(one == b for one in [a, 'x'])"),
    ("NONE $list == $b", "b not in [a, 'x']"),
    ("ANY $list IN {$b}", "b in [a, 'x']"),
    ("{$a, 'x'} == {$b, 'x'}", "[a, 'x'] == [b, 'x']"),
    ("TERNARY($a == $b, 1, 0) == 1", "a == b"),
    ("SUBQUERY($list, $t, $t == $b).@count == 1", "[a, 'x'].count(b) == 1"),
    ("({$a, $b} UNION {'x'}).@count == 2", "len({a, b, 'x'}) == 2"),
    ("({$a} INTERSECT {$b}).@count == 1", "len({a} & {b}) == 1"),
    ("({$a} MINUS {$b}).@count == 1", "len({a} - {b}) == 1"),
    (
      "({$a, $b} UNION {}).@count == 1",
      "sql('(SELECT count(DISTINCT x) FROM "
        + "(SELECT ? AS x UNION ALL SELECT ?)) = 1', a, b)"
    ),
    ("count:($pair.@distinctUnionOfObjects.self) == 1", "len({a, b}) == 1"),
    ("count:($nested.@distinctUnionOfArrays.self) == 1", "len({a, b}) == 1"),
    ("$pair.@min.self == $b", "sql('min(?1, ?2) = ?2', a, b)"),
    ("$pair.@max.self == $b", "sql('max(?1, ?2) = ?2', a, b)"),
    ("min:($a, $b) == $b", "sql('min(?1, ?2) = ?2', a, b)"),
  ]

  private static func context(_ a: String, _ b: String) -> EvaluationContext {
    func list(_ texts: [String]) -> ExpressionValue {
      .collection(texts.map { .value(.text($0)) }, isOrdered: true)
    }
    return EvaluationContext(variables: [
      "a": .value(.text(a)), "b": .value(.text(b)), "list": list([a, "x"]), "pair": list([a, b]),
      "nested": .collection([list([a]), list([b, b])], isOrdered: true),
      "wide": .value(.text("*\(b)*")), "longer": .value(.text(b + "?")),
      "oneMore": .value(.text(b + ".")),
    ])
  }

  /// What a Python expression says of every pair of texts.
  private static func answers(_ expression: String) throws -> [Bool] {
    let input = try #require(String(data: try JSONEncoder().encode(texts), encoding: .utf8))
    return try Python.run(
      """
      import json, re, sqlite3, sys, unicodedata
      texts = json.load(sys.stdin)
      connection = sqlite3.connect(":memory:")
      def sql(condition, a, b):
          return connection.execute("SELECT " + condition, (a, b)).fetchone()[0]
      def plain(text):
          letters = unicodedata.normalize("NFD", text)
          return "".join(one for one in letters if not unicodedata.combining(one))
      def folded(text):
          return unicodedata.normalize("NFC", text.lower())
      for a in texts:
          for b in texts:
              print(int(bool(\(expression))))
      """, input: input
    ).split(separator: "\n").map { $0 == "1" }
  }

  private static func check(_ text: String, _ python: String) throws {
    let expected = try answers(python)
    #expect(expected.count == texts.count * texts.count)
    // Both must occur, or nothing is shown.
    #expect(Set(expected).count == 2, "\(text)")
    let predicate = try Predicate(parsing: text)
    for (place, isTrue) in expected.enumerated() {
      let (a, b) = (texts[place / texts.count], texts[place % texts.count])
      #expect(
        try context(a, b).holds(predicate) == isTrue,
        "\(text): \(Array(a.unicodeScalars)) \(Array(b.unicodeScalars))")
    }
  }

  @Test("every operator compares code points", arguments: cases.indices)
  func operators(place: Int) throws {
    let (predicate, python) = Self.cases[place]
    try Self.check(predicate, python)
  }

  @Test(
    "[c] is case-insensitive for composed and decomposed letters",
    arguments: [
      ("$a ==[c] $b", "folded(a) == folded(b)"), ("$a !=[c] $b", "folded(a) != folded(b)"),
      ("$a CONTAINS[c] $b", "folded(b) in folded(a)"), ("$a LIKE[c] $b", "folded(a) == folded(b)"),
    ])
  func upperAndLower(predicate: String, python: String) throws { try Self.check(predicate, python) }

  @Test(
    "[d] is diacritic-insensitive for composed and decomposed letters",
    arguments: [
      ("$a ==[d] $b", "plain(a) == plain(b)"), ("$a !=[d] $b", "plain(a) != plain(b)"),
      ("$a ==[cd] $b", "plain(a).lower() == plain(b).lower()"),
      ("$a IN[d] {'?', $b}", "plain(a) == plain(b)"),
      ("$a LIKE[d] $b", "plain(a) == plain(b)"), ("$a MATCHES[d] $b", "plain(a) == plain(b)"),
    ])
  func diacritics(predicate: String, python: String) throws {
    // A mark alone has no letter.
    try Self.check(
      "$a != '\u{301}' AND $b != '\u{301}' AND \(predicate)",
      "a != '\\u0301' and b != '\\u0301' and \(python)")
  }

  @Test("a context distinguishes composed and decomposed patterns")
  func patterns() throws {
    var context = EvaluationContext()
    let predicate = try Predicate(parsing: "$a MATCHES $b")
    for a in Self.texts {
      for b in Self.texts {
        context.variables = ["a": .value(.text(a)), "b": .value(.text(b))]
        let isSame = Array(a.unicodeScalars) == Array(b.unicodeScalars)
        #expect(try context.holds(predicate) == isSame)
      }
    }
  }

  @Test("constants of expressions are compared by code points")
  func constants() throws {
    let first = try Expression(parsing: "name + '\u{E9}'")
    #expect(first != (try Expression(parsing: "name + 'e\u{301}'")))
    #expect(first == (try Expression(parsing: "name + '\u{E9}'")))
  }
}

/// CONTAINS against a search at every place.
@Suite("Search in texts")
struct TextSearchTests {
  @Test("every substring of up to four letters is found in every text of up to seven")
  func exhaustive() throws {
    func strings(_ length: Int) -> [String] {
      length == 0 ? [""] : strings(length - 1).flatMap { [$0 + "a", $0 + "b"] }
    }
    let texts = (0...7).flatMap(strings)
    for part in (1...4).flatMap(strings) {
      let predicate = try Predicate(parsing: "$text CONTAINS '\(part)'")
      for text in texts {
        let context = EvaluationContext(variables: ["text": .value(.text(text))])
        let bytes = Array(text.utf8)
        let expected = bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
        #expect(try context.holds(predicate) == expected, "\(part) in \(text)")
      }
    }
  }
}
