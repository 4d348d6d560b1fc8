internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// A rollback journal, checked before any of it is copied or played back.
///
/// SQLite writes each original page at most once, as a record of page number, page and checksum, with a header of
/// one sector after each sync. It leaves no holes.
///
/// Source: SQLite's published file format, section 3.
struct RollbackJournal {
  /// Pages of the store when the transaction began; `nil` if the journal has no valid header and is not played back.
  let pageCount: Int?
  let path: String
  let size: Int
  let pageSize: Int
  let sectorSize: Int

  static let magic = SuperJournal.magic
  private static let largestPage = 65_536
  /// The largest sector that SQLite assumes.
  private static let largestSector = 65_536

  /// - Parameters:
  ///   - head: Its first bytes, at least 28.
  ///   - store: The header of the store beside it.
  init(path: String, size: Int, head: [UInt8], of store: SQLiteFileHeader) {
    func number(_ offset: Int) -> Int { Int(head[offset..<(offset + 4)].bigEndianNumber) }
    let isValid = head.count >= 28 && head.starts(with: Self.magic)
    self.path = path
    self.size = size
    pageCount = isValid ? number(16) : nil
    sectorSize = isValid ? min(max(number(20), 512), Self.largestSector) : Self.largestSector
    // If the journal has no page size, SQLite uses that of the store.
    pageSize =
      isValid && number(24) > 0
      ? min(max(number(24), 512), Self.largestPage) : max(store.pageSize, 512)
  }

  /// Checks that SQLite can have written it, by its header and its blocks on the disk.
  ///
  /// - Parameter storeSize: The size of the store in bytes, the limit for a journal without a header.
  /// - Throws: ``StoreError/impossibleJournal(reason:)``.
  func check(storeSize: Int) throws(StoreError) {
    let pages = pageCount ?? storeSize / pageSize + 1
    // A header of a sector before each record, at the next multiple of a sector; one behind them, and the name of a
    // super-journal. A count of pages has 32 bits.
    let most = pages * (4 + pageSize + 4 + 2 * sectorSize) + 2 * Self.largestSector
    guard size <= most else {
      throw .impossibleJournal(
        reason: "it has \(size) bytes, but \(pages) pages of the store need at most \(most)")
    }
    if let hole = SparseFile.firstHole(in: path, longerThan: Self.longestHole) {
      throw .impossibleJournal(
        reason:
          "\(hole.count) of its \(size) bytes are a hole, but SQLite writes journals without holes")
    }
  }

  /// A page of zeros, which some file systems do not store.
  private static let longestHole = 2 * (largestPage + largestSector)
}

/// The holes of a sparse file.
enum SparseFile {
  #if canImport(Darwin)
    private static let (seekHole, seekData): (Int32, Int32) = (3, 4)
  #else
    private static let (seekHole, seekData): (Int32, Int32) = (4, 3)
  #endif

  /// The first hole of at least this size; `nil` if there is none, or the file system does not report holes.
  static func firstHole(in path: String, longerThan limit: Int) -> Range<Int>? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let end = Int(lseek(file, 0, SEEK_END))
    var offset = 0
    while offset < end {
      let hole = Int(lseek(file, off_t(offset), seekHole))
      guard hole >= offset, hole < end else { return nil }
      let data = Int(lseek(file, off_t(hole), seekData))
      // After the last data there is a hole up to the end.
      guard data > hole else {
        guard data < 0, errno == ENXIO else { return nil }
        return end - hole > limit ? hole..<end : nil
      }
      if data - hole > limit { return hole..<data }
      offset = data
    }
    return nil
  }
}
