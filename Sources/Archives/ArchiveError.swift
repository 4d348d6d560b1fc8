/// Why an archive cannot be read: facts only; the words are in `ArchiveError+Diagnostic.swift`.
package enum ArchiveError: Error, Hashable, Sendable {
  /// Not a property list: the first bytes are those of neither form.
  case notAPropertyList
  /// The bytes end before `offset`, where more must follow.
  case truncated(offset: Int)
  /// An object reference, offset or UID points outside the file.
  case outOfRange(what: String, value: Int, count: Int)
  /// A container holds itself.
  case cyclic(object: Int)
  case tooDeep(limit: Int)
  case tooLarge(what: String, limit: Int)
  /// A byte that no rule of the format allows.
  case malformed(what: String, offset: Int)
  case invalidText(offset: Int)
  /// The compressed stream is broken.
  case notDeflate
  /// XML: not well-formed, at a place in the text.
  case notWellFormed(reason: String, line: Int, column: Int)
  /// XML: external or parameter entities, endless ones, or default attributes.
  case declaresEntities(line: Int)
  /// An XML property list with an element that is not one of its own.
  case unexpectedElement(String, line: Int)
  /// A keyed archive without `$objects`, `$top` or a root.
  case notAKeyedArchive(missing: String)
  /// An archived object of another class or shape than its place needs.
  case unexpectedObject(wanted: String, found: String)
}
