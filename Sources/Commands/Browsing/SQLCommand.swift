internal import ArgumentParser
internal import StrataDiagnostics
internal import StrataRendering
internal import StrataStore
internal import StrataValues

/// `sql STORE 'SELECT …'`
struct SQLCommand: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql", abstract: "Asks a store's tables directly; only reading is possible.",
    discussion: """
      With --json each row is a line. Values are as the tables hold them: dates in seconds since \
      2001-01-01.
      """)
  static let effect = CommandEffect.reads
  static let examples: [CommandExample] = []

  @Argument(help: ArgumentHelp("The store.", valueName: "store"), completion: .file()) var store:
    String
  @Argument(help: ArgumentHelp("One SELECT, in quotes.", valueName: "query")) var query: String
  @Option(help: ArgumentHelp("How many rows at most; 0 for all.", valueName: "n")) var limit = 1000
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard limit >= 0 else { throw ValidationError("--limit is at least 0") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let (_, path) = try session.store(store)
    let opened = try session.open(path)
    var rows: [[ShownValue]] = []
    var hasMore = false
    let limit = limit
    let names = try opened.query(query) { row in
      guard limit == 0 || rows.count < limit else {
        hasMore = true
        return false
      }
      rows.append(row.map { ShownValue($0) })
      return true
    }
    try opened.checkUnchanged()
    return Outcome(
      .stack([
        .table(
          Table(columns: names.map { Table.Column($0) }, rows: rows.map { $0.map(\.text) })),
        hasMore
          ? .line(StyledText("… there are more: --limit 0 for all", .faint)) : .nothing,
      ]),
      payload: JSONLines(
        rows.map { row in .object(zip(names, row).map { ($0, $1.json) }) }),
      warnings: hasMore && output.json
        ? [
          Diagnostic(
            id: "rows.more", severity: .warning, what: "there are more rows than \(limit)",
            mend: "--limit 0 gives all")
        ] : [])
  }
}
