internal import StrataBase

/// The versions that differ from a store in the fewest entities, ties included.
package struct NearestVersions: Sendable, Hashable {
  /// One of the nearest versions, with its differences.
  package struct Version: Sendable, Hashable {
    package let model: NamedModel
    /// Entities with different hashes and entities that exist on one side only; by name.
    package let entities: [String]
    /// The changes of these entities from the store's own model to the version, if that model is known; only
    /// changes that change a hash.
    package let changes: [EntityDifference]
  }

  package private(set) var versions: [Version]
  /// Whether no version has an entity in common with the store.
  package let haveNothingInCommon: Bool
  /// Whether the properties are known from the store's own model.
  package let knowsProperties: Bool

  /// - Parameter own: The model cached in the store, if its hashes match the recorded ones.
  package init(
    to hashes: [String: VersionHash], among models: [NamedModel], own: ObjectModel?
  ) {
    knowsProperties = own != nil
    haveNothingInCommon =
      !models.isEmpty
      && !models.contains { $0.model.entityNames.contains { hashes[$0] != nil } }
    let ranked = models.map { model in
      (model: model, entities: Self.differing(model.model.versionHashes(), hashes))
    }
    let least = ranked.map(\.entities.count).min() ?? 0
    versions = []
    for (model, entities) in ranked where entities.count == least {
      // One model can be known under two names.
      guard !versions.contains(where: { $0.model.model == model.model }) else { continue }
      let names = Set(entities)
      let changes = own.map { own in
        model.model.difference(from: own).entities.filter {
          names.contains($0.name) || $0.oldName.map(names.contains) == true
        }.map { entity in
          var shown = entity
          shown.changes.removeAll { !$0.movesHash }
          return shown
        }
      }
      versions.append(Version(model: model, entities: entities, changes: changes ?? []))
    }
    guard knowsProperties else { return }
    // With equal numbers of differing entities, the fewest differing properties win.
    let fewest = versions.map(\.changeCount).min() ?? 0
    versions.removeAll { $0.changeCount > fewest }
  }

  /// The names of the entities that differ between two models.
  package static func differing(
    _ one: [String: VersionHash], _ other: [String: VersionHash]
  ) -> [String] {
    Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }
      .sorted { $0.precedesInBytes($1) }
  }
}

extension NearestVersions.Version {
  fileprivate var changeCount: Int { changes.reduce(0) { $0 + max(1, $1.changes.count) } }
}
