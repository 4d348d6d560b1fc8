internal import StrataBase
internal import StrataObjectModel
internal import StrataSamples

/// Whose values a saved session may hold: those of the built-in samples are nobody's own.
extension Session {
  fileprivate static let sampleHashes: Set<[String: VersionHash]> = Set(
    Sample.all.flatMap(\.bundle.versions).compactMap { try? $0.read().versionHashes() })

  /// Notes that the running command reads a store, by the hashes of the model that has written it.
  func noteReading(of hashes: [String: VersionHash]) {
    if running?.readings.last != hashes { running?.readings.append(hashes) }
  }

}

extension CommandContext {
  /// Whether the command has read a store of a user's own.
  var hasReadPrivately: Bool {
    let read = readings + (stepped.map { [$0.source.model.versionHashes()] } ?? [])
    return !read.allSatisfy(Session.sampleHashes.contains)
  }
}
