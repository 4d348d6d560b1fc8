internal import StrataArchives
internal import StrataMapping

/// The mapping models that a session has read of files that are no text, for as long as the files stay as they were:
/// each holds two models, and every plan asks all of them.
struct MappingCache {
  private struct Entry {
    var stamp: FileStamp
    var document: MappingDocument
  }

  private static let limit = 500

  private var entries: [String: Entry] = [:]

  /// What was read at a path.
  ///
  /// - Parameter stamp: Of the file as it is now.
  func document(at path: String, _ stamp: FileStamp?) -> MappingDocument? {
    guard let entry = entries[path], entry.stamp == stamp else { return nil }
    return entry.document
  }

  /// - Parameter stamp: Taken before the file was read, so that a change meanwhile shows.
  mutating func keep(_ document: MappingDocument, at path: String, _ stamp: FileStamp?) {
    guard let stamp else { return }
    if entries.count >= Self.limit { entries = [:] }
    entries[path] = Entry(stamp: stamp, document: document)
  }
}
