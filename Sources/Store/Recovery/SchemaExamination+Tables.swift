internal import StrataBase
internal import StrataSQLite

extension SchemaExamination {
  /// The tables of a store by purpose, without system tables of Core Data and SQLite.
  struct Tables {
    /// Tables under the temporary names of a migration, with their rows.
    private(set) var temporary: [String: Int] = [:]
    /// All tables of entities, join tables and users, the temporary ones among them, with their rows; `nil`
    /// for a virtual table, which is not read.
    private(set) var others: [String: Int?] = [:]
    /// The names in `Z_PRIMARYKEY`.
    private(set) var entityNames: Set<String> = []

    init(_ store: borrowing SQLiteStore) throws(StoreError) {
      let found = try store.connection.schemaItems()
      let shadows = OwnTables.shadows(of: found)
      for item in found where item.kind == .table || item.kind == .virtualTable {
        let name = item.name
        guard !OwnTables.isOfFramework(name), !shadows.contains(name.foldedName) else { continue }
        guard item.kind == .table, try !store.connection.plainColumns(of: name).isEmpty else {
          others[name] = .some(nil)
          continue
        }
        let count = try store.connection.number("SELECT count(*) FROM \(name.quoted)")
        others[name] = count
        if Self.isTemporary(name) { temporary[name] = count }
      }
      if try store.connection.plainColumns(of: "Z_PRIMARYKEY").contains("Z_NAME") {
        let names = try store.connection.rows("SELECT Z_NAME FROM Z_PRIMARYKEY")
        entityNames = Set(names.compactMap { $0[0].text })
      }
    }

    /// `_Strata_ZTOPIC`, `_T_ZTOPIC`
    private static func isTemporary(_ name: String) -> Bool {
      name.hasPrefix("_Strata_Z") || name.hasPrefix("_T_Z")
    }

    /// Tables named like a join table of one of these relationships: `Z_5LABELS`.
    func joinTables(of relationships: [String]) -> [String] {
      let ends = Set(relationships.map { $0.uppercased() })
      return others.keys.filter { name in
        guard name.hasPrefix("Z_") else { return false }
        let rest = name.dropFirst(2)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        return !digits.isEmpty && ends.contains(String(rest.dropFirst(digits.count)).uppercased())
      }
    }

    func hasJoinTable(of relationships: [String]) -> Bool {
      !joinTables(of: relationships).isEmpty
    }
  }
}
