package import StrataArchives

/// What `VersionInfo.plist` of a `.momd` says: the model compiler's own account of its versions.
///
/// Source: facts on the model format, section 4.1; three real bundles are read in the tests.
package struct VersionInfo: Sendable, Hashable {
  package var currentVersionName: String?
  /// Version name to entity name to hash.
  package var versionHashes: [String: [String: VersionHash]]
  /// Version name to base64 text of 32 bytes; older compilers write none.
  package var versionChecksums: [String: String]

  /// What is not there, or of another kind than it should be, is left out.
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
