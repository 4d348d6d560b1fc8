internal import StrataBase
internal import StrataObjectModel
internal import StrataSamples

/// Decides whether a saved session may contain values of a store: only for models of the built-in samples.
extension Session {
  private static let sampleHashes: Set<[String: VersionHash]> = Set(
    Sample.all.flatMap(\.bundle.versions).compactMap { try? $0.read().versionHashes() })

  /// Records the version hashes of a store that the running command reads.
  func noteReading(of hashes: [String: VersionHash]) {
    if running?.readings.last != hashes { running?.readings.append(hashes) }
  }

  /// Whether values of a user's own store are among those of some stores.
  static func hasOwnStore(_ stores: Set<[String: VersionHash]>) -> Bool {
    !stores.isSubset(of: sampleHashes)
  }

  /// Whether values of the store of a model are not private.
  static func isOfSample(_ model: ObjectModel) -> Bool {
    sampleHashes.contains(model.versionHashes())
  }
}

extension CommandContext {
  /// The version hashes of the stores that the command has read.
  var readStores: Set<[String: VersionHash]> {
    Set(readings + (stepped.map { [$0.source.model.versionHashes()] } ?? []))
  }
}
