extension MarkupElement {
  /// Reads an XML document as a tree.
  ///
  /// Entities that the document declares with their text are expanded, as far as expat's own protection
  /// against endless expansion allows. Nothing outside the bytes is ever read: a document type's system
  /// identifier is accepted and not fetched, external and parameter entities are refused, and so are
  /// default attributes. Nesting and the number of elements are bounded by ``ArchiveLimits``.
  ///
  /// - Throws: ``ArchiveError/notWellFormed(reason:line:column:)`` and related errors, with the location.
  package init(reading bytes: [UInt8]) throws(ArchiveError) {
    guard bytes.count <= ArchiveLimits.fileSize else {
      throw .tooLarge(what: "the size of the document", limit: ArchiveLimits.fileSize)
    }
    // Models and stores are written as UTF-8; UTF-16 is detected by its byte order mark or zero bytes.
    guard !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0xFF, 0xFE]),
      !bytes.prefix(4).contains(0)
    else { throw .notWellFormed(reason: "the text is not UTF-8", line: 1, column: 1) }
    self = try MarkupReader(bytes).read().get()
  }
}
