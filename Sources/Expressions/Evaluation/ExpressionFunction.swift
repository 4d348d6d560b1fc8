package import StrataBase
internal import StrataEssentials

/// A function that expressions may call. The list is closed: an expression in a file can call nothing else.
///
/// Source: the public documentation of NSExpression.
package struct ExpressionFunction: Sendable {
  /// The name with its colons: `multiply:by:`.
  package let name: String
  /// A short description of its result.
  package let summary: String
  /// `nil` for any number of arguments.
  package let argumentCount: Int?
  let evaluate: @Sendable ([ExpressionValue], EvaluationContext) throws -> ExpressionValue

  package static func named(_ name: String) -> ExpressionFunction? { byName[name] }

  /// The function of a call.
  ///
  /// - Throws: ``ExpressionError`` for an unknown name or a wrong number of arguments.
  package static func called(
    _ name: String, with arguments: [Expression]
  ) throws(ExpressionError) -> ExpressionFunction {
    guard let function = named(name) else {
      throw ExpressionError(.unknownFunction(name, near: nearestName(to: name)))
    }
    if let wanted = function.argumentCount, wanted != arguments.count {
      throw ExpressionError(.wrongArgumentCount(function: name, wanted: wanted))
    }
    return function
  }

  /// The methods with arguments that `FUNCTION` calls on values and on objects of a store.
  package static let methods = ["valueForKey:", "valueForKeyPath:", "stringByAppendingString:"]

  /// The collection operators of key paths: `topics.@count`.
  package static let collectionOperators = [
    "@count", "@sum", "@avg", "@min", "@max", "@unionOfObjects", "@distinctUnionOfObjects",
    "@unionOfArrays", "@distinctUnionOfArrays", "@distinctUnionOfSets",
  ]

  /// The value of a key of texts, numbers and bytes, such as `length`; `nil` if there is none.
  package static func value(of key: String, in value: AttributeValue) -> AttributeValue? {
    (try? ValueProperty.value(of: key, in: value)) ?? nil
  }

  /// Whether a function maps numbers to a number.
  package static func isArithmetic(_ name: String) -> Bool { arithmeticNames.contains(name) }

  private static let arithmeticNames = Set(arithmetic.map(\.name))

  /// The symbol of a function: its operator, or its name.
  package static func symbol(of name: String) -> String {
    Expression.operators[name]?.symbol ?? name
  }

  private static func nearestName(to name: String) -> String? {
    NearestName.of(name, in: byName.keys.sorted())
  }

  private static let byName = Dictionary(
    first: (all + all.compactMap(\.withoutColon)).map { ($0.name, $0) })

  /// `now()` for `now:()`, and so on for every function without arguments.
  private var withoutColon: ExpressionFunction? {
    guard argumentCount == 0 else { return nil }
    return ExpressionFunction(
      name: String(name.dropLast()), summary: summary, argumentCount: 0, evaluate: evaluate)
  }

  /// Every function, in the order of `help expressions`.
  package static let all: [ExpressionFunction] =
    arithmetic + ofCollections + ofTexts + ofSets + others

  private static let arithmetic: [ExpressionFunction] = [
    two("add:to:", "a + b") { try ExpressionNumber.sum($0, $1) },
    two("from:subtract:", "a - b") { try $0 - $1 },
    two("multiply:by:", "a * b") { try $0 * $1 },
    two("divide:by:", "a / b; truncated for two integers; nil if b is 0") { try $0 / $1 },
    two("modulus:by:", "remainder of a / b") { try $0 % $1 },
    two("raise:toPower:", "a ** b") { try ExpressionNumber.power($0, $1) },
    bits("bitwiseAnd:with:", "bitwise AND", &),
    bits("bitwiseOr:with:", "bitwise OR", |),
    bits("bitwiseXor:with:", "bitwise exclusive OR", ^),
    bits("leftshift:by:", "left shift") { $0 << $1 },
    bits("rightshift:by:", "right shift") { $0 >> $1 },
    one("onesComplement:", "bitwise complement") { .integer(~(try $0.whole(for: "~"))) },
    one("sqrt:", "square root") { .real($0.real.squareRoot()) },
    one("log:", "base-10 logarithm") { .real(log10($0.real)) },
    one("ln:", "natural logarithm") { .real(log($0.real)) },
    one("exp:", "e raised to a power") { .real(exp($0.real)) },
    one("abs:", "absolute value") { try ExpressionNumber.absolute($0) },
    one("ceiling:", "rounds up") { rounded($0, .up) },
    one("floor:", "rounds down") { rounded($0, .down) },
    one("trunc:", "rounds toward zero") { rounded($0, .towardZero) },
  ]

  private static let ofCollections: [ExpressionFunction] = [
    plainValues("sum:", "sum") { try CollectionFunctions.sum($0, $1.arithmetic, "sum:") },
    collection("count:", "number of elements") { values, _ in .value(.integer(Int64(values.count)))
    },
    plainValues("average:", "mean") {
      try CollectionFunctions.average($0, $1.arithmetic, "average:")
    },
    plainValues("min:", "smallest value") { values, _ in
      CollectionFunctions.extreme(values) { $0.isAscending(to: $1) }
    },
    plainValues("max:", "largest value") { values, _ in
      CollectionFunctions.extreme(values) { $1.isAscending(to: $0) }
    },
    plainValues("median:", "middle value") { values, _ in CollectionFunctions.median(values) },
    plainValues("mode:", "most frequent values") { values, _ in CollectionFunctions.mode(values) },
    plainValues("stddev:", "standard deviation") { values, _ in
      CollectionFunctions.standardDeviation(values)
    },
    collection("first:", "first element, collection[FIRST]") { values, _ in values.first ?? .null },
    collection("last:", "last element, collection[LAST]") { values, _ in values.last ?? .null },
    collection("size:", "number of elements, collection[SIZE]") { values, _ in
      .value(.integer(Int64(values.count)))
    },
    ExpressionFunction(
      name: "objectFrom:withIndex:", summary: "element at an index, collection[0]", argumentCount: 2
    ) { arguments, _ in
      guard case .collection(let elements, _) = arguments[0],
        case .value(.integer(let index)) = arguments[1]
      else { return .null }
      return elements.indices.contains(Int(clamping: index)) ? elements[Int(index)] : .null
    },
  ]

  private static let ofTexts: [ExpressionFunction] = [
    text("uppercase:", "upper case") { $0.uppercased() },
    text("lowercase:", "lower case") { $0.lowercased() },
    text("canonical:", "lower case without diacritics") {
      TextMatching.folded($0, case: true, diacritics: true)
    },
    ExpressionFunction(
      name: "length:", summary: "length of a text in UTF-16 units, of data in bytes",
      argumentCount: 1
    ) { arguments, context in
      try KeyPathWalk(context.arithmetic, context.visits).value(of: ["length"], from: arguments[0])
    },
  ]

  private static let ofSets: [ExpressionFunction] = [
    sets("union:with:", "union") { $0 + $1 },
    sets("intersect:with:", "intersection") { a, b in
      a.filter(ExpressionValue.membership(of: b))
    },
    sets("minus:with:", "elements of the first only") { a, b in
      let isInB = ExpressionValue.membership(of: b)
      return a.filter { !isInB($0) }
    },
  ]

  private static let others: [ExpressionFunction] = [
    ExpressionFunction(name: "now:", summary: "current time", argumentCount: 0) { _, context in
      .value(.real(context.now))
    },
    ExpressionFunction(name: "noindex:", summary: "the value itself", argumentCount: 1) {
      arguments, _ in arguments[0]
    },
    ExpressionFunction(
      name: "castObject:toType:",
      summary: "CAST(value, \"NSDate\"), NSNumber, NSString, NSData or NSUUID", argumentCount: 2
    ) { arguments, _ in try TypeCast.value(of: arguments[0], as: arguments[1]) },
  ]
}

// MARK: Kinds of functions

extension ExpressionFunction {
  /// A function of numbers; nil if an argument is nil.
  private static func one(
    _ name: String, _ summary: String,
    _ body: @escaping @Sendable (ExpressionNumber) throws -> ExpressionNumber
  ) -> Self {
    Self(name: name, summary: summary, argumentCount: 1) { arguments, _ in
      try number(arguments[0], for: name).map { try body($0).value } ?? .null
    }
  }

  private static func two(
    _ name: String, _ summary: String,
    _ body: @escaping @Sendable (ExpressionNumber, ExpressionNumber) throws -> ExpressionNumber?
  ) -> Self {
    Self(name: name, summary: summary, argumentCount: 2) { arguments, _ in
      guard let a = try number(arguments[0], for: name), let b = try number(arguments[1], for: name)
      else { return .null }
      return try body(a, b)?.value ?? .null
    }
  }

  /// A function of two integers; fractions of the arguments are truncated.
  private static func bits(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (Int64, Int64) -> Int64
  ) -> Self {
    let symbol = symbol(of: name)
    return two(name, summary) { a, b in
      .integer(body(try a.whole(for: symbol), try b.whole(for: symbol)))
    }
  }

  static func number(
    _ value: ExpressionValue, for name: String
  ) throws(ExpressionError) -> ExpressionNumber? {
    if value.isNull { return nil }
    guard let number = ExpressionNumber(value) else {
      throw ExpressionError(
        .wrongOperand(
          operator: symbol(of: name), wanted: "a number",
          found: value.kind))
    }
    return number
  }

  /// A function of a collection, or of several values.
  private static func collection(
    _ name: String, _ summary: String,
    _ body: @escaping @Sendable ([ExpressionValue], EvaluationContext) throws -> ExpressionValue
  ) -> Self {
    Self(name: name, summary: summary, argumentCount: nil) { arguments, context in
      if arguments.count == 1 {
        switch arguments[0] {
        case .collection(let elements, _): return try body(elements, context)
        case .value(.null): return .null
        default: break
        }
      }
      return try body(arguments, context)
    }
  }

  /// A function of a collection whose elements are not collections themselves.
  private static func plainValues(
    _ name: String, _ summary: String,
    _ body: @escaping @Sendable ([ExpressionValue], EvaluationContext) throws -> ExpressionValue
  ) -> Self {
    collection(name, summary) { values, context in
      try CollectionFunctions.checkValues(values, name)
      return try body(values, context)
    }
  }

  private static func text(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (String) -> String
  ) -> Self {
    Self(name: name, summary: summary, argumentCount: 1) { arguments, _ in
      switch arguments[0] {
      case .value(.text(let text)): return .value(.text(body(text)))
      case .value(.null): return .null
      default:
        throw ExpressionError(
          .wrongOperand(operator: name, wanted: "text", found: arguments[0].kind))
      }
    }
  }

  private static func sets(
    _ name: String, _ summary: String,
    _ body: @escaping @Sendable ([ExpressionValue], [ExpressionValue]) -> [ExpressionValue]
  ) -> Self {
    Self(name: name, summary: summary, argumentCount: 2) { arguments, _ in
      guard case .collection(let a, _) = arguments[0], case .collection(let b, _) = arguments[1]
      else {
        throw ExpressionError(
          .wrongOperand(
            operator: symbol(of: name), wanted: "collections",
            found: arguments[0].kind))
      }
      return .collection(ExpressionValue.distinct(body(a, b)), isOrdered: false)
    }
  }

  private static func rounded(
    _ number: ExpressionNumber, _ rule: FloatingPointRoundingRule
  ) -> ExpressionNumber {
    if case .integer = number { return number }
    let real = number.real.rounded(rule)
    return Int64(exactly: real).map { .integer($0) } ?? .real(real)
  }
}

/// `CAST`: converts a value to another type.
private enum TypeCast {
  /// The name of a known class; any other text may be a value of a store, which messages must not quote.
  private static func className(_ name: String) -> String {
    ["NSDate", "NSNumber", "NSDecimalNumber", "NSString", "NSData", "NSUUID"].contains(name)
      ? name : "another class"
  }

  static func value(of value: ExpressionValue, as type: ExpressionValue) throws -> ExpressionValue {
    guard case .value(.text(let name)) = type else {
      throw ExpressionError(
        .wrongOperand(operator: "CAST", wanted: "the name of a class", found: type.kind))
    }
    guard case .value(let plain) = value, plain != .null else { return value }
    switch (name, plain) {
    case ("NSDate", .integer), ("NSDate", .real), ("NSNumber", .integer), ("NSNumber", .real),
      ("NSDecimalNumber", .integer), ("NSDecimalNumber", .real), ("NSString", .text),
      ("NSData", .bytes), ("NSUUID", .bytes):
      return value
    case ("NSNumber", .text(let text)), ("NSDecimalNumber", .text(let text)):
      if let whole = Int64(text) { return .value(.integer(whole)) }
      guard let real = Double(text), real.isFinite else {
        throw ExpressionError.ofValue(.notANumber(text))
      }
      return .value(.real(real))
    case ("NSDate", .text(let text)):
      guard let seconds = TextualValue.date(text) else {
        throw ExpressionError.ofValue(
          .badText(text, wanted: "a date such as 2024-01-31T12:00:00Z"))
      }
      return .value(.real(seconds))
    case ("NSString", .integer), ("NSString", .real):
      return try KeyPathWalk(.binary, VisitCounter()).value(of: ["stringValue"], from: value)
    case ("NSData", .text(let text)):
      guard let data = Data(base64Encoded: text) else {
        throw ExpressionError.ofValue(.badText(text, wanted: "Base64"))
      }
      return .value(.bytes(Array(data)))
    case ("NSUUID", .text(let text)):
      guard let bytes = TextualValue.uuid(text) else {
        throw ExpressionError.ofValue(
          .badText(text, wanted: "a UUID such as 374C5961-3E41-43E5-915C-383EA914074C"))
      }
      return .value(.bytes(bytes))
    default:
      throw ExpressionError(
        .notPossible("cannot cast \(value.kind) to \(Self.className(name))"))
    }
  }
}
