/// The text encoding of a database, fixed when it is created.
///
/// SQLite attaches only databases of one encoding.
///
/// Source: SQLite's published file format, section 1.3.13.
package enum TextEncoding: String, Sendable, Hashable, CaseIterable {
  case utf8 = "UTF-8"
  case utf16LittleEndian = "UTF-16le"
  case utf16BigEndian = "UTF-16be"
}
