public import StrataMapping
public import StrataObjectModel
internal import StrataValues

/// The decisions before a migration: which model wrote the store, which mapping model leads on, where the
/// migrated store goes.
///
/// Every requirement has Core Data's own answer as its default; a team replaces those it answers otherwise.
///
/// ```swift
/// struct OurBootstrapping: MigrationBootstrapping {
///   func destinationPath(forStore path: String) -> String { path + ".migrated" }
/// }
/// ```
///
/// Source: facts on the demonstrations, section 6 (the talk's NSStoreMigrationPolicy).
public protocol MigrationBootstrapping: Sendable {
  /// The model that wrote a store: one of those found, or several of them merged; `nil` where none fits.
  func sourceModel(
    forHashes hashes: [String: VersionHash], among models: [NamedModel]
  ) -> NamedModel?

  /// The mapping models from one model to another; with none, inference is asked.
  func mappingModels(
    from source: NamedModel, to destination: NamedModel, among candidates: [NamedMappingModel]
  ) -> MappingChoice

  /// Where the migrated store is made before it takes the place of the old one.
  func destinationPath(forStore path: String) -> String
}

extension MigrationBootstrapping {
  public func sourceModel(
    forHashes hashes: [String: VersionHash], among models: [NamedModel]
  ) -> NamedModel? {
    let known = models.map { (model: $0, hashes: $0.model.versionHashes()) }
    if let whole = known.first(where: { $0.hashes == hashes }) { return whole.model }
    // An app's model may be the union of several: those that are in the store as they are.
    var parts: [NamedModel] = []
    var covered: Set<String> = []
    for candidate in known.sorted(by: { $0.hashes.count > $1.hashes.count })
    where !candidate.hashes.isEmpty
      && candidate.hashes.allSatisfy({ hashes[$0.key] == $0.value })
      && !covered.isSuperset(of: candidate.hashes.keys)
    {
      parts.append(candidate.model)
      covered.formUnion(candidate.hashes.keys)
    }
    guard covered == Set(hashes.keys), parts.count > 1,
      let merged = try? ObjectModel(merging: parts.map(\.model)),
      merged.versionHashes() == hashes
    else { return nil }
    let names = parts.map(\.name).sorted { $0.precedesInBytes($1) }
    return NamedModel(name: names.joined(separator: "+"), model: merged)
  }

  public func mappingModels(
    from source: NamedModel, to destination: NamedModel, among candidates: [NamedMappingModel]
  ) -> MappingChoice {
    MappingChoice(from: source, to: destination, among: candidates)
  }

  public func destinationPath(forStore path: String) -> String { path + ".new" }
}

/// The decisions as Core Data takes them.
public struct DefaultBootstrapping: MigrationBootstrapping {
  public init() {}
}
