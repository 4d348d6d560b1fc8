internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// The JSON shape of `hash`.
struct HashPayload: Encodable, Sendable {
  struct EntityHash: Encodable, Sendable {
    var hash: String
    var properties: [String: String]?
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
        hash: hash.hex,
        properties: ofProperties[entity]?.mapValues(\.hex),
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
    entities = hashes.mapValues { EntityHash(hash: $0.hex) }
    (checksum, digest) = hashes.versionSums
  }
}

extension HashPayload {
  /// The payload as ``JSONValue``, which is faster to encode for a hundred versions.
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    if let checksum { members.append(("checksum", .string(checksum))) }
    if let digest { members.append(("digest", .string(digest))) }
    let sorted = entities.sorted { $0.key < $1.key }
    members.append(("entities", .object(sorted.map { ($0.key, $0.value.json) })))
    members.append(("model", .string(model)))
    return .object(members)
  }
}

extension HashPayload.EntityHash {
  fileprivate var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [("hash", .string(hash))]
    if let properties {
      let sorted = properties.sorted { $0.key < $1.key }
      members.append(("properties", .object(sorted.map { ($0.key, .string($0.value)) })))
    }
    if let unproven { members.append(("unproven", .array(unproven.map { .string($0) }))) }
    return .object(members)
  }
}
