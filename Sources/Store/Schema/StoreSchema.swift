package import StrataBase
package import StrataObjectModel
package import StrataSQLite

/// The SQL statements with which Core Data creates an empty store of a model.
///
/// ```swift
/// StoreSchema(model1).statements.first?.sql
/// // "CREATE TABLE ZTOPIC ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, … )"
/// ```
///
/// Source: `Docs/Facts/sqlite-schema.md`, sections 2 to 7; the tests compare it with every real store of
/// `SchemaTests`, statement by statement.
package struct StoreSchema: Sendable {
  /// One statement, as `sqlite_master` keeps it.
  package struct Statement: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      case table
      case index
      case trigger
    }

    package var kind: Kind
    package var name: String
    /// The table that it creates or belongs to.
    package var table: String
    package var sql: String
    /// The entity that declares the fetch index or uniqueness constraint of an index.
    package var entity: String?

    /// Whether it is the index of a uniqueness constraint.
    var isUnique: Bool { sql.hasPrefix("CREATE UNIQUE INDEX ") }

    package init(kind: Kind, name: String, table: String, sql: String, entity: String? = nil) {
      self.kind = kind
      self.name = name
      self.table = table
      self.sql = sql
      self.entity = entity
    }
  }

  package let version: FrameworkVersion
  package let layout: StoreLayout
  /// Tables of entities, each followed by the join tables that it owns.
  package let tables: [Statement]
  package let indexes: [Statement]
  package let triggers: [Statement]
  /// `Z_PRIMARYKEY`, `Z_METADATA`, `Z_MODELCACHE`.
  package let systemTables: [Statement]
  /// The statements that fill the columns of derived attributes in tables that were filled without triggers, in the
  /// order of computation.
  package let derivedValues: [DerivedValue]
  /// The statement that fills an R-tree from its table, by the name of the index.
  package let treeContents: [String: String]

  /// The statement that computes a derived attribute for all rows.
  package struct DerivedValue: Sendable, Hashable {
    package var entity: String
    package var attribute: String
    /// The attribute whose value is copied; `nil` for a count.
    package var copied: PropertyID?
    package var sql: String

    var id: PropertyID { PropertyID(entity: entity, name: attribute) }
  }

  /// The parts of the model whose SQL is unproven, which are omitted.
  package let omissions: [SchemaOmission]

  /// - Parameter kept: The names that take precedence over those of a new store.
  package init(
    _ model: ObjectModel, version: FrameworkVersion = .newest,
    keeping kept: StoredNames = StoredNames()
  ) {
    var writer = SchemaWriter(model, version: version, keeping: kept)
    writer.write()
    self.version = version
    layout = writer.layout
    tables = writer.tables
    indexes = writer.indexes
    triggers = writer.triggers
    omissions = writer.omissions
    derivedValues = writer.derivedValues
    treeContents = writer.treeContents
    systemTables = Self.systemTables(version)
  }

  /// Checks that SQLite supports this schema; used by everything that creates or plans a new store.
  ///
  /// - Throws: ``StoreError/sameTableName(_:_:)``, ``StoreError/tooManyColumns(entity:count:limit:)``,
  ///   ``StoreError/schemaTooLong(table:bytes:limit:)``.
  package func check() throws(StoreError) {
    try layout.checkTableNames()
    try layout.checkColumnCounts()
    let limit = SQLiteConnection.schemaLimits.statementBytes
    for statement in statements where statement.sql.utf8.count > limit {
      throw .schemaTooLong(
        table: statement.table, bytes: statement.sql.utf8.count, limit: limit)
    }
  }

  /// All statements, in the order of that version of Core Data.
  package var statements: [Statement] {
    if version.putsIndexesBehindTheirTable {
      let byTable = Dictionary(grouping: indexes, by: \.table)
      return tables.flatMap { [$0] + (byTable[$0.table] ?? []) } + triggers + systemTables
    }
    return version.putsSystemTablesBeforeIndexes
      ? tables + systemTables + indexes + triggers : tables + indexes + triggers + systemTables
  }

  private static func systemTables(_ version: FrameworkVersion) -> [Statement] {
    var tables = [
      (
        "Z_PRIMARYKEY",
        "Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER"
      ),
      ("Z_METADATA", "Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB"),
    ]
    if version.cachesModel { tables.append(("Z_MODELCACHE", "Z_CONTENT BLOB")) }
    return tables.map { name, columns in
      Statement(kind: .table, name: name, table: name, sql: "CREATE TABLE \(name) (\(columns))")
    }
  }
}

/// A part of a model whose SQL is unproven.
package struct SchemaOmission: Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// A fetch index on an expression.
    case indexedExpression
    /// A fetch index with a predicate without proven SQL.
    case indexPredicate
    /// A derivation other than a count of a to-many relationship and a to-one key path.
    case derivation(String)
    /// A fetch index that mixes both kinds of elements.
    case mixedIndex
  }

  package var entity: String
  /// The index or attribute.
  package var name: String
  package var reason: Reason
}
