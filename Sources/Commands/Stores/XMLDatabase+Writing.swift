internal import StrataArchives
internal import StrataBase
internal import StrataSQLite
internal import StrataStore

extension XMLDatabase {
  /// Writes the document atomically.
  ///
  /// - Throws: ``Diagnostic`` if it would be too large to read, or cannot be written.
  func write(to path: String, replacing: Bool) throws {
    try StoreFile.checkTarget(path, replacing: replacing, hasCompanions: false)
    if replacing { try StoreFile.checkReplaceable(path) }
    guard elementCount <= ArchiveLimits.elementCount else {
      throw Diagnostic(
        id: "store.tooLargeForXML",
        what:
          "the XML store would have \(elementCount) elements; the limit is \(ArchiveLimits.elementCount)",
        fix: "create a SQLite store")
    }
    let bytes = encoded()
    // An unreadable document must not replace a readable one.
    guard try XMLDatabase(reading: bytes).objects.count == objects.count else {
      throw StoreError.unwritable(reason: "the written document could not be read back")
    }
    try FolderUpdate.write(bytes, to: path)
  }
}
