/// A property list as a tree of values, uninterpreted: the content of `Z_PLIST`, `.mom`, `VersionInfo.plist` and
/// `.xccurrentversion`.
///
/// ```swift
/// let plist = try PropertyList(reading: FileBytes.read("metadata.plist"))
/// plist["NSStoreType"]?.string  // "SQLite"
/// ```
package enum PropertyList: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// An integer above `Int64.max`.
  case largeInteger(UInt64)
  case real(Double)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case string(String)
  case data([UInt8])
  case array([PropertyList])
  case dictionary([String: PropertyList])
  /// A reference into `$objects` of a keyed archive; only binary property lists have these.
  case uid(Int)
}

extension PropertyList {
  /// Reads a binary or XML property list, detected by its first bytes.
  ///
  /// - Throws: ``ArchiveError``: neither format, damaged, or beyond a limit of ``ArchiveLimits``.
  package init(reading bytes: [UInt8]) throws(ArchiveError) {
    if bytes.starts(with: BinaryPropertyListReader.magic) {
      self = try BinaryPropertyListReader.read(bytes)
    } else {
      self = try Self(readingXML: bytes)
    }
  }

  package subscript(key: String) -> PropertyList? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries[key]
  }

  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  package var integer: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  package var boolean: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    default: nil
    }
  }

  package var data: [UInt8]? {
    guard case .data(let bytes) = self else { return nil }
    return bytes
  }

  package var array: [PropertyList]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var dictionary: [String: PropertyList]? {
    guard case .dictionary(let entries) = self else { return nil }
    return entries
  }

  /// The type of the value, for messages: `dictionary`.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "Boolean"
    case .integer, .largeInteger: "integer"
    case .real: "real"
    case .date: "date"
    case .string: "string"
    case .data: "data"
    case .array: "array"
    case .dictionary: "dictionary"
    case .uid: "reference"
    }
  }
}
