internal import StrataArchives
internal import StrataObjectModel

/// What a session has read, for as long as the files stay as they were: somebody may edit a model while the prompt
/// is open.
struct StampedCache<Key: Hashable, Value> {
  private static var limit: Int { 2000 }

  private var entries: [Key: (stamp: FileStamp?, value: Value)] = [:]

  /// What was read; `nil` where it was never read, or was read from another file.
  ///
  /// - Parameter stamp: Of the file as it is now; `nil` for what is in no file.
  func value(of key: Key, _ stamp: FileStamp?) -> Value? {
    guard let entry = entries[key], entry.stamp == stamp else { return nil }
    return entry.value
  }

  /// - Parameter stamp: Taken before the file was read, so that a change meanwhile shows.
  mutating func keep(_ value: Value, of key: Key, _ stamp: FileStamp?) {
    if entries.count >= Self.limit { entries = [:] }
    entries[key] = (stamp, value)
  }
}

extension ModelVersion {
  /// The stamp of the file that the version is read from.
  var stamp: FileStamp? {
    guard case .file(let path) = source else { return nil }
    return FileStamp(path + "/contents") ?? FileStamp(path + "/elements") ?? FileStamp(path)
  }
}
