package import StrataArchives

/// The contents of `VersionInfo.plist` of a `.momd`, which the model compiler writes.
///
/// Source: `Docs/Facts/model-format.md`, section 4.1; three real bundles are read in the tests.
package struct VersionInfo: Sendable, Hashable {
  package var currentVersionName: String?
  /// Version name to entity name to hash.
  package var versionHashes: [String: [String: VersionHash]]
  /// Version name to the base64 encoding of 32 bytes; older compilers write none.
  package var versionChecksums: [String: String]

  /// Missing entries and entries of the wrong type are skipped.
  package init(_ plist: PropertyList) {
    currentVersionName = plist["NSManagedObjectModel_CurrentVersionName"]?.string
    versionHashes = (plist["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:])
      .compactMapValues { version in
        version.dictionary?.compactMapValues { $0.data.flatMap { VersionHash(bytes: $0) } }
      }
    versionChecksums = (plist["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:])
      .compactMapValues(\.string)
  }
}
