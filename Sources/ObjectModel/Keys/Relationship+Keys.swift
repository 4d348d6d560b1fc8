extension Relationship: KeyedModelElement {
  static let keys: [ModelKey<Relationship>] = [
    .text("name", .hashed, { $0.name }, { $0.name = $1 ?? "" }),
    .flag("optional", .hashed, { $0.isOptional }, { $0.isOptional = $1 }),
    .flag("transient", .hashed, { $0.isTransient }, { $0.isTransient = $1 }),
    .flag("toMany", .hashed, { $0.isDeclaredToMany }, { $0.isDeclaredToMany = $1 }),
    .count(
      "minCount", 0...Int(Int32.max), { $0.minCount == 0 ? nil : $0.minCount },
      { $0.minCount = $1 ?? 0 }),
    .count(
      "maxCount", Relationship.maxCounts,
      { $0.isDeclaredToMany ? $0.declaredMaxCount : 1 },
      { $0.declaredMaxCount = $1 }),
    .choice(
      "deletionRule", .runtime,
      choices: Dictionary(uniqueKeysWithValues: DeleteRule.allCases.map { ($0.name, $0) }),
      { $0.deleteRule.name }, { $0.deleteRule = $1 ?? .nullify }),
    .flag("ordered", .hashed, { $0.isOrdered }, { $0.isOrdered = $1 }),
    .text(
      "destinationEntity", .hashed, { $0.destinationName }, { $0.destinationName = $1 ?? "" }),
    .text("inverseName", .hashed, { $0.inverseName }, { $0.inverseName = $1 }),
    .text("inverseEntity", .editor, { $0.inverseEntityName }, { $0.inverseEntityName = $1 }),
    .text("elementID", .runtime, { $0.renamingIdentifier }, { $0.renamingIdentifier = $1 }),
    .text(
      "versionHashModifier", .hashed, { $0.versionHashModifier }, { $0.versionHashModifier = $1 }),
    .kept("indexed", .runtime),
    .kept("spotlightIndexingEnabled", .runtime),
    .kept("storedInTruthFile", .editor),
    .kept("syncable", .editor),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}
