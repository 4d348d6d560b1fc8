internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataSQLite

extension Attribute {
  /// The replacement for a missing value: the default value of a required attribute. Inference uses it only if
  /// the attribute was optional: a value that is missing in a required attribute stays missing, and validation
  /// fails in the third pass.
  func standIn(for old: Attribute?, isInferred: Bool) -> AttributeValue {
    guard !isOptional, !isInferred || old?.isOptional != false else { return .null }
    return storedDefault
  }

  /// The stored form of a column's value in this attribute, see ``NumberFit``; binary data with or without the
  /// byte that marks its location.
  func conversion(of column: String, from old: Attribute) -> String {
    if type == .binary, allowsExternalBinaryStorage != old.allowsExternalBinaryStorage {
      return
        (allowsExternalBinaryStorage ? ExternalDataFunctions.wrap : ExternalDataFunctions.unwrap)
        + "(\(column))"
    }
    return converts(from: old) ? stored(column) : column
  }

  /// Whether numbers of another attribute can have another stored form in this one.
  private func converts(from old: Attribute) -> Bool {
    old.type.isNumber && type.isNumber && old.type.converts(to: type)
  }

  /// The SQL conditions under which a column's number loses data in this attribute.
  func losses(of column: String, from old: Attribute) -> [(kind: LossRule, condition: String)] {
    converts(from: old) ? type.losses(of: column) : []
  }

  /// SQL for the stored form of a number in this attribute; a number out of range is replaced by the default
  /// value of a required attribute.
  func stored(_ sql: String) -> String {
    let stored = type.stored(sql)
    guard !isOptional, storedDefault != .null, type != .boolean else { return stored }
    return "CASE WHEN \(sql) IS NOT NULL THEN coalesce(\(stored), \(storedDefault.sqlLiteral)) END"
  }

  /// Rejects a value of the wrong type, as NSManagedObject does.
  ///
  /// - Throws: ``MigrationError/unfittingValue(property:entity:gives:wants:)``.
  func check(_ value: AttributeValue, of entity: String) throws(MigrationError) {
    guard !type.accepts(value) else { return }
    throw .unfittingValue(
      property: name, entity: entity, gives: ValueKind(value).description,
      wants: ValueKind(type).description)
  }

  /// The stored form of a value in this attribute, and its loss.
  func stored(_ value: AttributeValue) -> (value: AttributeValue, loss: LossRule?) {
    let loss = type.fit(of: value).loss(in: type)
    let converted = value.converted(to: type)
    guard converted == .null, value != .null, !isOptional else { return (converted, loss) }
    return (storedDefault, loss)
  }
}

extension AttributeType {
  /// Whether a value has a type that can be stored as this type.
  func accepts(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (_, .null), (.undefined, _), (.objectID, _), (.composite, _): true
    // NSDecimalNumber.notANumber is stored as text.
    case (.decimal, .text(let text)): text.lowercased() == "nan"
    case (.string, .text), (.uri, .text): true
    case (.uuid, .bytes(let bytes)): bytes.count == 16
    case (.binary, .bytes), (.transformable, .bytes): true
    case (.string, _), (.uri, _), (.uuid, _), (.binary, _), (.transformable, _): false
    case (_, .integer), (_, .real): true
    default: false
    }
  }

  /// Whether values of this type can have another stored form in another type; every integer is a 64-bit
  /// integer.
  func converts(to other: AttributeType) -> Bool {
    self != other && !(isWhole && other == .integer64)
  }
}
