internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// The state of the files of a SQLite store at one moment.
///
/// Two states are equal if nothing was written in between, by sizes, modification times, SQLite's change counter
/// and the WAL's salts.
struct StoreFiles: Hashable {
  struct State: Hashable {
    var stamp: FileStamp
    /// The first bytes: SQLite's header, or the WAL header with its salts.
    var head: [UInt8]

    var size: Int { stamp.size }
  }

  let path: String
  let main: State
  let wal: State?
  let journal: State?
  let header: SQLiteFileHeader

  /// - Parameter head: The first bytes of the store, if it must not be opened.
  /// - Throws: ``StoreError``: does not exist, a folder, unreadable, not a SQLite file, truncated.
  init(path: String, head: [UInt8]? = nil) throws(StoreError) {
    guard let main = try Self.state(of: path, head: head) else { throw .notFound }
    self.path = path
    self.main = main
    wal = try Self.state(of: path + "-wal")
    journal = try Self.state(of: path + "-journal")
    header = try SQLiteFileHeader(reading: main.head)
    if !hasWALFrames, !hasHotJournal, let expected = header.expectedSize, main.size < expected {
      throw .truncated(size: main.size, expected: expected)
    }
  }

  /// - Throws: ``StoreError/changedMeanwhile`` if the files have changed since.
  func checkUnchanged() throws(StoreError) {
    guard try StoreFiles(path: path) == self else { throw .changedMeanwhile }
  }

  /// Whether the WAL contains a frame: it has a header of 32 bytes, then frames of 24 bytes and a page each.
  var hasWALFrames: Bool {
    guard let wal else { return false }
    return wal.size >= 32 + 24 + 512
  }

  /// Whether the rollback journal may have to be played back: SQLite checks its first byte, which is zero before
  /// the journal is synced, and after the transaction.
  var hasHotJournal: Bool {
    guard let journal else { return false }
    return journal.size >= 512 && journal.head.first != 0
  }

  /// The journal, if it may have to be played back.
  ///
  /// - Throws: ``StoreError/superJournal`` if it names one, hot or not; ``StoreError/impossibleJournal(reason:)``
  ///   if SQLite cannot have written it.
  func hotJournal() throws(StoreError) -> RollbackJournal? {
    try SuperJournal.check(besideStoreAt: path)
    guard hasHotJournal, let journal else { return nil }
    let found = RollbackJournal(
      path: path + "-journal", size: journal.size, head: journal.head, of: header)
    try found.check(storeSize: main.size)
    return found
  }

  /// The size of the WAL in bytes up to the last commit that SQLite applies.
  func usedWALSize() throws(StoreError) -> Int { try writeAheadLog()?.committedSize ?? 0 }

  /// The fault of the WAL of a store that no other program has open: the WAL of a running writer may be incomplete.
  func walFault() throws(StoreError) -> WALFault? {
    guard let fault = try writeAheadLog()?.fault, StoreUsers.others(of: path).isEmpty else {
      return nil
    }
    return fault
  }

  private func writeAheadLog() throws(StoreError) -> WriteAheadLog? {
    guard let wal else { return nil }
    return try WriteAheadLog(reading: path + "-wal", size: wal.size)
  }

  /// For a store in WAL mode with a `-shm` and no `-wal`, the number of frames that the `-shm` counts and the store
  /// does not have; otherwise `nil`.
  ///
  /// Source: SQLite's published file format of the WAL index: `mxFrame` at offset 16, `nBackfill` at 96, both
  /// in the byte order of the machine.
  var missingFrames: Int? {
    guard header.usesWAL, wal == nil, let index = try? Self.state(of: path + "-shm")?.head else {
      return nil
    }
    guard index.count >= 100 else { return 0 }
    func number(_ offset: Int) -> Int {
      Int(index[offset..<(offset + 4)].reversed().bigEndianNumber)
    }
    return max(0, number(16) - number(96))
  }

  /// The number of first bytes that are compared.
  static let headSize = 256

  private static func state(
    of path: String, head: [UInt8]? = nil
  ) throws(StoreError) -> State? {
    do throws(FileError) {
      let file = try OpenedPath.state(of: path, headCount: head == nil ? headSize : nil)
      return State(stamp: file.stamp, head: head ?? file.head)
    } catch {
      switch error {
      case .notFound, .unreadable(_, .notAFolder): return nil
      case .isFolder:
        guard let end = StoreFile.journalEnds.first(where: path.hasSuffix) else { throw .isFolder }
        throw .unreadable(reason: "its \(end) is a folder")
      case .notAFile: throw .unreadable(reason: "it is a pipe or a device")
      default: throw StoreError(error)
      }
    }
  }
}
