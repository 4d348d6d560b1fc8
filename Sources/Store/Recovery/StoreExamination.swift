internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataSQLite

/// Examines a store for traces of an interrupted migration or a crash. Changes nothing.
struct StoreExamination {
  private(set) var findings: [Finding] = []
  private let path: String
  private let models: [NamedModel]

  /// - Parameter models: Models that may have written it, besides the one that it caches.
  init(of given: String, models: [NamedModel] = []) {
    path = RealPath.resolving(given)
    self.models = models
    do throws(StoreError) {
      try examine()
    } catch {
      switch error {
      case .damaged, .truncated,
        .sqlite where error.isOfContent:
        // sqlite3 cannot recover a document.
        found(
          StoreForm(of: path)?.isAtomic == true
            ? .unreadable(reason: error.diagnostic.what, fix: "restore a backup")
            : .damage([error.diagnostic.what]))
      case .notSQLite(kind: nil):
        found(
          .unreadable(
            reason: error.diagnostic.what,
            fix: "restore a backup; if the file belongs to another program, ignore this"))
      default:
        let diagnostic = error.diagnostic
        found(.unreadable(reason: diagnostic.what, fix: diagnostic.fix ?? ""))
      }
    }
  }

  private mutating func found(_ rule: StoreRule) {
    findings.append(Finding(rule, path: path, users: StoreUsers.others(of: path)))
  }

  private mutating func examine() throws(StoreError) {
    if let document = try StoreForm(of: path)?.document(at: path) { return examine(document) }
    let files = try StoreFiles(path: path)
    switch try JournalOrigin(of: files) {
    case .own: found(.hotJournal)
    case .foreign: return found(.foreignJournal)
    case .unclear: return found(.unclearJournal)
    case .damaged: return found(.damage([Self.damagedWithJournal] + (try Self.faults(path))))
    case nil: break
    }
    if let frames = files.missingFrames { found(.missingWAL(frames: frames)) }
    let faults = try Self.faults(path)
    if !faults.isEmpty { try files.checkUnchanged() }
    if files.hasWALFrames, !faults.isEmpty, try Self.faultsOfFileAlone(path).isEmpty {
      return found(.foreignWAL)
    }
    guard faults.isEmpty else { return found(.damage(faults)) }
    if try Self.isWALUnclear(files) { return found(.unclearWAL) }
    if let fault = try files.walFault() {
      found(.damagedWAL(fault))
    } else if files.hasWALFrames, StoreUsers.others(of: path).isEmpty {
      let bytes = try files.usedWALSize()
      if bytes > WriteAheadLog.headerSize { found(.leftoverWAL(bytes: bytes)) }
    }
    let store = try SQLiteStore(reading: path)
    if store.metadata.hasDeferredMigration { found(.deferredMigration) }
    if let pending = store.metadata.pendingStage { found(.pendingStage(pending.scripts)) }
    for rule in try SchemaExamination(of: store, models: models).rules { found(rule) }
    try compareFiles(store)
    try store.checkUnchanged()
  }

  /// A document is intact if it can be read; with the model that wrote it, its objects are read too.
  private mutating func examine(_ document: any AtomicStore) {
    let hashes = document.metadata.versionHashes
    guard let model = models.first(where: { $0.model.versionHashes() == hashes })?.model else {
      return found(.noModel)
    }
    do throws(StoreError) {
      _ = try document.inMemoryStore(of: model)
    } catch {
      found(
        .unreadable(reason: error.diagnostic.what, fix: error.diagnostic.fix ?? "restore a backup")
      )
    }
  }

  /// Checks that the rollback journal and the WAL beside a store belong to it and are intact, before SQLite applies
  /// them.
  ///
  /// - Throws: ``StoreError/foreignJournal``, ``StoreError/unclearJournal``, ``StoreError/foreignWAL``,
  ///   ``StoreError/unclearWAL``, ``StoreError/damagedWAL``; ``StoreError/damaged(_:)`` if the store is damaged with its journal and without
  ///   it.
  static func checkCompanions(_ files: StoreFiles) throws(StoreError) {
    switch try JournalOrigin(of: files) {
    case .foreign: throw .foreignJournal
    case .unclear: throw .unclearJournal
    case .damaged: throw .damaged(damagedWithJournal)
    case .own, nil: break
    }
    if try isWALForeign(files) { throw .foreignWAL }
    if try isWALUnclear(files) { throw .unclearWAL }
    if try files.walFault() != nil { throw .damagedWAL }
  }

  /// A journal or WAL beside a store that belongs to another store, or may do so.
  static func foreignCompanion(_ files: StoreFiles) -> StoreRule? {
    switch try? JournalOrigin(of: files) {
    case .foreign: .foreignJournal
    case .unclear: .unclearJournal
    case .own, .damaged, nil:
      (try? isWALForeign(files)) == true
        ? .foreignWAL : (try? isWALUnclear(files)) == true ? .unclearWAL : nil
    }
  }

  private static let damagedWithJournal = "with the -journal beside it and without it"

  /// Whether a store is intact without the WAL beside it, and damaged with it.
  ///
  /// - Throws: ``StoreError/changedMeanwhile`` if another program is writing, and errors that say nothing of the files:
  ///   there is no folder or room for a copy.
  static func isWALForeign(_ files: StoreFiles) throws(StoreError) -> Bool {
    guard files.hasWALFrames, try !faults(files.path).isEmpty,
      try faultsOfFileAlone(files.path).isEmpty
    else { return false }
    try files.checkUnchanged()
    return true
  }

  /// Whether the file alone is a store, and with the WAL beside it another one or none: a WAL that has all pages of
  /// another store damages nothing, and Core Data can replace a store through a WAL.
  ///
  /// - Throws: As ``isWALForeign(_:)``.
  static func isWALUnclear(_ files: StoreFiles) throws(StoreError) -> Bool {
    guard files.hasWALFrames,
      let alone = uuid(in: try? SQLiteConnection(path: files.path, mode: .immutable))
    else { return false }
    let snapshot: StoreSnapshot
    do throws(StoreError) {
      snapshot = try StoreSnapshot.take(of: files.path)
    } catch {
      guard error.isOfContent else { throw error }
      return false
    }
    let whole = try? SQLiteConnection(
      path: snapshot.readablePath, mode: snapshot.mode, size: snapshot.size)
    guard withExtendedLifetime(snapshot, { alone != uuid(in: whole) }) else { return false }
    try files.checkUnchanged()
    return true
  }

  /// The UUID in the metadata of a store; `nil` for a file that has none.
  private static func uuid(in connection: SQLiteConnection?) -> AttributeValue? {
    (try? connection?.rows("SELECT Z_UUID FROM Z_METADATA"))?.first?[0]
  }

  /// The result of SQLite's integrity check of a file and its WAL.
  ///
  /// - Throws: ``StoreError`` that says nothing of the files.
  private static func faults(_ path: String) throws(StoreError) -> [String] {
    do throws(StoreError) {
      let snapshot = try StoreSnapshot.take(of: path)
      return try faults(
        SQLiteConnection(
          path: snapshot.readablePath, mode: snapshot.mode, size: snapshot.size))
    } catch {
      guard error.isOfContent else { throw error }
      return [error.diagnostic.what]
    }
  }

  private static func faultsOfFileAlone(_ path: String) throws(StoreError) -> [String] {
    do throws(StoreError) {
      return try faults(SQLiteConnection(path: path, mode: .immutable))
    } catch {
      guard error.isOfContent else { throw error }
      return [error.diagnostic.what]
    }
  }

  private static func faults(_ connection: SQLiteConnection) throws(StoreError) -> [String] {
    try connection.withoutAuthorizer { connection throws(StoreError) in
      try connection.faults("20")
    }
  }

  // MARK: Files

  private mutating func compareFiles(_ store: borrowing SQLiteStore) throws(StoreError) {
    let named = try store.externalFileNames()
    let external = ExternalData(storePath: path)
    let files = try external.files()
    let missing = external.missing(among: named)
    if !missing.isEmpty { found(.missingFiles(missing.sorted())) }
    var stray = Set(files).subtracting(named)
    guard !stray.isEmpty else { return }
    let others = try ExternalData.filesOfNeighbours(of: path)
    stray.subtract(others.names)
    guard !stray.isEmpty else { return }
    let bytes = stray.reduce(0) { $0 + FileOperations.size(of: "\(external.folder)/\($1)") }
    found(.strayFiles(stray.sorted(), bytes: bytes, unread: others.unread))
  }
}
