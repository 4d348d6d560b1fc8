import StrataBase
import StrataExpressions
import StrataObjectModel
import Testing

@Suite("Choice of decimal or binary arithmetic")
struct ArithmeticChoiceTests {
  private static let model = """
    <entity name="Thing"><attribute name="price" optional="YES" attributeType="Decimal"/></entity>
    <entity name="Item" parentEntity="Thing">
      <attribute name="amount" optional="YES" attributeType="Integer 32"/>
      <attribute name="weight" optional="YES" attributeType="Double"/>
      <attribute name="size" optional="YES" attributeType="Composite" composite="Size"/>
      <relationship name="order" optional="YES" maxCount="1" destinationEntity="Order" inverseName="items" inverseEntity="Order"/>
    </entity>
    <entity name="Order">
      <attribute name="number" optional="YES" attributeType="Integer 32"/>
      <attribute name="discount" optional="YES" attributeType="Decimal"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="order" inverseEntity="Item"/>
    </entity>
    <composite name="Size">
      <attribute name="width" optional="YES" attributeType="Decimal"/>
      <attribute name="height" optional="YES" attributeType="Double"/>
    </composite>
    """

  private static func choice() throws -> ArithmeticChoice {
    let model = try ModelErrorTests.model(model)
    return ArithmeticChoice(
      object: .init(model: model, entity: "Order"),
      variables: ["source": .init(model: model, entity: "Item")])
  }

  @Test(
    "an expression with arithmetic that reads a Decimal attribute uses decimal arithmetic",
    arguments: [
      "$source.price * 2", "2 - $source.price", "$source.amount + (1 / $source.price)",
      "$source.order.discount + 1", "$source.order.items.@sum.price", "items.@avg.price",
      "discount * 2", "SELF.discount * 2", "items.@sum.order.discount",
      "FUNCTION($source, 'valueForKey:', 'price') + 1",
      "FUNCTION($source, 'valueForKeyPath:', 'order.discount') + 1",
      "FUNCTION($source, 'price') + 1", "sum:($source.price, 1)",
      "TERNARY($source.price == 1, 2 + 3, 4)", "TERNARY($source.amount == 1, $source.price, 4) + 1",
      "SUBQUERY(items, $i, $i.price + 1 == 2).@count", "items[FIRST].price + 1",
      "$source.size.width + 1", "uppercase:($source.price + 1)",
    ])
  func decimal(text: String) throws {
    #expect(try Self.choice().arithmetic(of: Expression(parsing: text)) == .decimal)
    #expect(try Self.decimals(in: "(\(text)) == 1") == 1)
    #expect(try Self.decimals(in: "NOT ((\(text)) == 1 OR $source.amount / 2 == 3)") == 1)
  }

  /// The number of comparisons of a predicate that use decimal arithmetic.
  private static func decimals(in text: String) throws -> Int {
    var context = EvaluationContext(arithmetic: .decimal)
    try choice().choose(for: Predicate(parsing: text), in: &context)
    #expect(context.arithmetic == .binary)
    return context.decimalComparisons.count
  }

  @Test(
    "an expression without a Decimal attribute or without arithmetic does not",
    arguments: [
      "$source.amount * 2", "number + 1", "$source.weight / 3", "$source.order.number + 1",
      "items.@sum.amount", "1 + 2", "$other.price + 1", "$source.nosuch + 1", "price + 1",
      "$source.size.height + 1", "$source.price", "uppercase:($source.price)", "discount",
      "$source.discount + 1", "items.@max.price",
    ])
  func binary(text: String) throws {
    #expect(try Self.choice().arithmetic(of: Expression(parsing: text)) == .binary)
    #expect(try Self.decimals(in: "(\(text)) == 1") == 0)
  }

  @Test("an expression with arithmetic that sets a Decimal attribute uses decimal arithmetic")
  func destination() throws {
    let choice = try Self.choice()
    for type in AttributeType.allCases {
      let expected: EvaluationContext.Arithmetic = type == .decimal ? .decimal : .binary
      #expect(
        try choice.arithmetic(of: Expression(parsing: "1 / $source.amount"), givenTo: type)
          == expected)
      #expect(
        try choice.arithmetic(of: Expression(parsing: "$source.amount"), givenTo: type) == .binary)
    }
  }
}
