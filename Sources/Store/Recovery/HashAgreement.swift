package import StrataObjectModel

/// How the version hashes of a model, as Strata computes them, agree with those that a store records.
///
/// Core Data computed the recorded hashes, so the model that a store caches shows whether Strata knows all
/// rules of the hash.
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

  /// Every entity that does not agree.
  package var entities: [String] { (different + onlyInMetadata + onlyInModel).sorted() }

  /// The finding where the tables fit the model, or no one has compared them.
  package var rule: StoreRule {
    onlyInMetadata.isEmpty && onlyInModel.isEmpty ? .unknownHash(different) : .otherModel(self)
  }
}
