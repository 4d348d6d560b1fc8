internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataStore

extension XMLDatabase {
  /// Writes the document, all of it or nothing.
  ///
  /// - Throws: ``Diagnostic``: it would be too large to be read again, or cannot be written.
  func write(to path: String) throws {
    guard elementCount <= ArchiveLimits.elementCount else {
      throw Diagnostic(
        id: "store.tooLargeForXML",
        what:
          "an XML store is read whole: this one would have \(elementCount) elements, \(ArchiveLimits.elementCount) are the limit",
        mend: "make a SQLite store")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else {
      throw FileError.unwritable(path, reason: "there is no folder \(folder)")
    }
    var update = FolderUpdate()
    update.write(encoded(), to: path)
    try update.commit()
  }
}
