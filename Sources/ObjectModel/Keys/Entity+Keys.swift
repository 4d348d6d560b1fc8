extension Entity: KeyedModelElement {
  static let keys: [ModelKey<Entity>] = [
    .text("name", .hashed, { $0.name }, { $0.name = $1 ?? "" }),
    .text("representedClassName", .runtime, { $0.className }, { $0.className = $1 }),
    .flag("isAbstract", .hashed, { $0.isAbstract }, { $0.isAbstract = $1 }),
    .text(
      "parentEntity", .hashed, { $0.superentityName },
      { $0.superentityName = $1 == "" ? nil : $1 }),
    .text("elementID", .runtime, { $0.renamingIdentifier }, { $0.renamingIdentifier = $1 }),
    .text(
      "versionHashModifier", .hashed, { $0.versionHashModifier }, { $0.versionHashModifier = $1 }),
    .kept("syncable", .editor),
    .kept("codeGenerationType", .editor),
    .kept("spotlightIndexingEnabled", .runtime),
    .kept("coreSpotlightDisplayNameExpression", .runtime),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension FetchedProperty: KeyedModelElement {
  static let keys: [ModelKey<FetchedProperty>] = [
    .text("name", .runtime, { $0.name }, { $0.name = $1 ?? "" }),
    .flag("optional", .runtime, { $0.isOptional }, { $0.isOptional = $1 }),
    .flag("transient", .runtime, { $0.isTransient }, { $0.isTransient = $1 }),
    .text("elementID", .runtime, { $0.renamingIdentifier }, { $0.renamingIdentifier = $1 }),
    .text(
      "versionHashModifier", .runtime, { $0.versionHashModifier },
      { $0.versionHashModifier = $1 }),
    .kept("syncable", .editor),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension FetchIndex: KeyedModelElement {
  static let keys: [ModelKey<FetchIndex>] = [
    .text("name", .runtime, { $0.name }, { $0.name = $1 ?? "" }),
    .text("predicate", .runtime, { $0.predicateText }, { $0.predicateText = $1 }),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension FetchIndex.Element: KeyedModelElement {
  static let keys: [ModelKey<FetchIndex.Element>] = [
    .text("property", .runtime, { $0.propertyName }, { $0.propertyName = $1 }),
    .text("expression", .runtime, { $0.expressionText }, { $0.expressionText = $1 }),
    .choice(
      "type", .runtime, choices: ["Binary": false, "RTree": true],
      { $0.isRTree ? "RTree" : "Binary" }, { $0.isRTree = $1 ?? false }),
    .choice(
      "order", .runtime, choices: ["ascending": true, "descending": false],
      { $0.isAscending ? "ascending" : "descending" }, { $0.isAscending = $1 ?? true }),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}
