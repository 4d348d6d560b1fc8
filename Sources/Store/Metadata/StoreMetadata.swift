package import StrataArchives
internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// The metadata of a store: who wrote it, and with which model.
///
/// Source: `Docs/Facts/sqlite-schema.md`, section 2.1 (99 real stores).
package struct StoreMetadata: Sendable, Hashable {
  /// `NSStoreType`: `SQLite`.
  package var type: String?
  /// `Z_UUID`, upper-case.
  package var uuid: String
  /// `NSPersistenceFrameworkVersion`: 637 is iOS 9, 1344 iOS 17.
  package var frameworkVersion: Int64?
  /// `NSStoreModelVersionIdentifiers`.
  package var versionIdentifiers: [String]
  /// `NSStoreModelVersionHashes`: entity name to hash.
  package var versionHashes: [String: VersionHash]
  /// `NSStoreModelVersionHashesVersion`: 3.
  package var hashesVersion: Int64?
  /// `NSStoreModelVersionHashesDigest`, base64; recent systems write it.
  package var digest: String?
  /// `NSStoreModelVersionChecksumKey`, base64; the newest systems write it.
  package var checksum: String?
  /// All other keys, including an application's own.
  package var others: [String: PropertyList]

  /// The keys that Core Data writes; the value of any other key may contain a user's data.
  package static let ownKeys: Set = [
    "NSStoreType", "NSPersistenceFrameworkVersion", "NSStoreModelVersionIdentifiers",
    "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey", "_NSAutoVacuumLevel",
    "NSStoreUUID", "NSPersistenceMaximumFrameworkVersion",
  ]

  /// Whether Core Data has deferred the end of a lightweight migration.
  ///
  /// Source: `Docs/Facts/migration-process.md`, section 5.
  var hasDeferredMigration: Bool {
    others["NSPersistentStoreDeferredLightweightMigrationOptionKey"] != nil
  }

  /// Reads the property list of `Z_METADATA`.
  ///
  /// - Throws: ``StoreError/unreadableMetadata(reason:)``.
  package init(plist bytes: [UInt8], uuid: String) throws(StoreError) {
    let plist: PropertyList
    do {
      plist = try PropertyList(reading: bytes)
    } catch {
      throw .unreadableMetadata(reason: error.diagnostic.what)
    }
    guard let entries = plist.dictionary else {
      throw .unreadableMetadata(reason: "it is a \(plist.kind), not a dictionary")
    }
    try self.init(entries: entries, uuid: uuid, type: nil)
  }

  /// - Parameter type: The store type, if the metadata does not contain it.
  init(
    entries: [String: PropertyList], uuid: String, type defaultType: String?
  ) throws(StoreError) {
    guard let hashes = entries["NSStoreModelVersionHashes"]?.dictionary else {
      throw .unreadableMetadata(reason: "NSStoreModelVersionHashes is missing")
    }
    var versionHashes: [String: VersionHash] = [:]
    for (entity, value) in hashes {
      guard let hash = value.data.flatMap({ VersionHash(bytes: $0) }) else {
        throw .unreadableMetadata(reason: "the hash of \(entity) is not 32 bytes")
      }
      versionHashes[entity] = hash
    }
    self.uuid = uuid
    self.versionHashes = versionHashes
    type = entries["NSStoreType"]?.string ?? defaultType
    frameworkVersion = entries["NSPersistenceFrameworkVersion"]?.integer
    versionIdentifiers =
      entries["NSStoreModelVersionIdentifiers"]?.array?.compactMap(\.string) ?? []
    hashesVersion = entries["NSStoreModelVersionHashesVersion"]?.integer
    digest = entries["NSStoreModelVersionHashesDigest"]?.string
    checksum = entries["NSStoreModelVersionChecksumKey"]?.string
    others = entries.filter { key, _ in
      key == "_NSAutoVacuumLevel" || !Self.ownKeys.contains(key)
    }
  }

  /// The metadata of a new SQLite store of a model, with the keys that this version of Core Data writes.
  package init(model: ObjectModel, uuid: String, version: FrameworkVersion) {
    self.uuid = uuid
    frameworkVersion = version.number
    type = "SQLite"
    versionHashes = model.versionHashes()
    versionIdentifiers = model.document.versionIdentifiers.sorted()
    hashesVersion = 3
    digest = version.recordsDigest ? versionHashes.versionDigest : nil
    checksum = version.recordsChecksum ? versionHashes.versionChecksum : nil
    others = ["_NSAutoVacuumLevel": .string("2")]
  }

  /// The property list of `Z_METADATA`; the UUID has its own column.
  package var plist: PropertyList {
    var entries = others
    entries["NSStoreType"] = type.map { .string($0) }
    entries["NSPersistenceFrameworkVersion"] = frameworkVersion.map { .integer($0) }
    entries["NSStoreModelVersionIdentifiers"] = .array(versionIdentifiers.map { .string($0) })
    entries["NSStoreModelVersionHashes"] = .dictionary(
      versionHashes.mapValues { .data($0.bytes) })
    entries["NSStoreModelVersionHashesVersion"] = hashesVersion.map { .integer($0) }
    entries["NSStoreModelVersionHashesDigest"] = digest.map { .string($0) }
    entries["NSStoreModelVersionChecksumKey"] = checksum.map { .string($0) }
    return .dictionary(entries)
  }
}
