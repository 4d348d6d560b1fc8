internal import StrataObjectModel
internal import StrataValues

extension Attribute {
  /// What stands in for a value that is missing: the default of a required attribute. Inference gives it
  /// only where the attribute was optional: what was missing in a required one stays so, and is found in
  /// the third pass.
  func standIn(for old: Attribute?, isInferred: Bool) -> AttributeValue {
    guard !isOptional, !isInferred || old?.isOptional != false else { return .null }
    return storedDefault
  }

  /// A column's value as this attribute stores it: whole numbers cut towards zero, truth is 0 or 1, binary
  /// data with or without the byte that tells where it is.
  func conversion(of column: String, from old: Attribute) -> String {
    if type == .binary, allowsExternalBinaryStorage != old.allowsExternalBinaryStorage {
      return
        (allowsExternalBinaryStorage ? ExternalDataFunctions.wrap : ExternalDataFunctions.unwrap)
        + "(\(column))"
    }
    guard type != old.type else { return column }
    return type.isWhole && !old.type.isFractional ? column : type.stored(column)
  }
}

extension AttributeType {
  var isWhole: Bool { [.integer16, .integer32, .integer64].contains(self) }
  /// Whether its numbers may have a fraction.
  var isFractional: Bool { [.double, .float, .decimal].contains(self) }

  /// SQL for a number as this type stores it.
  func stored(_ sql: String) -> String {
    switch self {
    case .integer16, .integer32, .integer64: "CAST(\(sql) AS INTEGER)"
    case .boolean: "\(sql) <> 0"
    case .double, .float: "CAST(\(sql) AS REAL)"
    default: sql
    }
  }

  /// Whether a value of this type is stored otherwise as one of another.
  func converts(to other: AttributeType) -> Bool {
    self != other && !(isWhole && other.isWhole)
  }
}

extension AttributeValue {
  /// A number as a number type stores it; whole types cut towards zero.
  func converted(to type: AttributeType) -> AttributeValue {
    switch (self, type) {
    case (.real(let number), .integer16), (.real(let number), .integer32),
      (.real(let number), .integer64):
      return .integer(Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max))
    case (.real(let number), .boolean): return .integer(number == 0 ? 0 : 1)
    case (.integer(let number), .boolean): return .integer(number == 0 ? 0 : 1)
    case (.integer(let number), .double), (.integer(let number), .float):
      return .real(Double(number))
    default: return self
    }
  }
}
