package import StrataArchives
internal import StrataBase
package import StrataExpressions

extension Expression {
  /// The keyed archive of the expression, as mapping models keep it; `nil` for forms that occur in no known
  /// archive.
  package func archived() -> [UInt8]? {
    var writer = KeyedArchiveWriter()
    return writer.expression(self).map { writer.encoded(root: $0) }
  }
}

extension KeyedArchiveWriter {
  /// An archived `NSExpression`; `nil` for forms that occur in no known archive of a model.
  mutating func expression(_ expression: Expression) -> PropertyList? {
    switch expression {
    case .evaluatedObject: return add("NSSelfExpression", ["NSExpressionType": .integer(1)])
    case .constant(let value):
      return add(
        "NSConstantValueExpression",
        ["NSConstantValue": constant(value), "NSExpressionType": .integer(0)])
    case .keyPath(of: nil, let path):
      let selector = string(path.count == 1 ? "valueForKey:" : "valueForKeyPath:")
      let keys = add(
        "NSKeyPathSpecifierExpression",
        ["NSKeyPath": string(path.joined(separator: ".")), "NSExpressionType": .integer(10)])
      let operand = add("NSSelfExpression", ["NSExpressionType": .integer(1)])
      return add(
        "NSKeyPathExpression",
        [
          "NSOperand": operand, "NSSelectorName": selector, "NSExpressionType": .integer(3),
          "NSArguments": add("NSArray", elements: [keys]),
        ])
    case .keyPath(of: let start?, let path):
      guard let operand = self.expression(start) else { return nil }
      let selector = string("valueForKeyPath:")
      let keys = add(
        "NSKeyPathSpecifierExpression",
        ["NSKeyPath": string(path.joined(separator: ".")), "NSExpressionType": .integer(10)])
      return add(
        "NSKeyPathExpression",
        [
          "NSOperand": operand, "NSSelectorName": selector, "NSExpressionType": .integer(4),
          "NSArguments": add("NSMutableArray", elements: [keys]),
        ])
    case .variable(let name):
      return add(
        "NSVariableExpression", ["NSVariable": string(name), "NSExpressionType": .integer(2)])
    case .function(let name, on: let target?, let arguments):
      guard let operand = self.expression(target), let archived = self.expressions(arguments)
      else { return nil }
      return add(
        "NSFunctionExpression",
        [
          "NSOperand": operand, "NSSelectorName": string(name), "NSExpressionType": .integer(4),
          "NSArguments": add("NSArray", elements: archived),
        ])
    case .function(let name, on: nil, let arguments):
      guard let archived = self.expressions(arguments) else { return nil }
      let operand = add(
        "NSConstantValueExpression",
        [
          "NSConstantValueClassName": string("_NSPredicateUtilities"),
          "NSExpressionType": .integer(0),
        ])
      return add(
        "NSFunctionExpression",
        [
          "NSOperand": operand, "NSSelectorName": string(name), "NSExpressionType": .integer(4),
          "NSArguments": add("NSArray", elements: archived),
        ])
    default: return nil
    }
  }

  private mutating func expressions(_ list: [Expression]) -> [PropertyList]? {
    var archived: [PropertyList] = []
    for element in list {
      guard let value = expression(element) else { return nil }
      archived.append(value)
    }
    return archived
  }

  private mutating func constant(_ value: AttributeValue) -> PropertyList {
    switch value {
    case .null: Self.null
    case .integer(let number): self.value(.integer(number))
    case .real(let number): self.value(.real(number))
    case .text(let text): string(text)
    case .bytes(let bytes): self.value(.data(bytes))
    }
  }

  /// An archived `NSPredicate`; `nil` for forms that occur in no known archive of a model.
  mutating func predicate(_ predicate: Predicate) -> PropertyList? {
    switch predicate {
    case .and(let parts): return compound(1, parts)
    case .or(let parts): return compound(2, parts)
    case .not(let part): return compound(0, [part])
    case .comparison(let comparison): return self.comparison(comparison)
    case .constant: return nil
    }
  }

  private mutating func compound(_ type: Int64, _ parts: [Predicate]) -> PropertyList? {
    var archived: [PropertyList] = []
    for part in parts {
      guard let value = predicate(part) else { return nil }
      archived.append(value)
    }
    return add(
      "NSCompoundPredicate",
      [
        "NSCompoundPredicateType": .integer(type),
        "NSSubpredicates": add("NSArray", elements: archived),
      ])
  }

  private mutating func comparison(_ comparison: Comparison) -> PropertyList? {
    let types: [Comparison.Operator: Int64] = [
      .lessThan: 0, .lessThanOrEqual: 1, .greaterThan: 2, .greaterThanOrEqual: 3, .equal: 4,
      .notEqual: 5,
    ]
    guard let type = types[comparison.operator], comparison.modifier == .direct,
      !comparison.ignoresCase, !comparison.ignoresDiacritics,
      let left = expression(comparison.left), let right = expression(comparison.right)
    else { return nil }
    var values: [String: PropertyList] = [
      "NSOperatorType": .integer(type), "NSModifier": .integer(0), "NSOptions": .integer(0),
    ]
    let isEquality = type >= 4
    if isEquality {
      values["NSNegate"] = .boolean(type == 5)
    } else {
      values["NSVariant"] = .integer(type)
    }
    let operation = add(
      isEquality ? "NSEqualityPredicateOperator" : "NSComparisonPredicateOperator", values)
    return add(
      "NSComparisonPredicate",
      ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": operation])
  }

  /// A string, or null.
  mutating func string(_ text: String?) -> PropertyList {
    text.map { string($0) } ?? Self.null
  }

  /// Lists of strings, each of this class and in one of this class.
  mutating func lists(_ className: String, _ lists: [[String]]) -> PropertyList {
    let elements = lists.map { list in add(className, elements: list.map { string($0) }) }
    return add(className, elements: elements)
  }

  /// A dictionary of this class.
  package mutating func userInfo(
    _ className: String, _ entries: [UserInfoEntry]
  ) -> PropertyList {
    add(className, entries: entries.map { (string($0.key), string($0.value)) })
  }
}
