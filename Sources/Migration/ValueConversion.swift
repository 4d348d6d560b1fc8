internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataValues

extension Attribute {
  /// What stands in for a value that is missing: the default of a required attribute. Inference gives it
  /// only where the attribute was optional: what was missing in a required one stays so, and is found in
  /// the third pass.
  func standIn(for old: Attribute?, isInferred: Bool) -> AttributeValue {
    guard !isOptional, !isInferred || old?.isOptional != false else { return .null }
    return storedDefault
  }

  /// A column's value as this attribute stores it, see ``NumberFit``; binary data with or without the byte that
  /// tells where it is.
  func conversion(of column: String, from old: Attribute) -> String {
    if type == .binary, allowsExternalBinaryStorage != old.allowsExternalBinaryStorage {
      return
        (allowsExternalBinaryStorage ? ExternalDataFunctions.wrap : ExternalDataFunctions.unwrap)
        + "(\(column))"
    }
    return converts(from: old) ? stored(column) : column
  }

  /// Whether numbers of another attribute may be stored otherwise in this one.
  private func converts(from old: Attribute) -> Bool {
    old.type.isNumber && type.isNumber && old.type.converts(to: type)
  }

  /// The conditions, in SQL, under which a column's number loses something in this attribute.
  func losses(of column: String, from old: Attribute) -> [(kind: LossRule, condition: String)] {
    converts(from: old) ? type.losses(of: column) : []
  }

  /// SQL for a number as this attribute stores it; what has no room gives way to the default of a required
  /// attribute.
  func stored(_ sql: String) -> String {
    let stored = type.stored(sql)
    guard !isOptional, storedDefault != .null, type != .boolean else { return stored }
    return "CASE WHEN \(sql) IS NOT NULL THEN coalesce(\(stored), \(storedDefault.sqlLiteral)) END"
  }

  /// A value as this attribute stores it, and what it loses.
  func stored(_ value: AttributeValue) -> (value: AttributeValue, loss: LossRule?) {
    let loss = type.fit(of: value).loss(in: type)
    let converted = value.converted(to: type)
    guard converted == .null, value != .null, !isOptional else { return (converted, loss) }
    return (storedDefault, loss)
  }
}

extension AttributeType {
  /// Whether a value of this type may be stored otherwise as one of another: any whole number is one of 64
  /// bits.
  func converts(to other: AttributeType) -> Bool {
    self != other && !(isWhole && other == .integer64)
  }
}
