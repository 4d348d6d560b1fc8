extension ModelDocument: KeyedModelElement {
  static let keys: [ModelKey<ModelDocument>] = [
    .kept("type", .editor),
    .kept("documentVersion", .editor),
    .kept("lastSavedToolsVersion", .editor),
    .kept("systemVersion", .editor),
    .kept("minimumToolsVersion", .editor),
    .kept("sourceLanguage", .editor),
    .kept("usedWithCloudKit", .editor),
    .kept("usedWithSwiftData", .editor),
    .kept("macOSVersion", .editor),
    .kept("iOSVersion", .editor),
    .kept("name", .editor),
    .text(
      "userDefinedModelVersionIdentifier", .runtime,
      {
        $0.versionIdentifiers.isEmpty ? nil : $0.versionIdentifiers.sorted().joined(separator: ",")
      },
      { $0.versionIdentifiers = $1.map { [$0] } ?? [] }),
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
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}

extension CompositeType: KeyedModelElement {
  static let keys: [ModelKey<CompositeType>] = [
    .text("name", .runtime, { $0.name }, { $0.name = $1 ?? "" })
  ]

  static let keysByName = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0) })
}
