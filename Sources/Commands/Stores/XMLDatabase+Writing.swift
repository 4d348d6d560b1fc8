internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataSQLite
internal import StrataStore

extension XMLDatabase {
  /// Writes the document, all of it or nothing.
  ///
  /// - Throws: ``Diagnostic``: it would be too large to be read again, or cannot be written.
  func write(to path: String, replacing: Bool) throws {
    if replacing {
      try StoreFile.checkReplaceable(path)
    } else if FileStatus(path) != nil {
      // A link that leads nowhere, too.
      throw StoreError.alreadyExists
    }
    guard elementCount <= ArchiveLimits.elementCount else {
      throw Diagnostic(
        id: "store.tooLargeForXML",
        what:
          "an XML store is read whole: this one would have \(elementCount) elements, \(ArchiveLimits.elementCount) are the limit",
        fix: "make a SQLite store")
    }
    try StoreFile.checkFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    let bytes = encoded()
    // What cannot be read again must not take the place of what can.
    guard try XMLDatabase(reading: bytes).objects.count == objects.count else {
      throw StoreError.unwritable(reason: "the document would not be read again")
    }
    var update = FolderUpdate()
    update.write(bytes, to: path)
    try update.commit()
  }
}
