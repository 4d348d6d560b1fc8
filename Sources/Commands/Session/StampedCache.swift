internal import StrataArchives
internal import StrataObjectModel

/// A cache of files that is invalidated when a file changes: a model may be edited while the prompt is open.
struct StampedCache<Key: Hashable, Value> {
  private static var limit: Int { 2000 }

  private var entries: [Key: (stamp: FileStamp?, value: Value)] = [:]

  /// The cached value; `nil` if there is none or the file has changed.
  ///
  /// - Parameter stamp: The stamp of the current file; `nil` for a value that has no file.
  func value(of key: Key, _ stamp: FileStamp?) -> Value? {
    guard let entry = entries[key], entry.stamp == stamp else { return nil }
    return entry.value
  }

  /// The cached value, or else a new one, which is kept.
  mutating func value(
    of key: Key, _ stamp: FileStamp?, else compute: () throws -> Value
  ) rethrows -> Value {
    if let known = value(of: key, stamp) { return known }
    let new = try compute()
    keep(new, of: key, stamp)
    return new
  }

  /// - Parameter stamp: The stamp from before the file was read, so that a change during reading is detected.
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
