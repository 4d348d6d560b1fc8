internal import Foundation
internal import StrataArchives
internal import StrataBase
package import StrataSQLite

/// What a store takes on disk.
package struct StoreSizes: Sendable {
  /// By table, its own pages and those of its indexes; `nil` if this SQLite cannot tell.
  package var bytesByTable: [String: Int]?
  package var pageSize: Int
  package var freePages: Int
  /// Whether the file's header asks for a WAL.
  package var usesWAL: Bool
  /// What lies beside the store and belongs to it: `-wal`, `-shm`, external data.
  package var companions: [(name: String, size: Int)]
}

extension SQLiteStore {
  /// What the store takes on disk, table by table.
  ///
  /// - Throws: ``StoreError``.
  package func sizes() throws(StoreError) -> StoreSizes {
    let header = try StoreFiles(path: path)
    var bytes: [String: Int]?
    // Where SQLite was built without its virtual table of pages, sizes are not known.
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
      found.append((Words.count(files.count, "external file"), size))
    }
    return found
  }
}
