internal import StrataArchives
internal import StrataBase
internal import StrataEssentials

extension ObjectModel {
  /// The version hash of every entity.
  ///
  /// Shape: entity name to 32 bytes, as in `NSStoreModelVersionHashes`.
  package func versionHashes() -> [String: VersionHash] {
    memory.value {
      EntityHashes(
        byName: withHasher { hasher in
          Dictionary(
            uniqueKeysWithValues: entities.indices.map {
              (entities[$0].name, hasher.entityHash(at: $0))
            })
        })
    }.byName
  }

  /// The cached hashes of all entities.
  package struct EntityHashes: Sendable {
    var byName: [String: VersionHash]
  }

  /// Computes hashes from the cached ones, and caches the new ones.
  private func withHasher<Result>(_ body: (inout VersionHasher) -> Result) -> Result {
    var hasher = VersionHasher(self, knowing: memory.known(HashTable.self))
    let result = body(&hasher)
    memory.keep(hasher.table)
    return result
  }

  /// The version hashes of an entity's own and inherited persistent properties, by name.
  package func propertyHashes(of entity: String) -> [String: VersionHash] {
    propertyHashes(of: [entity])[entity] ?? [:]
  }

  /// The version hashes of the persistent properties of several entities; each property is hashed once.
  ///
  /// Shape: entity name to property name to 32 bytes; names that the model lacks are left out.
  package func propertyHashes(of entities: [String]) -> [String: [String: VersionHash]] {
    withHasher { hasher in
      var hashes: [String: [String: VersionHash]] = [:]
      for entity in entities {
        guard let index = index(ofEntity: entity) else { continue }
        hashes[entity] = hasher.allPropertyHashes(at: index)
      }
      return hashes
    }
  }

  /// All digests that contribute to the entities' hashes, in the order of computation; a shared digest occurs
  /// once.
  package func explainVersionHashes(of entities: [String]) -> [HashStep] {
    var hasher = VersionHasher(self, recording: true)
    for index in entities.compactMap({ index(ofEntity: $0) }) { _ = hasher.entityHash(at: index) }
    return hasher.steps
  }

  /// All digests that contribute to the hash of an own or inherited property; the property's hash is last.
  ///
  /// Shape: empty for a property that is not hashed.
  package func explainVersionHash(of property: String, entity: String) -> [HashStep] {
    let steps = explainVersionHashes(of: [entity])
    let sources = steps.last?.pieces.compactMap(\.field.source) ?? []
    guard let subject = sources.first(where: { $0.property == property }) else { return [] }
    let bySubject = Dictionary(uniqueKeysWithValues: steps.map { ($0.subject, $0) })
    var needed: Set<HashSubject> = []
    var waiting = [subject]
    while let next = waiting.popLast() {
      guard needed.insert(next).inserted else { continue }
      waiting += bySubject[next]?.pieces.compactMap(\.field.source) ?? []
    }
    return steps.filter { needed.contains($0.subject) }
  }
}

extension [String: VersionHash] {
  /// The version checksum, which identifies a model version in staged migration and is recorded in
  /// `VersionInfo.plist` and recent stores: base64 of SHA256( entity hashes, sorted by entity name ).
  package var versionChecksum: String { Self.checksum(inByteOrder) }

  /// `NSStoreModelVersionHashesDigest`: base64 of SHA512( for each entity sorted by name: name +
  /// hash ).
  package var versionDigest: String { Self.digest(inByteOrder) }

  /// ``versionChecksum`` and ``versionDigest``.
  package var versionSums: (checksum: String, digest: String) {
    let hashes = inByteOrder
    return (Self.checksum(hashes), Self.digest(hashes))
  }

  private var inByteOrder: [Element] { sorted { $0.key.precedesInBytes($1.key) } }

  private static func checksum(_ hashes: [Element]) -> String {
    Data(SHA2.digest256(of: hashes.flatMap(\.value.bytes))).base64EncodedString()
  }

  private static func digest(_ hashes: [Element]) -> String {
    Data(SHA2.digest512(of: hashes.flatMap { Array($0.key.utf8) + $0.value.bytes }))
      .base64EncodedString()
  }
}
