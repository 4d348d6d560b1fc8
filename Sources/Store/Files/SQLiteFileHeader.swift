internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// The header of a SQLite file (100 bytes), checked before SQLite opens it.
///
/// Source: SQLite's published file format, section 1.3.
struct SQLiteFileHeader: Hashable {
  /// The page size in bytes.
  let pageSize: Int
  /// The number of pages, as of the last change by a version of SQLite that records it.
  let pageCount: Int
  /// The file change counter, incremented by each transaction in rollback mode.
  let changeCounter: UInt32
  /// The number of free pages.
  let freePages: Int
  /// Whether the file is in WAL mode.
  let usesWAL: Bool
  let textEncoding: TextEncoding
  /// Whether `pageCount` belongs to `changeCounter`.
  private let countIsValid: Bool

  private static let magic = Array("SQLite format 3\0".utf8)

  /// Whether a file begins with the magic string of SQLite; it may be damaged.
  static func begins(_ path: String) -> Bool {
    ((try? FileBytes.head(path, count: magic.count)) ?? []).starts(with: magic.dropLast())
  }

  /// - Throws: ``StoreError/notSQLite(kind:)`` with a guess at what the file is instead.
  init(reading bytes: [UInt8]) throws(StoreError) {
    guard bytes.starts(with: Self.magic) else {
      if Self.magic.starts(with: bytes) {
        throw bytes.isEmpty
          ? .notSQLite(kind: "an empty file") : .truncated(size: bytes.count, expected: 100)
      }
      throw .notSQLite(kind: Self.guess(bytes))
    }
    guard bytes.count >= 100 else { throw .truncated(size: bytes.count, expected: 100) }
    func number(_ offset: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: bytes[offset..<(offset + 4)].bigEndianNumber)
    }
    let size = Int(bytes[16..<18].bigEndianNumber)
    pageSize = size == 1 ? 65536 : size
    pageCount = Int(number(28))
    changeCounter = number(24)
    freePages = Int(number(36))
    usesWAL = bytes[18] == 2
    textEncoding =
      switch number(56) {
      case 2: .utf16LittleEndian
      case 3: .utf16BigEndian
      default: .utf8
      }
    countIsValid = number(24) == number(92)
  }

  /// The expected file size in bytes; `nil` if the header does not contain it.
  var expectedSize: Int? { countIsValid && pageCount > 0 ? pageSize * pageCount : nil }

  private static func guess(_ bytes: [UInt8]) -> String? {
    let start = String(decoding: bytes.prefix(256), as: UTF8.self)
    if start.hasPrefix("bplist") { return "a binary property list" }
    if start.contains("<model") { return "a data model" }
    if start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE") { return "an XML file" }
    return nil
  }
}
