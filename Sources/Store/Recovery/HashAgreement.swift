package import StrataObjectModel

/// The comparison of the version hashes that Strata computes for a model with those in a store's metadata.
///
/// Core Data computed the recorded hashes, so the cached model of a store shows whether Strata knows all rules of
/// the hash.
package struct HashAgreement: Sendable, Hashable {
  /// Entities of both with different hashes, sorted.
  package let different: [String]
  package let onlyInMetadata: [String]
  package let onlyInModel: [String]

  package init(of model: ObjectModel, with metadata: StoreMetadata) {
    let computed = model.versionHashes()
    let recorded = metadata.versionHashes
    different = computed.keys.filter { name in
      recorded[name].map { $0 != computed[name] } ?? false
    }.sorted()
    onlyInMetadata = recorded.keys.filter { computed[$0] == nil }.sorted()
    onlyInModel = computed.keys.filter { recorded[$0] == nil }.sorted()
  }

  package var isWhole: Bool { different.isEmpty && onlyInMetadata.isEmpty && onlyInModel.isEmpty }

  /// Whether the metadata record some entities of the model and no others: a store of a configuration.
  package var isPart: Bool { different.isEmpty && onlyInMetadata.isEmpty }

  /// All entities that do not agree.
  package var entities: [String] { (different + onlyInMetadata + onlyInModel).sorted() }

  /// The finding if the tables match the model, or were not compared.
  package var rule: StoreRule {
    onlyInMetadata.isEmpty && onlyInModel.isEmpty ? .unknownHash(different) : .otherModel(self)
  }
}
