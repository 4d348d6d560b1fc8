import StrataExpressions
import Testing

/// Keys in texts that are replaced without changing anything else.
@Suite("Keys in texts")
struct ReplacedKeysTests {
  @Test(
    "keys are replaced, and not what looks like them",
    arguments: [
      ("a == 'a' AND b.a == \"a\"", "X == 'a' AND b.a == \"a\""),
      ("a.b > 1 OR ANY a.c == a", "a.b > 1 OR ANY a.c == X"),
      ("lowercase:(a) == $a AND #a != nil", "lowercase:(X) == $a AND #X != nil"),
      ("SELF.a IN {a, 2}", "SELF.X IN {X, 2}"), ("a() == aa + a", "a() == aa + X"),
      ("SUBQUERY(a, $a, $a.a == 1).@count > 0", "SUBQUERY(X, $a, $a.a == 1).@count > 0"),
    ])
  func replaced(text: String, expected: String) throws {
    let found = try #require(ExpressionText(text))
    #expect(found.replacing("a") { _ in "X" } == expected)
    #expect(found.renaming { $0 == ["a"] ? ["X"] : $0 } == expected)
  }

  @Test("whether a key is behind IN is told by the operator, not by a name")
  func behindIn() throws {
    for (text, expected) in [
      ("SELF IN _", true), ("SELF in (_)", true), ("login=_", false), ("x IN y AND z == _", false),
    ] {
      #expect(try #require(ExpressionText(text)).occurrences(of: "_") == [expected], "\(text)")
    }
    #expect(ExpressionText("a == 'open") == nil)
  }
}
