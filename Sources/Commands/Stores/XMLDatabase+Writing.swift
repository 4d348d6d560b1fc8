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
    var update = FolderUpdate()
    update.write(encoded(), to: path)
    try update.commit()
  }
}
