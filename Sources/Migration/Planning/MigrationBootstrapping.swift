package import StrataMapping
package import StrataObjectModel

/// The decisions before a migration: which model wrote the store, which mapping model to use, and where to
/// create the migrated store.
///
/// Every requirement has a default implementation with Core Data's behavior; a team replaces those that differ.
///
/// ```swift
/// struct OurBootstrapping: MigrationBootstrapping {
///   func destinationPath(forStore path: String) -> String { path + ".migrated" }
/// }
/// ```
///
/// Source: `Docs/Facts/samples.md`, section 6 (the talk's NSStoreMigrationPolicy).
package protocol MigrationBootstrapping: Sendable {
  /// The model that wrote a store: one of the found models, a configuration of one, or several merged ones;
  /// `nil` if none matches.
  func sourceModel(
    forHashes hashes: [String: VersionHash], among models: [NamedModel]
  ) -> NamedModel?

  /// The mapping models from one model to another; if there are none, inference is used.
  func mappingModels(
    from source: NamedModel, to destination: NamedModel, among candidates: [NamedMappingModel]
  ) -> MappingChoice

  /// The path at which the migrated store is created before it replaces the old one.
  func destinationPath(forStore path: String) -> String
}

extension MigrationBootstrapping {
  package func sourceModel(
    forHashes hashes: [String: VersionHash], among models: [NamedModel]
  ) -> NamedModel? {
    WriterSearch(models.map { WriterCandidate($0) }).writers(of: hashes).first.flatMap { writer in
      writer.model.map { NamedModel(name: writer.name, model: $0) }
    }
  }

  package func mappingModels(
    from source: NamedModel, to destination: NamedModel, among candidates: [NamedMappingModel]
  ) -> MappingChoice {
    MappingChoice(from: source, to: destination, among: candidates)
  }

  package func destinationPath(forStore path: String) -> String { path + ".new" }
}

/// The decisions of Core Data.
package struct DefaultBootstrapping: MigrationBootstrapping {
  package init() {}
}
