internal import StrataBase

/// A table, view, index or trigger, as `sqlite_master` has it.
package struct SchemaItem: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case table
    case virtualTable = "virtual table"
    case view, index, trigger
  }

  package var kind: Kind
  package var name: String
  /// The table that it creates or belongs to.
  package var table: String
  /// The statement that creates it.
  package var sql: String

  package init(kind: Kind, name: String, table: String, sql: String) {
    (self.kind, self.name, self.table, self.sql) = (kind, name, table, sql)
  }

  /// Whether it is an R-tree, created by a statement of Core Data's form.
  var isRTree: Bool {
    sql.lowercased().hasPrefix(
      "create virtual table \(name.plainOrQuoted) using rtree ".lowercased())
  }

  /// `nil` for what no statement creates, such as the index of a primary key.
  fileprivate init?(_ row: [AttributeValue]) {
    guard case .text(let type) = row[0], case .text(let name) = row[1],
      case .text(let table) = row[2], case .text(let sql) = row[3], let kind = Kind(rawValue: type)
    else { return nil }
    self.init(
      kind: kind == .table && sql.createsVirtualTable ? .virtualTable : kind, name: name,
      table: table, sql: sql)
  }
}

extension SQLiteConnection {
  /// What the statements of the schema have created, in their order.
  package func schemaItems() throws(StoreError) -> [SchemaItem] {
    try rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid")
      .compactMap(SchemaItem.init)
  }
}
