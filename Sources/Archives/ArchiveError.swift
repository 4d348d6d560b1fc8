/// An error of reading an archive: facts only; the messages are in `ArchiveError+Diagnostic.swift`.
package enum ArchiveError: Error, Hashable, Sendable {
  /// Not a property list: the first bytes match neither format.
  case notAPropertyList
  /// The data end at `offset`, inside a value.
  case truncated(offset: Int)
  /// An object reference, offset or UID points outside the file.
  case outOfRange(what: String, value: Int, count: Int)
  /// A container contains itself.
  case cyclic(object: Int)
  case tooDeep(limit: Int)
  case tooLarge(what: String, limit: Int)
  /// A byte that no rule of the format allows.
  case malformed(what: String, offset: Int)
  case invalidText(offset: Int)
  /// The compressed stream is broken.
  case notDeflate
  /// XML that is not well-formed, with the position.
  case notWellFormed(reason: String, line: Int, column: Int)
  /// XML with external, parameter or recursive entities, or default attributes.
  case declaresEntities(line: Int)
  /// An XML property list with an unknown element.
  case unexpectedElement(String, line: Int)
  /// A keyed archive without `$objects`, `$top` or a root.
  case notAKeyedArchive(missing: String)
  /// An archived object of an unexpected class or shape.
  case unexpectedObject(wanted: String, found: String)
}
