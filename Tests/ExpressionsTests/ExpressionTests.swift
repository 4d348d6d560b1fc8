import StrataBase
import StrataExpressions
import Testing

@Suite("Expressions")
struct ExpressionTests {
  @Test(
    "a derivation is hashed by its canonical text",
    arguments: [
      ("chat.serverId", "chat.serverId", true), ("pages.@count", "count:(pages)", true),
      ("lines.@sum.amount", "sum:(lines.amount)", false), ("now:()", "now:()", false),
      ("canonical:(title)", "canonical:(title)", false),
      (#"first ++ " " ++ last"#, #"first ++ " " ++ last"#, false),
    ])
  func derivations(text: String, canonical: String, isProven: Bool) {
    let derivation = DerivationExpression(parsing: text)
    #expect(derivation.canonicalText == canonical)
    #expect(derivation.isProven == isProven)
    #expect(DerivationExpression(parsing: canonical).canonicalText == canonical)
  }

  @Test("expressions of mapping models are printed with operators")
  func text() {
    let source = Expression.keyPath(of: .variable("source"), ["topicList", "title"])
    #expect(source.text == "$source.topicList.title")
    let call = Expression.function(
      "destinationInstancesForEntityMappingNamed:sourceInstances:", on: .variable("manager"),
      arguments: [.constant(.text("IEM_Copy_Topic")), source])
    #expect(
      call.text
        == #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "IEM_Copy_Topic", $source.topicList.title)"#
    )
    #expect(Expression.constant(.null).text == "nil")
  }
}
