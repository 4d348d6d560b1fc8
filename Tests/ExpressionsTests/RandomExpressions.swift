import StrataBase
import StrataExpressions
import TestSupport

/// Makes trees of every kind that the language has, from a seed.
struct RandomExpressions {
  var generator: SeededRandom

  mutating func predicate(depth: Int) -> Predicate {
    guard depth > 0 else { return .constant(Bool.random(using: &generator)) }
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .constant(Bool.random(using: &generator))
    case 1: return .not(predicate(depth: depth - 1))
    case 2: return .and(parts(depth))
    case 3: return .or(parts(depth))
    default:
      let operators = Comparison.Operator.allCases
      let modifiers: [Comparison.Modifier] = [.direct, .direct, .any, .all]
      return .comparison(
        Comparison(
          expression(depth: depth - 1), operators.randomElement(using: &generator)!,
          expression(depth: depth - 1), modifier: modifiers.randomElement(using: &generator)!,
          ignoresCase: Bool.random(using: &generator),
          ignoresDiacritics: Bool.random(using: &generator)))
    }
  }

  private mutating func parts(_ depth: Int) -> [Predicate] {
    (0..<Int.random(in: 2...3, using: &generator)).map { _ in predicate(depth: depth - 1) }
  }

  mutating func expression(depth: Int) -> Expression {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: return .keyPath(of: expression(depth: depth - 1), keys())
    case 1, 2, 3:
      return .function(
        Self.binary.randomElement(using: &generator)!, arguments: list(depth, count: 2))
    case 4:
      let names = ["sum:", "from:to:with:", "now", "f", "first:", "size:", "last:"]
      return .function(names.randomElement(using: &generator)!, arguments: list(depth, count: 1))
    case 5:
      return .function(
        "a:b:", on: expression(depth: depth - 1),
        arguments: list(depth, count: Int.random(in: 0...2, using: &generator)))
    case 6: return .collection(list(depth, count: Int.random(in: 0...3, using: &generator)))
    case 7:
      return .subquery(
        expression(depth: depth - 1), variable: "x", predicate(depth: depth - 1))
    case 8:
      return .conditional(
        predicate(depth: depth - 1), expression(depth: depth - 1), expression(depth: depth - 1))
    case 9:
      return .fetch(
        request: expression(depth: depth - 1), context: expression(depth: depth - 1),
        countOnly: Bool.random(using: &generator))
    default: return leaf()
    }
  }

  private static let binary = [
    "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:", "union:with:",
    "intersect:with:", "minus:with:", "castObject:toType:", "objectFrom:withIndex:", "modulus:by:",
    "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
  ]

  private mutating func list(_ depth: Int, count: Int) -> [Expression] {
    (0..<count).map { _ in expression(depth: depth - 1) }
  }

  private mutating func leaf() -> Expression {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return .evaluatedObject
    case 1: return .variable(["source", "x", "größe"].randomElement(using: &generator)!)
    case 2, 3: return .keyPath(of: nil, keys())
    default: return .constant(constant())
    }
  }

  private mutating func keys() -> [String] {
    let names = [
      "title", "any", "NO", "like", "größe", "@count", "@sum", "_x9", "self", "union", "size",
      "first", "名前",
    ]
    return (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      names.randomElement(using: &generator)!
    }
  }

  private mutating func constant() -> AttributeValue {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return .null
    case 1: return .integer([.min, -1, 0, 1, .max].randomElement(using: &generator)!)
    case 2: return .integer(.random(in: -100...100, using: &generator))
    case 3:
      return .real([0.2, -1.5, 1e300, -1e-300, 3].randomElement(using: &generator)!)
    default:
      let texts = ["", "a", "it's \"quoted\" \\ \n\t", "é🎈", "100%", "CAST"]
      return .text(texts.randomElement(using: &generator)!)
    }
  }
}
