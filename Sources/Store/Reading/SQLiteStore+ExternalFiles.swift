public import StrataSQLite
internal import StrataValues

extension SQLiteStore {
  /// The names of the files that hold binary data of the store, whatever its model: each value of any column
  /// that names one.
  ///
  /// Source: facts on the SQLite schema, section 8.
  public func externalFileNames() throws(StoreError) -> Set<String> {
    var names: Set<String> = []
    for table in try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      guard case .text(let table) = table[0], table.hasPrefix("Z") else { continue }
      for column in try columns(of: table).sorted() {
        let statement = try connection.prepare(
          "SELECT \(column.quoted) FROM \(table.quoted) WHERE \(column.quoted) >= x'02' AND \(column.quoted) < x'03'"
        )
        while try statement.step() {
          guard case .bytes(let bytes) = statement.value(0), bytes.count == 38,
            case .file(let name)? = try? ExternalData.stored(bytes)
          else { continue }
          names.insert(name)
        }
      }
    }
    return names
  }
}
