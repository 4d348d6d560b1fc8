internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
package import StrataSQLite

/// The disk usage of a store.
package struct StoreSizes: Sendable {
  /// For each table, the bytes of its pages and its indexes; `nil` if this SQLite has no `dbstat`.
  package var bytesByTable: [String: Int]?
  package var pageSize: Int
  package var freePages: Int
  /// Whether the file is in WAL mode.
  package var usesWAL: Bool
  /// The files beside the store that belong to it: `-wal`, `-shm`, external data.
  package var companions: [(name: String, size: Int)]
}

extension SQLiteStore {
  /// The disk usage of the store, table by table.
  ///
  /// - Throws: ``StoreError``.
  package func sizes() throws(StoreError) -> StoreSizes {
    let header = try StoreFiles(path: path)
    var bytes: [String: Int]?
    // Sizes are unknown if SQLite was built without `dbstat`.
    if let rows = try? connection.pageRows() {
      bytes = rows.reduce(into: [:]) { $0[$1.table, default: 0] += $1.size }
    }
    return StoreSizes(
      bytesByTable: bytes, pageSize: header.header.pageSize, freePages: header.header.freePages,
      usesWAL: header.header.usesWAL, companions: companions())
  }

  private func companions() -> [(name: String, size: Int)] {
    let name = URL(fileURLWithPath: path).lastPathComponent
    var found: [(name: String, size: Int)] = []
    for end in StoreFile.journalEnds {
      if let size = FileStatus(path + end)?.size { found.append((name + end, size)) }
    }
    let folder = ExternalData(storePath: path).folder
    let files = (try? OpenedPath.names(in: folder)) ?? []
    if !files.isEmpty {
      let size = files.reduce(0) { $0 + FileOperations.size(of: "\(folder)/\($1)") }
      found.append((Phrase.count(files.count, "external file"), size))
    }
    return found
  }
}
