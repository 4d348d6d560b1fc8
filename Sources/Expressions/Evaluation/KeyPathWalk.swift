internal import Foundation
internal import StrataDiagnostics
internal import StrataValues

/// Follows keys by the rules of key-value coding.
enum KeyPathWalk {
  static func value(
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
  private static func next(_ key: String, of value: ExpressionValue) throws -> ExpressionValue {
    switch value {
    case .object(let object): return try object.value(forKey: key)
    case .collection(let elements, let isOrdered):
      let values = try elements.map { try next(key, of: $0) }
      // A set of what the elements have: nothing is no element of a set, and nothing is in it twice.
      return isOrdered
        ? .collection(values, isOrdered: true)
        : .collection(
          ExpressionValue.distinct(values.filter { !$0.isNull }), isOrdered: false)
    case .value(let plain):
      guard let property = ValueProperty.value(of: key, in: plain) else {
        throw ExpressionError(.keyOfValue(key, after: value.kind))
      }
      return .value(property)
    }
  }

  /// `@count`, or an operator over what the rest of the path gives for each element.
  private static func collected(
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
    let values = try elements.map { try self.value(of: path, from: $0) }
    switch name {
    case "@sum": return CollectionFunctions.sum(values)
    case "@avg": return CollectionFunctions.average(values)
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

/// The properties that texts, numbers and bytes themselves have.
enum ValueProperty {
  /// `nil` where there is no such property; null where the value is null.
  static func value(of key: String, in value: AttributeValue) -> AttributeValue? {
    switch value {
    case .null: .null
    case .text(let text): ofText(text, key)
    case .integer(let number): ofNumber(Double(number), Int64(number), String(number), key)
    case .real(let number):
      ofNumber(
        number, Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max),
        String(number), key)
    case .bytes(let bytes): key == "length" ? .integer(Int64(bytes.count)) : nil
    }
  }

  private static func ofText(_ text: String, _ key: String) -> AttributeValue? {
    switch key {
    // As NSString counts: UTF-16 units.
    case "length": .integer(Int64(text.utf16.count))
    case "uppercaseString": .text(text.uppercased())
    case "lowercaseString": .text(text.lowercased())
    case "capitalizedString": .text(text.capitalized)
    case "description", "self": .text(text)
    case "integerValue", "intValue", "longLongValue":
      .integer(Int64(leadingNumber(text, isWhole: true)) ?? 0)
    case "doubleValue", "floatValue": .real(Double(leadingNumber(text, isWhole: false)) ?? 0)
    case "boolValue":
      .integer(
        text.drop { $0 == " " || $0 == "+" || $0 == "-" || $0 == "0" }.first.map {
          "YyTt123456789".contains($0)
        } == true ? 1 : 0)
    default: nil
    }
  }

  /// The number at the beginning of a text.
  private static func leadingNumber(_ text: String, isWhole: Bool) -> String {
    let trimmed = text.drop(while: \.isWhitespace)
    var number = ""
    var hasPoint = false
    for letter in trimmed {
      switch letter {
      case "-", "+":
        guard number.isEmpty else { return number }
        if letter == "-" { number = "-" }
      case ".":
        guard !isWhole, !hasPoint else { return number }
        hasPoint = true
        number.append(letter)
      case _ where letter.isASCII && letter.isNumber: number.append(letter)
      default: return number
      }
    }
    return number
  }

  private static func ofNumber(
    _ real: Double, _ whole: Int64, _ text: String, _ key: String
  ) -> AttributeValue? {
    switch key {
    case "integerValue", "intValue", "longLongValue", "shortValue": .integer(whole)
    case "doubleValue", "floatValue": .real(real)
    case "boolValue": .integer(real == 0 ? 0 : 1)
    case "stringValue", "description": .text(text)
    case "self": whole == Int64(exactly: real) ? .integer(whole) : .real(real)
    default: nil
    }
  }
}
