internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite

/// Whether the rollback journal beside a store belongs to it. A journal does not name its store, and SQLite rolls
/// back any journal with the name of the store when it is next opened.
///
/// The result of rolling it back in a private copy decides:
///
/// | without the journal | rolled back | origin |
/// |---|---|---|
/// | damaged | intact | own: the transaction was being written |
/// | intact | damaged or empty | foreign |
/// | damaged | damaged | damaged: neither is the store |
/// | intact | the same bytes | own: nothing is lost |
/// | intact | intact | see below |
/// | with committed frames in a `-wal` | | never own: SQLite has one of them at a time; foreign where the store is intact with its `-wal`, else unclear |
///
/// If both are intact, three facts of SQLite decide:
///
/// - A journal is written in pages of the store's size: another size after the rollback is foreign.
/// - A transaction adds at most 1 to the change counter of the first page, and counts from what it has read there: any
///   other difference is foreign.
/// - A journal with the original first page contains that counter. It belongs to the store if the store has the
///   next count and the same UUID, or still has an identical first page.
///
/// Version hashes do not decide: a migration in place changes them. Neither does another UUID on its own: it leaves the
/// origin unclear, since another program may have written it. A journal without the first page proves nothing, though
/// a long transaction leaves one before it commits: unclear.
///
/// Source: SQLite's published file format, sections 1.3 and 3; `pager_write_changecounter` in its `pager.c`.
enum JournalOrigin {
  case own, foreign, unclear, damaged

  /// - Returns: `nil` if there is no journal to roll back.
  /// - Throws: ``StoreError/impossibleJournal(reason:)``, ``StoreError/changedMeanwhile`` if another program is
  ///   writing, and errors of reading the files.
  init?(of files: StoreFiles) throws(StoreError) {
    guard let journal = try files.hotJournal() else { return nil }
    let origin = try Self.origin(of: journal, beside: files)
    try files.checkUnchanged()
    self = origin
  }

  private static func origin(
    of journal: RollbackJournal, beside files: StoreFiles
  ) throws(StoreError) -> JournalOrigin {
    let now = try State(files.path, isRolledBack: false)
    if files.hasWALFrames, try files.usedWALSize() > WriteAheadLog.headerSize {
      return now.isIntact ? .foreign : .unclear
    }
    let before = try State(files.path, isRolledBack: true)
    switch (now.isIntact, before.isIntact) {
    case (false, true): return .own
    case (true, false): return .foreign
    case (false, false): return .damaged
    case (true, true): return try compare(now, before, journal)
    }
  }

  private static func compare(
    _ now: borrowing State, _ before: borrowing State, _ journal: RollbackJournal
  ) throws(StoreError) -> JournalOrigin {
    guard let (path, header) = now.file, let (oldPath, oldHeader) = before.file else {
      return .damaged
    }
    if journal.pageSize != oldHeader.pageSize { return .foreign }
    if FileManager.default.contentsEqual(atPath: path, andPath: oldPath) { return .own }
    let count = header.changeCounter &- oldHeader.changeCounter
    guard count <= 1 else { return .foreign }
    guard now.uuid == before.uuid, let first = try journal.firstPage() else { return .unclear }
    return count == 1 || (try? FileBytes.head(path, count: first.count)) == first ? .own : .unclear
  }

  /// A store with or without its journal as SQLite reads it.
  private struct State: ~Copyable {
    /// Whether it is an intact database.
    var isIntact: Bool { file != nil }
    /// The path of the file, if it is intact.
    private(set) var file: (path: String, header: SQLiteFileHeader)?
    /// `Z_UUID`, if there is one.
    private(set) var uuid: [[AttributeValue]]?
    private let snapshot: StoreSnapshot?

    init(_ path: String, isRolledBack: Bool) throws(StoreError) {
      do throws(StoreError) {
        let snapshot = try StoreSnapshot.take(of: path, withJournal: isRolledBack)
        let readable = snapshot.readablePath
        let connection = try SQLiteConnection(
          path: readable, mode: snapshot.mode, size: snapshot.size)
        let header = try StoreFiles(path: readable).header
        if try connection.withoutAuthorizer({ connection throws(StoreError) in
          try connection.faults("1")
        }).isEmpty {
          file = (readable, header)
        }
        uuid = try? connection.rows("SELECT Z_UUID FROM Z_METADATA LIMIT 1")
        self.snapshot = consume snapshot
      } catch {
        guard error.isOfContent else { throw error }
        snapshot = nil
      }
    }
  }
}
