internal import ArgumentParser
internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStepping
internal import StrataStore

/// The command `sql STORE 'SELECT …'`.
struct SQLCommand: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "sql", abstract: "Runs a read-only SQL query on a store.",
    discussion: """
      With --json each row is one line, with every character as it is; elsewhere control characters are \
      escaped, and binary data is shown by its size: select hex(column) for its bytes. Values are shown as stored: dates in seconds since \
      2001-01-01. In the stepper, `source` and `destination` are the current stores of the hop; a query without \
      a store asks the destination. \
      A query that exceeds its budget is stopped: `help budgets`.
      """)
  static let showsValues = true
  static let examples = [
    CommandExample(
      "topics by list", "create lists.sqlite --model sample:Topics/Model1 --rows 20",
      "sql lists.sqlite 'SELECT ZTOPICLIST, count(*) FROM ZTOPIC GROUP BY ZTOPICLIST'")
  ]

  @Argument(.store, "The store.") var store: String
  @Argument(.query, "One SELECT, in quotes.") var query: String?
  @Option(help: ArgumentHelp("Maximum number of rows; 0 for a million.", valueName: "n"))
  var limit = 1000
  @OptionGroup var shape: TableFormOptions
  @OptionGroup var output: OutputOptions

  /// The maximum number of rows and bytes shown, regardless of `--limit`.
  private static let mostRows = 1_000_000
  private static let mostBytes = 32 << 20

  mutating func validate() throws {
    try Rows.check(limit)
    try shape.check(asJSON: output.json)
  }

  mutating func run(in session: Session) throws -> Outcome {
    var rows: [[ShownValue]] = []
    var hasMore = false
    var size = 0
    // Even with `--limit 0`, an endless query must stop.
    let limit = limit == 0 ? Self.mostRows : min(limit, Self.mostRows)
    let (side, names) = try Self.run(query, of: store, in: session) { row in
      guard rows.count < limit, size < Self.mostBytes else {
        hasMore = true
        return false
      }
      rows.append(row.map { ShownValue($0) })
      size += row.reduce(0) { $0 + $1.textSize }
      return true
    }
    let keys = names.distinctKeys
    let fix =
      size < Self.mostBytes
      ? rows.count < Self.mostRows
        ? "--limit can be up to \(Self.mostRows)" : "these are the most: select fewer"
      : "\(Self.mostBytes >> 20) MB of text are the limit: select fewer or shorter columns"
    let isFull = session.isPiped || shape.form != nil
    let isForProgram = output.json || shape.form?.isForProgram == true
    let table = Table(
      columns: names.map { Table.Column($0) },
      rows: rows.map { $0.map { isFull ? $0.text : $0.truncatedText } },
      hint: "--wide scrolls to them, --vertical shows them"
    ).view(as: shape.form)
    return Outcome(
      isForProgram
        ? table
        : .stack([
          side.map { .line(StyledText("in the \($0.rawValue) store", .faint)) } ?? .nothing,
          table,
          hasMore
            ? .line(
              StyledText(
                "… there are more than \(rows.count) rows: \(fix)", .faint)) : .nothing,
        ]),
      payload: .lines(
        rows.map { row in .object(.init(zip(keys, row).map { ($0, $1.json) })) }),
      warnings: hasMore && isForProgram
        ? [
          Diagnostic(
            id: "rows.more", severity: .warning, what: "there are more than \(rows.count) rows",
            fix: fix)
        ] : [])
  }

  /// Runs the query on the store; in the stepper, `source` and `destination` are the stores of the hop.
  ///
  /// - Returns: The store of the stepper that was asked, and the names of the columns.
  private static func run(
    _ query: String?, of store: String, in session: Session, _ body: ([AttributeValue]) -> Bool
  ) throws -> (side: TraceStatement.Side?, names: [String]) {
    if let stepper = session.stepping?.stepper {
      let side = query == nil ? .destination : TraceStatement.Side(rawValue: store)
      if let side {
        return (side, try stepper.reading { try stepper.query(side, query ?? store, body) })
      }
    }
    guard let query else {
      throw Diagnostic(
        id: "command.usage", what: "the store or the query is missing",
        fix: "write it as `sql <store> 'SELECT …'`")
    }
    if query.hasPrefix(".") {
      throw Diagnostic(
        id: "command.usage", what: "\(query) is a command of the sqlite3 shell",
        fix: "`sql \(CommandLineLexer.quoted(store)) 'SELECT name, sql FROM sqlite_master'` "
          + "lists the tables")
    }
    let (name, path) = try session.store(store)
    var opened = try session.open(path)
    var withoutTables: Diagnostic?
    if session.isAtomicStore(path) {
      if let model = try session.modelOf(opened, path: path).model {
        opened = try session.open(path, among: [model.model])
      } else {
        withoutTables = Diagnostic(
          id: "store.noModel",
          what: "this store has no tables: they are made of its objects, whose model is unknown",
          location: Location(element: name),
          fix: session.loadingAdvice.map { "load the model bundle of the app: \($0)" }
            ?? "at the prompt, load the model bundle of the app first; `rows` takes it as --model")
      }
    }
    let names = try Self.names(of: query, on: opened, orThrow: withoutTables, body)
    try opened.checkUnchanged()
    return (nil, names)
  }

  /// - Parameter other: The error where the query fails.
  private static func names(
    of query: String, on store: borrowing SQLiteStore, orThrow other: Diagnostic?,
    _ body: ([AttributeValue]) -> Bool
  ) throws -> [String] {
    do throws(StoreError) {
      return try store.connection.query(query, body)
    } catch {
      if case .badQuery = error, let other { throw other }
      throw error
    }
  }

  /// The names of the tables of a store, and of the columns of those that a query names, or of all; none if the store
  /// cannot be read.
  static func names(for query: String, of store: String, in session: Session) -> [String] {
    var tables: [String] = []
    _ = try? run(
      "SELECT name FROM sqlite_master WHERE type = 'table' LIMIT 1000", of: store, in: session
    ) { row in
      if case .text(let name)? = row.first { tables.append(name) }
      return true
    }
    let words = Set(query.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    let named = tables.filter { words.contains($0.uppercased()[...]) }
    // A join of the tables has all their columns, so that the store is opened once for them; no row is read.
    let joined = (named.isEmpty ? tables : named).prefix(20).map(\.quoted).joined(separator: ", ")
    let columns =
      try? run("SELECT * FROM \(joined) LIMIT 0", of: store, in: session) { _ in true }.names
    return tables + (columns ?? [])
  }

  /// The words of a SELECT that completion suggests.
  static let words = [
    "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "LIMIT", "JOIN", "ON", "AS", "AND", "OR",
    "NOT", "IN", "IS NULL", "LIKE", "BETWEEN", "DISTINCT", "HAVING", "UNION", "ASC", "DESC", "WITH",
    "LEFT JOIN", "OFFSET", "EXISTS", "CASE", "WHEN", "THEN", "ELSE", "END", "CAST(", "count(",
    "sum(", "avg(", "min(", "max(", "length(", "hex(", "typeof(",
  ]
}

extension [String] {
  /// As keys of a JSON object: a repeated name gets a number.
  var distinctKeys: [String] {
    var counts: [String: Int] = [:]
    return map { name in
      counts[name, default: 0] += 1
      return counts[name] == 1 ? name : "\(name):\(counts[name] ?? 0)"
    }
  }
}

extension AttributeValue {
  /// The size of the shown text in bytes; binary data is shown only by its size.
  fileprivate var textSize: Int {
    if case .text(let text) = self { text.utf8.count } else { 0 }
  }
}
