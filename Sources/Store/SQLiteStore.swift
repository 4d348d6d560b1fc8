internal import StrataArchives
internal import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// A SQLite store opened for reading: nothing in its folder changes, and rows in the WAL are visible.
///
/// ```swift
/// let store = try SQLiteStore(reading: "Topics.sqlite")
/// store.metadata.versionHashes["Topic"]?.hex
/// try store.checkUnchanged()
/// ```
package struct SQLiteStore: ~Copyable {
  package let path: String
  package let metadata: StoreMetadata
  package let connection: SQLiteConnection
  /// `nil` for a store in memory, and for one that Strata itself is writing.
  private let snapshot: StoreSnapshot?

  /// - Parameter log: Logs its statements from the first.
  /// - Throws: ``StoreError``: not a store, damaged, or without readable metadata.
  package init(reading path: String, log: StatementLog? = nil) throws(StoreError) {
    let snapshot = try StoreSnapshot.take(of: path)
    let (connection, metadata) = try Self.open(snapshot, log)
    self.path = path
    self.metadata = metadata
    self.connection = connection
    self.snapshot = consume snapshot
  }

  /// - Throws: ``StoreError/changedMeanwhile`` in place of an error for which another program's writes can be the cause.
  private static func open(
    _ snapshot: borrowing StoreSnapshot, _ log: StatementLog?
  ) throws(StoreError) -> (SQLiteConnection, StoreMetadata) {
    do throws(StoreError) {
      let connection = try SQLiteConnection(
        path: snapshot.readablePath, mode: snapshot.mode, size: snapshot.size)
      let files = snapshot.files
      connection.notice { (try? files.checkUnchanged()) == nil }
      connection.setLog(log, as: .source, by: .strata)
      return (connection, try metadata(connection))
    } catch {
      try snapshot.checkUnchanged()
      throw error
    }
  }

  /// Logs the statements that a migration runs in it, as its source, from now on.
  package func setLog(_ log: StatementLog?) {
    connection.setLog(log, as: .source, by: .coreData)
  }

  /// Checks, after reading, that the store has not changed.
  ///
  /// - Throws: ``StoreError/changedMeanwhile``.
  package func checkUnchanged() throws(StoreError) {
    try snapshot?.checkUnchanged()
  }

  /// The file of a store, for other threads.
  package struct File: Sendable {
    private let path: String
    private let readablePath: String
    private let mode: SQLiteConnection.Mode
    private let size: Int

    fileprivate init(_ path: String, _ snapshot: borrowing StoreSnapshot) {
      self.path = path
      (readablePath, mode, size) = (snapshot.readablePath, snapshot.mode, snapshot.size)
    }

    fileprivate init(unchanged path: String, size: Int) {
      (self.path, readablePath, mode, self.size) = (path, path, .immutable, size)
    }

    /// Another connection, which must not outlive the store.
    package func connection() throws(StoreError) -> SQLiteConnection {
      try SQLiteConnection(path: readablePath, mode: mode, size: size)
    }

    /// Attaches the store read-only to another connection, under the name `source`.
    func attach(to connection: SQLiteConnection) throws(StoreError) {
      try connection.attach(readablePath, mode: mode)
    }

    /// The store with a connection of its own.
    package func store() throws(StoreError) -> SQLiteStore {
      try SQLiteStore(connection(), path: path)
    }
  }

  /// Its file; `nil` for a store in memory.
  package var file: File? {
    switch snapshot {
    case .none: nil
    case .some(let snapshot): File(path, snapshot)
    }
  }

  /// The file, for reading what the store was before the running transaction; `nil` if that writes to the file.
  ///
  /// In WAL mode it writes only to the WAL, until it is committed and the WAL is checkpointed; and no other program
  /// can write while it holds its lock. A WAL that has frames already is a part of the store.
  ///
  /// Only SQLite may open the file meanwhile: whoever else closes it in this process releases the lock.
  ///
  /// Source: SQLite's documentation of write-ahead logging, and of how to corrupt a file.
  package func fileDuringTransaction() throws(StoreError) -> File? {
    guard connection.isInTransaction,
      try connection.rows("PRAGMA journal_mode").first?.first == .text("wal"),
      FileStatus(path + "-wal").map({ $0.size <= WriteAheadLog.headerSize }) ?? true,
      let size = FileStatus(path)?.size
    else { return nil }
    return File(unchanged: path, size: size)
  }

  /// The text encoding; an attached database must have the same.
  package var textEncoding: TextEncoding {
    switch snapshot {
    case .none: .utf8
    case .some(let snapshot): snapshot.textEncoding
    }
  }

  /// A store as seen by a connection that may already have changed it.
  ///
  /// - Parameter metadata: The future metadata; `nil` to read it from the store.
  init(
    _ connection: SQLiteConnection, path: String, metadata: StoreMetadata? = nil
  ) throws(StoreError) {
    if let metadata {
      self.metadata = metadata
    } else {
      self.metadata = try Self.metadata(connection)
    }
    self.path = path
    self.connection = connection
    snapshot = nil
  }

  /// A finished store in memory.
  package init(inMemory store: consuming NewStore) throws(StoreError) {
    store.connection.allowOnlyReading()
    try self.init(store.connection, path: "")
  }

  /// Only plain tables are read: a view with this name could run forever, and so could a generated column, whose
  /// functions the authorizer does not see.
  static func hasTable(
    _ name: String, _ connection: SQLiteConnection
  ) throws(StoreError) -> Bool {
    try !connection.plainColumns(of: name).isEmpty
  }

  static func metadata(
    _ connection: SQLiteConnection
  ) throws(StoreError) -> StoreMetadata {
    guard try hasTable("Z_METADATA", connection) else {
      throw .noMetadata(reason: "it has no table Z_METADATA")
    }
    let rows = try connection.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1")
    guard let row = rows.first else { throw .noMetadata(reason: "Z_METADATA is empty") }
    guard case .text(let uuid) = row[0], uuid.utf8.count <= 255 else {
      throw .noMetadata(reason: "Z_UUID is \(row[0].summary)")
    }
    switch row[1] {
    case .bytes(let bytes): return try StoreMetadata(plist: bytes, uuid: uuid)
    // Old systems wrote the XML form into the column as text.
    case .text(let text): return try StoreMetadata(plist: Array(text.utf8), uuid: uuid)
    default: throw .noMetadata(reason: "Z_PLIST is \(row[1].summary)")
    }
  }

  /// The archive in `Z_MODELCACHE`, decompressed; `nil` for stores of systems that cached none.
  ///
  /// - Throws: ``StoreError/unreadableModelCache(reason:)``.
  package func modelCache() throws(StoreError) -> [UInt8]? {
    guard try Self.hasTable("Z_MODELCACHE", connection) else { return nil }
    let rows = try connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")
    guard let value = rows.first?.first, value != .null else { return nil }
    guard case .bytes(let compressed) = value else {
      throw .unreadableModelCache(reason: "Z_CONTENT is \(value.summary)")
    }
    do {
      return try Deflate.expand(compressed)
    } catch {
      throw .unreadableModelCache(reason: error.diagnostic.what)
    }
  }

  /// The model that wrote the store, as Core Data caches it; `nil` as for ``modelCache()``.
  ///
  /// - Parameter models: The models that have been read.
  /// - Throws: ``StoreError/unreadableModelCache(reason:)``.
  package func cachedModel(
    sharing models: SharedModels = SharedModels()
  ) throws(StoreError) -> ObjectModel? {
    guard let archive = try modelCache() else { return nil }
    do {
      return try models.model(of: archive)
    } catch let error as any DiagnosticError {
      throw .unreadableModelCache(reason: error.diagnostic.what)
    } catch {
      throw .unreadableModelCache(reason: "\(error)")
    }
  }
}
