internal import StrataObjectModel
internal import StrataSamples
internal import StrataValues

/// Whose values a saved session may hold: those of the built-in samples are nobody's own.
extension Session {
  private static let sampleHashes: Set<[String: VersionHash]> = Set(
    Sample.all.flatMap(\.bundle.versions).compactMap { try? $0.read().versionHashes() })

  /// Notes that the running command reads a store, unless a sample's model has written it.
  func noteReading(of hashes: [String: VersionHash]) {
    if !Self.sampleHashes.contains(hashes) { privateReadings += 1 }
  }

  /// Whether the migration that is being stepped through is that of a private store.
  var isSteppingPrivately: Bool {
    stepping.map { !Self.sampleHashes.contains($0.planned.source.model.versionHashes()) } ?? false
  }
}
