internal import StrataBase
package import StrataSQLite

extension SQLiteStore {
  /// The names of the external binary data files of the store, independent of its model: each column value that
  /// contains one.
  ///
  /// - Parameter asDeclared: Whether only columns declared as `BLOB` are read, as Core Data declares binary data;
  ///   otherwise all columns.
  ///
  /// Source: `Docs/Facts/sqlite-schema.md`, section 8.
  package func externalFileNames(asDeclared: Bool = false) throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    for table in try connection.tableNames() where table.hasPrefix("Z") {
      let types = try connection.columnTypes(of: table)
      let columns = types.keys.filter { !asDeclared || types[$0] == "BLOB" }.sorted()
      for start in stride(from: 0, to: columns.count, by: Self.columnsOfOneScan) {
        try addFileNames(in: columns.dropFirst(start).prefix(Self.columnsOfOneScan), table, &names)
      }
    }
    return names
  }

  /// SQLite limits the depth of conditions.
  private static let columnsOfOneScan = 100

  private func addFileNames(
    in columns: ArraySlice<String>, _ table: String, _ names: inout Set<String>
  ) throws(StoreError) {
    let quoted = columns.map(\.quoted)
    // The length first: it is known without reading the value.
    let conditions = quoted.map { "length(\($0)) = 38 AND \($0) >= x'02' AND \($0) < x'03'" }
    let statement = try connection.prepare(
      "SELECT \(quoted.joined(separator: ", ")) FROM \(table.quoted) WHERE \(conditions.joined(separator: " OR "))"
    )
    while try statement.step() {
      for index in columns.indices {
        guard case .bytes(let bytes) = statement.value(index - columns.startIndex),
          case .file(let name)? = try? ExternalData.stored(bytes)
        else { continue }
        names.insert(name)
      }
    }
  }
}
