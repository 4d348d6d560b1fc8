package import StrataArchives
internal import StrataBase
package import StrataExpressions

extension Expression {
  /// Decodes an archived `NSExpression` of a mapping model.
  ///
  /// - Throws: ``ModelError/Problem/badArchive(_:)`` for an unsupported class or form, ``ArchiveError`` if the
  ///   archive is damaged.
  ///
  /// Source: observed in the compiled mapping model and the mapping models of `CorpusTests`; the numbers
  /// of operators, modifiers and options are those of the public documentation.
  package init(archived object: ArchivedObject) throws {
    var reader = ArchivedExpressionReader()
    self = try reader.expression(object, depth: 0)
  }
}

extension Predicate {
  /// Decodes an archived validation predicate of a compiled model.
  ///
  /// - Throws: as ``Expression/init(archived:)``.
  package init(archived object: ArchivedObject) throws {
    var reader = ArchivedExpressionReader()
    self = try reader.predicate(object, depth: 0)
  }
}

/// Traverses archived expressions. Objects can be shared or cyclic, so the visited objects are counted.
///
/// Use one reader for many expressions to count their objects together.
package struct ArchivedExpressionReader {
  private var count = 0
  private let countLimit: Int

  private static let depthLimit = 150
  /// The number of bytes of a string that count as one object, because a shared string is copied at each use.
  private static let textSize = 64

  /// - Parameter limit: The maximum number of objects in all expressions.
  package init(limit: Int = 10_000) {
    countLimit = limit
  }

  /// - Throws: as ``Expression/init(archived:)``.
  package mutating func expression(_ object: ArchivedObject) throws -> Expression {
    try expression(object, depth: 0)
  }

  private mutating func enter(_ object: ArchivedObject, depth: Int) throws -> String {
    count += 1
    guard count <= countLimit, depth <= Self.depthLimit else {
      throw ModelError(.tooMany("parts in its expressions", limit: countLimit))
    }
    return object.className ?? object.value.kind
  }

  private static func unknown(_ what: String) -> ModelError {
    ModelError(.badArchive("an expression with \(what), which is not supported"))
  }

  private static func need<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw ModelError(.badArchive("an expression without \(what)")) }
    return value
  }

  // MARK: Expressions

  fileprivate mutating func expression(
    _ object: ArchivedObject, depth: Int
  ) throws -> Expression {
    switch try enter(object, depth: depth) {
    case "NSConstantValueExpression": return try constant(object, depth: depth)
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression":
      return .variable(try Self.need(object.string("NSVariable"), "the name of its variable"))
    case "NSKeyPathSpecifierExpression":
      return .keyPath(of: nil, try keys(object))
    case "NSKeyPathExpression", "NSFunctionExpression": return try call(object, depth: depth)
    case "NSAggregateExpression":
      return .collection(
        try object.elements("NSCollection").map { try expression($0, depth: depth + 1) })
    case "NSFetchRequestExpression":
      return .fetch(
        request: try part(object, "NSFRExpression", depth: depth),
        context: try part(object, "NSMOCExpression", depth: depth),
        countOnly: try object.flag("NSCountOnlyFlag"))
    case let name: throw Self.unknown(name)
    }
  }

  private mutating func part(
    _ object: ArchivedObject, _ key: String, depth: Int
  ) throws -> Expression {
    try expression(Self.need(object.object(key), key), depth: depth + 1)
  }

  private func keys(_ object: ArchivedObject) throws -> [String] {
    let path = try Self.need(object.string("NSKeyPath"), "its key path")
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    // A name that has no text form could not be parsed again.
    let text = Expression.keyPath(of: nil, keys).text
    guard case .keyPath(of: nil, keys)? = try? Expression(parsing: text) else {
      throw Self.unknown("the key path \(path)")
    }
    return keys
  }

  private mutating func call(_ object: ArchivedObject, depth: Int) throws -> Expression {
    let selector = try Self.need(object.string("NSSelectorName"), "the name of its function")
    let operand = try Self.need(object.object("NSOperand"), "its operand")
    let arguments = try object.elements("NSArguments")
    if ["valueForKey:", "valueForKeyPath:"].contains(selector), arguments.count == 1,
      arguments[0].className == "NSKeyPathSpecifierExpression"
    {
      let keys = try keys(arguments[0])
      switch try expression(operand, depth: depth + 1) {
      case .evaluatedObject: return .keyPath(of: nil, keys)
      case .keyPath(of: let start, let before): return .keyPath(of: start, before + keys)
      case let start: return .keyPath(of: start, keys)
      }
    }
    let values = try arguments.map { try expression($0, depth: depth + 1) }
    // The predefined functions are methods of a private class of Foundation.
    if try operand.string("NSConstantValueClassName") == "_NSPredicateUtilities" {
      return .function(selector, on: nil, arguments: values)
    }
    return .function(
      selector, on: try expression(operand, depth: depth + 1), arguments: values)
  }

  private mutating func constant(_ object: ArchivedObject, depth: Int) throws -> Expression {
    count += (try object.string("NSConstantValue")?.utf8.count ?? 0) / Self.textSize
    if let name = try object.string("NSConstantValueClassName") {
      throw Self.unknown("the class \(name) as its value")
    }
    if let nested = try object.object("NSConstantValue"), let name = nested.className {
      switch name {
      case "NSDate":
        guard case .real(let seconds)? = try nested.plain("NS.time"), seconds.isFinite else {
          throw Self.unknown("a date without its time")
        }
        return .function(
          "castObject:toType:",
          arguments: [.constant(.real(seconds)), .constant(.text("NSDate"))])
      case "NSMutableString", "NSString": break
      case "NSNull": return .constant(.null)
      case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
        return .collection(
          try nested.elements().map { element in
            try element.className?.hasSuffix("Expression") == true
              ? expression(element, depth: depth + 1) : .constant(plain(element.value))
          })
      default: throw Self.unknown("a constant of \(name)")
      }
    }
    if let text = try object.string("NSConstantValue") { return .constant(.text(text)) }
    guard let value = try object.plain("NSConstantValue") else { return .constant(.null) }
    return .constant(try plain(value))
  }

  private func plain(_ value: PropertyList) throws -> AttributeValue {
    switch value {
    case .integer(let number): return .integer(number)
    case .real(let number) where number.isFinite: return .real(number)
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .string("$null"): return .null
    case .string(let text): return .text(text)
    case .data(let bytes): return .bytes(bytes)
    default: throw Self.unknown("a constant that is \(value.kind)")
    }
  }

  // MARK: Predicates

  fileprivate mutating func predicate(
    _ object: ArchivedObject, depth: Int
  ) throws -> Predicate {
    switch try enter(object, depth: depth) {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate":
      let parts = try object.elements("NSSubpredicates").map {
        try predicate($0, depth: depth + 1)
      }
      switch (try object.integer("NSCompoundPredicateType"), parts.count) {
      case (0, 1): return .not(parts[0])
      case (1, 0): return .constant(true)
      case (2, 0): return .constant(false)
      case (1, 1), (2, 1): return parts[0]
      case (1, _): return .and(parts)
      case (2, _): return .or(parts)
      default: throw Self.unknown("a compound predicate of an unknown type")
      }
    case "NSComparisonPredicate":
      let operation = try Self.need(object.object("NSPredicateOperator"), "its operator")
      let type = try operation.integer("NSOperatorType") ?? -1
      let modifiers: [Comparison.Modifier] = [.direct, .all, .any]
      let modifier = try operation.integer("NSModifier") ?? 0
      let options = try operation.integer("NSOptions") ?? 0
      guard let known = Self.operators[type], modifiers.indices.contains(Int(clamping: modifier))
      else { throw Self.unknown("an operator of type \(type)") }
      return .comparison(
        Comparison(
          try part(object, "NSLeftExpression", depth: depth), known,
          try part(object, "NSRightExpression", depth: depth),
          modifier: modifiers[Int(modifier)], ignoresCase: options & 1 != 0,
          ignoresDiacritics: options & 2 != 0))
    case let name: throw Self.unknown(name)
    }
  }

  /// By `NSPredicateOperatorType`.
  private static let operators: [Int64: Comparison.Operator] = [
    0: .lessThan, 1: .lessThanOrEqual, 2: .greaterThan, 3: .greaterThanOrEqual, 4: .equal,
    5: .notEqual, 6: .matches, 7: .like, 8: .beginsWith, 9: .endsWith, 10: .isIn, 99: .contains,
    100: .between,
  ]
}
