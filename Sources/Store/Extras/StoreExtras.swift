internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite

/// The extras of a store: tables, views, triggers, indexes, columns and numbers in its header that belong neither to its
/// model nor to Core Data.
package struct StoreExtras: Sendable {
  /// The items in the order of creation.
  package let items: [SchemaItem]
  /// The columns that an app has added to entity tables, join tables and system tables, by table.
  package let columns: [String: [String]]
  /// The columns of every table of the file; for a virtual table with an unknown module, a placeholder.
  package let columnsByTable: [String: [String]]
  /// Tables of the app with generated columns.
  let generated: Set<String>
  /// What an app has written to the numbers that SQLite leaves to it, such as `user_version`; those that are not 0.
  let numbers: [(name: String, value: Int)]

  package init(_ reader: borrowing StoreReader) throws(StoreError) {
    let connection = reader.store.connection
    let own = OwnTables(reader.layout, reader.model)
    let all = try connection.schemaItems()
    let shadows = OwnTables.shadows(of: all)
    var columnsByTable: [String: [String]] = [:]
    var generated: Set<String> = []
    for item in all where item.kind == .table || item.kind == .virtualTable {
      let found = try? connection.rows("PRAGMA table_xinfo(\(item.name.quoted))")
      var names: [String] = []
      for row in found ?? [] {
        if case .text(let name) = row[1] { names.append(name) }
        if row.last == .integer(2) || row.last == .integer(3) { generated.insert(item.name) }
      }
      columnsByTable[item.name] = names.isEmpty ? ["?"] : names
    }
    numbers = try connection.withoutAuthorizer { connection throws(StoreError) in
      var numbers: [(name: String, value: Int)] = []
      for name in ["user_version", "application_id"] {
        let value = try connection.number("PRAGMA \(name)")
        if value != 0 { numbers.append((name, value)) }
      }
      return numbers
    }
    items = all.filter { item in
      switch item.kind {
      case .table: !own.contains(item.name) && !shadows.contains(item.name.foldedName)
      case .virtualTable: !own.contains(item.name)
      case .view, .trigger: true
      case .index: !own.isOwn(index: item)
      }
    }
    self.columnsByTable = columnsByTable
    self.generated = generated
    columns = Self.addedColumns(columnsByTable, reader.layout, reader.model)
  }

  /// The added columns of a table whose names the new model uses, compared as SQLite does.
  package func columns(of table: String, neededBy names: [String]) -> [String] {
    let needed = Set(names.map(\.foldedName))
    return (columns[table] ?? []).filter { needed.contains($0.foldedName) }
  }

  private static func addedColumns(
    _ found: [String: [String]], _ layout: StoreLayout, _ model: ObjectModel
  ) -> [String: [String]] {
    var known = layout.columnNamesByTable(of: model)
    known["Z_PRIMARYKEY"] = ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]
    known["Z_METADATA"] = ["Z_VERSION", "Z_UUID", "Z_PLIST"]
    var added: [String: [String]] = [:]
    for (table, names) in known {
      let others = (found[table] ?? []).filter { !names.contains($0) }
      if !others.isEmpty { added[table] = others }
    }
    return added
  }
}

/// The tables of a model and of Core Data, by folded name.
struct OwnTables {
  private let ofModel: Set<String>

  init(_ layout: StoreLayout, _ model: ObjectModel) {
    ofModel = Set(layout.columnNamesByTable(of: model).keys.map(\.foldedName))
  }

  /// The suffixes of the shadow tables of SQLite's R*Tree and full-text modules.
  ///
  /// Source: SQLite's documentation of R*Tree, FTS3 to FTS5 and Geopoly.
  private static let shadowEnds = [
    "node", "parent", "rowid", "content", "segments", "segdir", "docsize", "stat", "data", "idx",
    "config",
  ]

  /// The folded names of the tables in which the virtual tables of a schema may keep their rows.
  static func shadows(of schema: [SchemaItem]) -> Set<String> {
    Set(
      schema.filter { $0.kind == .virtualTable }.flatMap { item in
        shadowEnds.map { "\(item.name)_\($0)".foldedName }
      })
  }

  /// Persistent history.
  static let history = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  func contains(_ table: String) -> Bool {
    ofModel.contains(table.foldedName) || Self.isOfFramework(table)
  }

  /// Core Data's system tables, its history, the trees of its fetch indexes, its mirror in CloudKit;
  /// SQLite's own.
  static func isOfFramework(_ table: String) -> Bool {
    let name = table.foldedName
    return ["z_metadata", "z_primarykey", "z_modelcache"].contains(name)
      || history.contains { $0.foldedName == name }
      || ["ansck", "sqlite_", "z_rt_"].contains { name.hasPrefix($0) }
  }

  /// Core Data names its indexes after their table or entity.
  func isOwn(index: SchemaItem) -> Bool {
    let table = index.table.foldedName
    guard contains(index.table) else { return false }
    return index.name.hasPrefix("Z_") || index.name.hasPrefix("\(index.table)_")
      || table.hasPrefix("ansck") && index.name.hasPrefix("ANSCK")
  }
}

extension String {
  /// This name for comparison as in SQLite: ASCII case-insensitive.
  package var foldedName: String {
    String(
      decoding: utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 },
      as: UTF8.self)
  }
}

extension SchemaItem {
  /// `the trigger audit on ZTOPIC`
  package var title: String {
    "the \(kind.rawValue) \(name)" + (kind == .index || kind == .trigger ? " on \(table)" : "")
  }

  /// Whether Core Data created it, perhaps for another model: losing such a trigger is not a loss for the app.
  package var isOfFramework: Bool {
    kind == .trigger && (name.hasPrefix("Z_DA_") || name.hasPrefix("Z_RT_"))
  }
}
