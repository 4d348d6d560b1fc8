extension ModelDocument: KeyedModelElement {
  static let keys: [ModelKey<ModelDocument>] = [
    .kept("name", .editor),
    .kept("type", .editor),
    .kept("documentVersion", .editor),
    .kept("lastSavedToolsVersion", .editor),
    .kept("systemVersion", .editor),
    .kept("minimumToolsVersion", .editor),
    .kept("sourceLanguage", .editor),
    .kept("usedWithCloudKit", .editor),
    .kept("usedWithSwiftData", .editor),
    .text(
      "userDefinedModelVersionIdentifier", .runtime,
      {
        $0.versionIdentifiers.isEmpty ? nil : $0.versionIdentifiers.sorted().joined(separator: ",")
      },
      { $0.versionIdentifiers = $1.map { [$0] } ?? [] }),
    .kept("macOSVersion", .editor),
    .kept("iOSVersion", .editor),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension ModelConfiguration: KeyedModelElement {
  static let keys: [ModelKey<ModelConfiguration>] = [
    .text("name", .runtime, { $0.name }, { $0.name = $1 ?? "" })
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension FetchRequestTemplate: KeyedModelElement {
  static let keys: [ModelKey<FetchRequestTemplate>] = [
    .text("name", .runtime, { $0.name }, { $0.name = $1 ?? "" }),
    .text("entity", .runtime, { $0.entityName }, { $0.entityName = $1 ?? "" }),
    .text("predicateString", .runtime, { $0.predicateText }, { $0.predicateText = $1 }),
    .kept("fetchLimit", .runtime),
    .kept("fetchBatchSize", .runtime),
    .kept("includeSubentities", .runtime),
    .kept("includePropertyValues", .runtime),
    .kept("includesPendingChanges", .runtime),
    .kept("returnObjectsAsFaults", .runtime),
    .kept("returnDistinctResults", .runtime),
    .kept("resultType", .runtime),
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension CompositeType: KeyedModelElement {
  static let keys: [ModelKey<CompositeType>] = [
    .text("name", .runtime, { $0.name }, { $0.name = $1 ?? "" })
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}
