package import StrataMapping
package import StrataObjectModel

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
package protocol MigrationBootstrapping: Sendable {
  /// The model that wrote a store: one of those found, what a configuration of one holds, or several of them merged;
  /// `nil` where none fits.
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

/// The decisions as Core Data takes them.
package struct DefaultBootstrapping: MigrationBootstrapping {
  package init() {}
}
