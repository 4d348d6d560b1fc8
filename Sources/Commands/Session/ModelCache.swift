internal import StrataArchives
internal import StrataDiagnostics
internal import StrataObjectModel

/// The models that a session has read, for as long as their files stay as they were: somebody may
/// edit a model while the prompt is open.
struct ModelCache {
  private struct Entry {
    var stamp: FileStamp?
    var result: Result<ObjectModel, Diagnostic>
  }

  private var entries: [ModelVersion: Entry] = [:]

  /// What reading a version gave; `nil` where it was never read, or was read from another file.
  subscript(version: ModelVersion) -> Result<ObjectModel, Diagnostic>? {
    guard let entry = entries[version], entry.stamp == Self.stamp(of: version) else { return nil }
    return entry.result
  }

  /// - Parameter stamp: Taken before the version was read, so that a change meanwhile shows.
  mutating func keep(
    _ result: Result<ObjectModel, Diagnostic>, of version: ModelVersion, stamp: FileStamp?
  ) {
    entries[version] = Entry(stamp: stamp, result: result)
  }

  /// The stamp of the file that a version is read from.
  static func stamp(of version: ModelVersion) -> FileStamp? {
    guard case .file(let path) = version.source else { return nil }
    return FileStamp(path + "/contents") ?? FileStamp(path + "/elements") ?? FileStamp(path)
  }
}
