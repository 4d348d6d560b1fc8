internal import StrataBase
internal import StrataEssentials

/// Evaluates key paths by the rules of key-value coding.
struct KeyPathWalk {
  /// The arithmetic of sums and averages.
  private let arithmetic: EvaluationContext.Arithmetic
  private let visits: VisitCounter

  init(_ arithmetic: EvaluationContext.Arithmetic, _ visits: VisitCounter) {
    self.arithmetic = arithmetic
    self.visits = visits
  }

  func value(
    of keys: ArraySlice<String>, from start: ExpressionValue
  ) throws -> ExpressionValue {
    var value = start
    var rest = keys
    while let key = rest.popFirst() {
      if key.hasPrefix("@") { return try collected(key, rest, value) }
      value = try next(key, of: value)
    }
    return value
  }

  /// The value of one key.
  private func next(_ key: String, of value: ExpressionValue) throws -> ExpressionValue {
    switch value {
    case .object(let object): return try object.value(forKey: key)
    case .collection(let elements, let isOrdered):
      try visits.visit(elements.count)
      let values = try elements.map { try next(key, of: $0) }
      // A set of the values of the elements: without nil and without duplicates.
      return isOrdered
        ? .collection(values, isOrdered: true)
        : .collection(
          ExpressionValue.distinct(values.filter { !$0.isNull }), isOrdered: false)
    case .value(let plain):
      guard let property = try ValueProperty.value(of: key, in: plain) else {
        throw ExpressionError(.keyOfValue(key, after: value.kind))
      }
      return .value(property)
    }
  }

  /// `@count`, or an operator over the values of the rest of the path for each element.
  private func collected(
    _ name: String, _ path: ArraySlice<String>, _ value: ExpressionValue
  ) throws -> ExpressionValue {
    guard ExpressionFunction.collectionOperators.contains(name) else {
      throw ExpressionError(
        .unknownFunction(
          name, near: NearestName.of(name, in: ExpressionFunction.collectionOperators)))
    }
    guard case .collection(let elements, let isOrdered) = value else {
      if value.isNull { return .null }
      throw ExpressionError(
        .wrongOperand(operator: name, wanted: "a collection", found: value.kind))
    }
    if name == "@count" { return .value(.integer(Int64(elements.count))) }
    try visits.visit(elements.count)
    let values = try elements.map { try self.value(of: path, from: $0) }
    if ["@sum", "@avg", "@min", "@max"].contains(name) {
      try CollectionFunctions.checkValues(values, name)
    }
    switch name {
    case "@sum": return try CollectionFunctions.sum(values, arithmetic, name)
    case "@avg": return try CollectionFunctions.average(values, arithmetic, name)
    case "@min": return CollectionFunctions.extreme(values) { $0.isAscending(to: $1) }
    case "@max": return CollectionFunctions.extreme(values) { $1.isAscending(to: $0) }
    case "@unionOfObjects":
      return .collection(values.filter { !$0.isNull }, isOrdered: isOrdered)
    case "@distinctUnionOfObjects":
      return .collection(
        ExpressionValue.distinct(values.filter { !$0.isNull }), isOrdered: isOrdered)
    case "@unionOfArrays":
      return .collection(values.flatMap(\.flattened), isOrdered: true)
    case "@distinctUnionOfSets", "@distinctUnionOfArrays":
      return .collection(
        ExpressionValue.distinct(values.flatMap(\.flattened).filter { !$0.isNull }),
        isOrdered: isOrdered && name == "@distinctUnionOfArrays")
    default: return .null
    }
  }
}

/// The properties of texts, numbers and bytes.
enum ValueProperty {
  /// `nil` if there is no such property; null if the value is null.
  ///
  /// - Throws: ``ExpressionError/Problem/integerOverflow(_:)`` for an integer that does not fit in 64 bits.
  static func value(
    of key: String, in value: AttributeValue
  ) throws(ExpressionError) -> AttributeValue? {
    switch value {
    case .null: .null
    case .text(let text): try ofText(text, key)
    case .integer(let number): try ofNumber(.integer(number), String(number), key)
    case .real(let number): try ofNumber(.real(number), String(number), key)
    case .bytes(let bytes): key == "length" ? .integer(Int64(bytes.count)) : nil
    }
  }

  private static func ofText(
    _ text: String, _ key: String
  ) throws(ExpressionError) -> AttributeValue? {
    switch key {
    // As NSString counts: UTF-16 units.
    case "length": .integer(Int64(text.utf16.count))
    case "uppercaseString": .text(text.uppercased())
    case "lowercaseString": .text(text.lowercased())
    case "capitalizedString": .text(text.capitalized)
    case "description", "self": .text(text)
    case "integerValue", "longLongValue": .integer(try leadingInteger(text, key))
    case "intValue": .integer(try fitting(leadingInteger(text, key), in: Int32.self, key))
    case "doubleValue": .real(leadingReal(text))
    case "floatValue": .real(Double(Float(leadingReal(text))))
    case "boolValue":
      .integer(
        text.drop { $0 == " " || $0 == "+" || $0 == "-" || $0 == "0" }.first.map {
          "YyTt123456789".contains($0)
        } == true ? 1 : 0)
    default: nil
    }
  }

  /// The integer at the beginning of a text, 0 if there is none.
  private static func leadingInteger(
    _ text: String, _ key: String
  ) throws(ExpressionError) -> Int64 {
    let number = leadingNumber(text, isWhole: true)
    if let integer = Int64(number) { return integer }
    guard !number.contains(where: \.isNumber) else { throw ExpressionError(.integerOverflow(key)) }
    return 0
  }

  private static func leadingReal(_ text: String) -> Double {
    Double(leadingNumber(text, isWhole: false)) ?? 0
  }

  /// The number at the beginning of a text, after white space.
  private static func leadingNumber(_ text: String, isWhole: Bool) -> Substring {
    let trimmed = text.drop(while: \.isWhitespace)
    var rest = trimmed.afterSign.afterDigits
    if !isWhole {
      if rest.first == "." { rest = rest.dropFirst().afterDigits }
      let exponent = rest.dropFirst().afterSign
      if rest.first == "e" || rest.first == "E", exponent.first?.isDigit == true {
        rest = exponent.afterDigits
      }
    }
    return trimmed[..<rest.startIndex]
  }

  /// - Throws: ``ExpressionError/Problem/integerOverflow(_:)`` if it does not fit in the result of the method.
  private static func fitting(
    _ number: Int64, in type: (some FixedWidthInteger).Type, _ key: String
  ) throws(ExpressionError) -> Int64 {
    guard type.init(exactly: number) != nil else { throw ExpressionError(.integerOverflow(key)) }
    return number
  }

  private static func ofNumber(
    _ number: ExpressionNumber, _ text: String, _ key: String
  ) throws(ExpressionError) -> AttributeValue? {
    switch key {
    case "integerValue", "longLongValue": .integer(try number.whole(for: key))
    case "intValue": .integer(try fitting(number.whole(for: key), in: Int32.self, key))
    case "shortValue": .integer(try fitting(number.whole(for: key), in: Int16.self, key))
    case "doubleValue": .real(number.real)
    case "floatValue": .real(Double(Float(number.real)))
    case "boolValue": .integer(number.real == 0 ? 0 : 1)
    case "stringValue", "description": .text(text)
    case "self":
      switch number {
      case .integer(let whole): .integer(whole)
      case .real(let real): .real(real)
      }
    default: nil
    }
  }
}

extension Character {
  fileprivate var isDigit: Bool { isASCII && isNumber }
}

extension Substring {
  fileprivate var afterSign: Substring { first == "+" || first == "-" ? dropFirst() : self }
  fileprivate var afterDigits: Substring { drop(while: \.isDigit) }
}
