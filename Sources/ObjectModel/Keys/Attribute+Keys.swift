internal import StrataBase

extension Attribute: KeyedModelElement {
  static let keys: [ModelKey<Attribute>] = [
    .text("name", .hashed, { $0.name }, { $0.name = $1 ?? "" }),
    .flag("optional", .hashed, { $0.isOptional }, { $0.isOptional = $1 }),
    .flag("transient", .hashed, { $0.isTransient }, { $0.isTransient = $1 }),
    .choice(
      "attributeType", .hashed,
      choices: Dictionary(uniqueKeysWithValues: AttributeType.allCases.map { ($0.name, $0) }),
      { $0.type == .undefined ? nil : $0.type.name }, { $0.type = $1 ?? .undefined }),
    .text("composite", .hashed, { $0.compositeName }, { $0.compositeName = $1 }),
    .kept("valueTransformerName", .runtime),
    .kept("minDateTimeInterval", .runtime),
    .kept("minValueString", .runtime),
    .kept("maxDateTimeInterval", .runtime),
    .kept("maxValueString", .runtime),
    .kept("regularExpressionString", .runtime),
    // Dates use one key for the default value, all other types the other; a file can contain both, and the
    // unused one is preserved.
    .text(
      "defaultDateTimeInterval", .runtime, { $0.defaultText(isDate: true) },
      { $0.setDefaultText($1, isDate: true) }),
    .text(
      "defaultValueString", .runtime, { $0.defaultText(isDate: false) },
      { $0.setDefaultText($1, isDate: false) }),
    .kept("usesScalarValueType", .editor),
    .kept("customClassName", .runtime),
    .flag(
      "allowsExternalBinaryDataStorage", .hashed, { $0.allowsExternalBinaryStorage },
      { $0.allowsExternalBinaryStorage = $1 }),
    .flag(
      "preserveAfterDeletion", .hashed, { $0.preservesValueInHistoryOnDeletion },
      { $0.preservesValueInHistoryOnDeletion = $1 }),
    .flag("derived", .hashed, { $0.isDerived }, { $0.isDerived = $1 }),
    .text("derivationExpression", .hashed, { $0.derivation }, { $0.derivation = $1 }),
    .flag("indexed", .runtime, { $0.isIndexed }, { $0.isIndexed = $1 }),
    .text("elementID", .runtime, { $0.renamingIdentifier }, { $0.renamingIdentifier = $1 }),
    .text(
      "versionHashModifier", .hashed, { $0.versionHashModifier }, { $0.versionHashModifier = $1 }),
    .kept("allowsCloudEncryption", .runtime),
    .kept("spotlightIndexingEnabled", .runtime),
    .kept("storedInTruthFile", .editor),
    .kept("syncable", .editor),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension Attribute {
  fileprivate func defaultText(isDate: Bool) -> String? {
    isDate == (type == .date) ? defaultValue : extras.attributes[Self.defaultKey(isDate: isDate)]
  }

  fileprivate mutating func setDefaultText(_ text: String?, isDate: Bool) {
    if isDate == (type == .date) {
      defaultValue = text
    } else {
      extras.attributes[Self.defaultKey(isDate: isDate)] = text
    }
  }

  /// The XML attribute that contains the default value.
  static func defaultKey(isDate: Bool) -> String {
    isDate ? "defaultDateTimeInterval" : "defaultValueString"
  }
}
