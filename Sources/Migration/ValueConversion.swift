internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite

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

  /// Refuses a value of a kind that the attribute cannot have, as an NSManagedObject does.
  ///
  /// - Throws: ``MigrationError/unfittingValue(property:entity:gives:wants:)``.
  func check(_ value: AttributeValue, of entity: String) throws(MigrationError) {
    guard !type.accepts(value) else { return }
    throw .unfittingValue(
      property: name, entity: entity, gives: ValueKind(value).description,
      wants: ValueKind(type).description)
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
  /// Whether a value is of a kind that is stored as this type.
  func accepts(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (_, .null), (.undefined, _), (.objectID, _), (.composite, _): true
    // NSDecimalNumber.notANumber is stored as text.
    case (.decimal, .text(let text)): text.lowercased() == "nan"
    case (.string, .text), (.uri, .text): true
    case (.uuid, .bytes), (.binary, .bytes), (.transformable, .bytes): true
    case (.string, _), (.uri, _), (.uuid, _), (.binary, _), (.transformable, _): false
    case (_, .integer), (_, .real): true
    default: false
    }
  }

  /// Whether values of another type may be stored as this one.
  func accepts(_ other: AttributeType) -> Bool {
    ValueKind(other).isComparable(to: ValueKind(self))
  }

  /// Whether a value of this type may be stored otherwise as one of another: any whole number is one of 64
  /// bits.
  func converts(to other: AttributeType) -> Bool {
    self != other && !(isWhole && other == .integer64)
  }
}
