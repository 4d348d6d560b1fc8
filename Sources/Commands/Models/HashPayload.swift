internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// What `hash` answers for a model or a store.
struct HashPayload: Sendable {
  struct EntityHash: Sendable {
    var hash: VersionHash
    var properties: [String: VersionHash]?
    /// The unproven rules that the hash depends on.
    var unproven: [String]?
  }

  var model: String
  var entities: [String: EntityHash]
  var checksum: String?
  var digest: String?
  /// For a store, the entities for which Strata computes another hash from the cached model.
  var unknownHashes: [String]?

  init(_ named: NamedModel, entities: [String], withProperties: Bool, isWhole: Bool) {
    model = named.name
    let hashes = named.model.versionHashes()
    let ofProperties = withProperties ? named.model.propertyHashes(of: entities) : [:]
    self.entities = [:]
    for entity in entities {
      guard let hash = hashes[entity] else { continue }
      let unproven = named.model.unprovenRules(of: entity).map(\.text)
      self.entities[entity] = EntityHash(
        hash: hash, properties: ofProperties[entity],
        unproven: unproven.isEmpty ? nil : unproven)
    }
    if isWhole {
      let isAll = self.entities.count == hashes.count
      let shown = isAll ? hashes : hashes.filter { self.entities[$0.key] != nil }
      (checksum, digest) = shown.versionSums
    }
  }

  /// The hashes of a whole model, or of one of its configurations.
  init(
    _ named: NamedModel, configuration: String?, withProperties: Bool
  ) throws(Diagnostic) {
    do {
      self.init(
        named, entities: try named.model.entityNames(inConfiguration: configuration),
        withProperties: withProperties, isWhole: true)
    } catch {
      throw error.diagnostic
    }
  }

  /// The recorded hashes of a store.
  init(name: String, recorded hashes: [String: VersionHash], unknown: [String]) {
    unknownHashes = unknown.isEmpty ? nil : unknown
    model = name
    entities = hashes.mapValues { EntityHash(hash: $0) }
    (checksum, digest) = hashes.versionSums
  }
}

extension HashPayload: JSONRepresentable {
  var json: JSONValue {
    .object(withoutNull: [
      "checksum": checksum, "digest": digest, "entities": JSONValue(entities), "model": model,
      "unknownHashes": unknownHashes,
    ])
  }
}

extension HashPayload.EntityHash: JSONRepresentable {
  var json: JSONValue {
    .object(withoutNull: [
      "hash": hash.hex, "properties": properties.map { JSONValue($0.mapValues(\.hex)) },
      "unproven": unproven,
    ])
  }
}
