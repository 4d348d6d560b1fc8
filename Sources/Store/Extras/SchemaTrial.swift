internal import StrataBase
package import StrataSQLite

/// A database in memory with the tables of a store and no rows, to find out which views, indexes and triggers
/// compile.
///
/// A compiled view is replaced by an empty one with the same columns, so that views of views are compiled one by
/// one: the work grows with their text, not with their depth.
package final class SchemaTrial {
  private let connection: SQLiteConnection

  package init() throws(StoreError) {
    connection = try SQLiteConnection(path: "", mode: .memory)
    connection.requireColumnNames()
  }

  /// - Parameter tables: The columns of each table.
  package func add(_ tables: [String: [String]]) {
    run(
      tables.map { name, columns in
        "CREATE TABLE \(name.quoted) (\(columns.map(\.quoted).joined(separator: ", ")))"
      })
  }

  /// Runs statements that change the tables, ignoring errors. An R-tree is a table like others here: the trial has its
  /// parts already, and no rows.
  package func run(_ statements: [String]) {
    let statements = statements.map { sql in
      sql.createsVirtualTable
        ? sql.replacing("CREATE VIRTUAL TABLE ", with: "CREATE TABLE ", maxReplacements: 1)
          .replacing(" USING RTREE ", with: " ", maxReplacements: 1) : sql
    }
    if (try? connection.changeSchema(statements)) == nil { for sql in statements { run(sql) } }
  }

  private func run(_ sql: String) { try? connection.execute(sql) }

  /// The error message of SQLite for each item that cannot be created.
  package func refusals(of items: [SchemaItem]) -> [SchemaItem: String] {
    var refusals: [SchemaItem: String] = [:]
    var views = items.filter { $0.kind == .view }
    for _ in 0..<Self.roundLimit {
      let left = views.filter { view in
        refusals[view] = refusal(of: view)
        return refusals[view] != nil
      }
      let isDone = left.isEmpty || left.count == views.count
      views = left
      if isDone { break }
    }
    for item in items where item.kind == .index || item.kind == .trigger {
      refusals[item] = refusal(of: item)
    }
    return refusals
  }

  /// The maximum number of passes over the remaining views: a view may refer to one that was created later.
  private static let roundLimit = 100
  /// The maximum number of functions and collations of an app that one item may use.
  private static let placeholderLimit = 100

  private func refusal(of item: SchemaItem) -> String? {
    for _ in 0..<Self.placeholderLimit {
      guard let message = message(of: item) else { return nil }
      if let name = message.split(after: "no such function: ") {
        connection.addPlaceholder(function: name)
      } else if let name = message.split(after: "no such collation sequence: ") {
        connection.addPlaceholder(collation: name)
      } else {
        return message
      }
    }
    return "too many unknown functions"
  }

  private func message(of item: SchemaItem) -> String? {
    do {
      switch item.kind {
      case .view: try compile(view: item)
      case .index: try compile(index: item)
      case .trigger: try compile(trigger: item)
      case .table, .virtualTable: break
      }
      return nil
    } catch {
      return error.refusal ?? error.diagnostic.what
    }
  }

  /// SQLite normalizes the first words of a stored statement: anything else is forged.
  private func create(_ item: SchemaItem, _ beginnings: String...) throws(StoreError) {
    guard beginnings.contains(where: { item.sql.hasPrefix($0) }) else {
      throw .sqlite(code: 1, message: "not a statement that creates it", sql: nil)
    }
    try connection.execute(item.sql)
  }

  private func compile(view: SchemaItem) throws(StoreError) {
    try create(view, "CREATE VIEW ")
    let names: [String]
    do {
      names = try connection.prepare("SELECT * FROM \(view.name.quoted)").columnNames
    } catch {
      run("DROP VIEW \(view.name.quoted)")
      throw error
    }
    run("DROP VIEW \(view.name.quoted)")
    run(
      "CREATE VIEW \(view.name.quoted) AS SELECT "
        + names.map { "NULL AS \($0.quoted)" }.joined(separator: ", "))
  }

  private func compile(index: SchemaItem) throws(StoreError) {
    try create(index, "CREATE INDEX ", "CREATE UNIQUE INDEX ")
    run("DROP INDEX \(index.name.quoted)")
  }

  private func compile(trigger: SchemaItem) throws(StoreError) {
    try create(trigger, "CREATE TRIGGER ")
    defer { run("DROP TRIGGER \(trigger.name.quoted)") }
    let columns = try connection.rows("PRAGMA table_info(\(trigger.table.quoted))").compactMap {
      $0[1].text
    }
    let known = Set(columns.map(\.foldedName))
    if let missing = TriggerColumns.names(in: trigger.sql).first(where: {
      !known.contains($0.foldedName)
    }) {
      throw .sqlite(code: 1, message: "no such column: \(missing)", sql: nil)
    }
    let table = trigger.table.quoted
    let nulls = Array(repeating: "NULL", count: columns.count).joined(separator: ", ")
    let assignments = columns.map { "\($0.quoted) = NULL" }.joined(separator: ", ")
    for sql in [
      "INSERT INTO \(table) VALUES (\(nulls))", "UPDATE \(table) SET \(assignments)",
      "DELETE FROM \(table)",
    ] {
      do {
        _ = try connection.prepare("EXPLAIN \(sql)")
      } catch {
        // An INSTEAD OF trigger allows one kind of change of a view; the others are impossible.
        guard error.refusal?.contains("because it is a view") == true else { throw error }
      }
    }
  }
}

extension StoreExtras {
  /// Divides views, indexes and triggers into those that a migration keeps and those that no longer compile.
  ///
  /// An item that did not compile before for the same reason is kept.
  ///
  /// - Parameters:
  ///   - wanted: The items to check, including all views, since others may use them. Core Data's own triggers are
  ///     excluded: they are many, and each is tried with every column of its table.
  ///   - after: Creates a trial with the tables of the migrated store; not called if nothing has to be compiled.
  package func compiled(
    _ wanted: [SchemaItem], after: () throws(StoreError) -> SchemaTrial
  ) throws(StoreError) -> (kept: [SchemaItem], lost: [LostExtra]) {
    let items = wanted.filter { ![.table, .virtualTable].contains($0.kind) }
    guard !items.isEmpty else { return ([], []) }
    let (old, new) = (try trial().refusals(of: items), try after().refusals(of: items))
    var kept: [SchemaItem] = []
    var lost: [LostExtra] = []
    for item in items {
      guard let message = new[item], message != old[item] else {
        kept.append(item)
        continue
      }
      if !item.isOfFramework { lost.append(LostExtra(item, refusedWith: message)) }
    }
    return (kept, lost)
  }

  /// A trial with the tables of this store.
  package func trial() throws(StoreError) -> SchemaTrial {
    let trial = try SchemaTrial()
    trial.add(columnsByTable)
    return trial
  }
}

extension String {
  /// The part after the first occurrence of a text.
  fileprivate func split(after text: String) -> String? {
    guard let range = firstRange(of: text) else { return nil }
    return String(self[range.upperBound...])
  }
}
