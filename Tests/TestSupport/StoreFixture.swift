import CSQLite
import Foundation

/// Makes SQLite files of any state for tests, with the library itself: the second road beside the
/// store module.
package enum StoreFixture {
  package struct Failure: Error {
    package var message: String
  }

  /// Runs statements on a file, which is made where it is missing.
  package static func run(_ sql: [String], on path: String) throws {
    let open = try OpenStore(path)
    for statement in sql { try open.run(statement) }
  }

  /// A connection that stays open: another program that uses the store.
  package final class OpenStore {
    private var handle: OpaquePointer?

    package init(_ path: String) throws {
      guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure(message: "open") }
      // Apple's SQLite keeps the -wal and the -shm otherwise.
      var keepsWAL: Int32 = 0
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsWAL)
    }

    deinit { close() }

    package func run(_ sql: String) throws {
      guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
        throw Failure(message: String(cString: sqlite3_errmsg(handle)) + ": " + sql)
      }
    }

    /// Runs a statement with one blob parameter.
    package func run(_ sql: String, blob: [UInt8]) throws {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
        throw Failure(message: String(cString: sqlite3_errmsg(handle)))
      }
      defer { sqlite3_finalize(statement) }
      _ = strata_sqlite3_bind_blob(statement, 1, blob, UInt64(blob.count))
      guard sqlite3_step(statement) == SQLITE_DONE else {
        throw Failure(message: String(cString: sqlite3_errmsg(handle)))
      }
    }

    package func close() {
      sqlite3_close(handle)
      handle = nil
    }
  }

  /// Makes a store with the tables of Core Data, this metadata and this cached model.
  package static func makeStore(
    at path: String, plist: [UInt8], cache: [UInt8]? = nil
  ) throws {
    let store = try OpenStore(path)
    try store.run(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    try store.run(
      "INSERT INTO Z_METADATA VALUES (1, '374C5961-3E41-43E5-915C-383EA914074C', ?)", blob: plist)
    if let cache {
      try store.run("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
      try store.run("INSERT INTO Z_MODELCACHE VALUES (?)", blob: cache)
    }
  }

  /// Edits the property list of a store's metadata: `d` is its dictionary.
  package static func editMetadata(_ python: String, of path: String) throws {
    _ = try Python.run(
      """
      import sqlite3, sys, plistlib
      db = sqlite3.connect(sys.argv[1])
      d = plistlib.loads(db.execute("select Z_PLIST from Z_METADATA").fetchone()[0])
      \(python)
      db.execute("update Z_METADATA set Z_PLIST = ?",
        (plistlib.dumps(d, fmt=plistlib.FMT_BINARY),))
      db.commit()
      """, arguments: [path])
  }
}
