internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import StrataObjectModel
internal import StrataStore

extension Session {
  /// The error that stages cannot change objects: that requires a SQLite store, between two migrations in place.
  ///
  /// - Parameter hasOutput: Whether `--output` is given.
  /// - Returns: `nil` if the stages can run, or if none changes objects.
  func stagesNeedSQLite(
    _ planned: PlannedMigration, by arguments: MigrationArguments, hasOutput: Bool
  ) -> Diagnostic? {
    stagesNeedSQLite(
      planned.plan, of: planned.path, typed: arguments.store, to: arguments.target,
      arguments.options, hasOutput: hasOutput)
  }

  func stagesNeedSQLite(
    _ plan: MigrationPlan, of path: String, typed store: String, to target: String,
    _ options: [String], hasOutput: Bool
  ) -> Diagnostic? {
    guard let source = plan.hops.first?.from,
      plan.hops.contains(where: { $0.stage?.changesObjects == true }),
      hasOutput || isAtomicStore(path)
    else { return nil }
    let copy = newStoreName(beside: path)
    let first = CommandLineLexer.line(
      of: ["migrate", store, "--to", source.typableName, "--output", copy])
    let second = CommandLineLexer.line(of: ["migrate", copy, "--to", target] + options)
    return Diagnostic(
      id: "migration.stagesNeedSQLite",
      what: "the stages change objects, which is possible only in place in a SQLite store"
        + (isAtomicStore(path)
          ? "; this is \(StoreForm(of: path) == .xml ? "an XML" : "a binary") store" : ""),
      location: Location(file: shown(path)),
      fix: "copy it into a SQLite store, and migrate that: `\(first)`, then `\(second)`")
  }

  /// The name of a SQLite store that does not exist yet.
  func newStoreName(beside path: String) -> String {
    let store = URL(fileURLWithPath: overlay?.original(path) ?? path)
    let base = store.deletingPathExtension().lastPathComponent
    let shown = shown(path)
    let folder =
      shown.contains("/") ? shown.prefix(through: shown.lastIndex(of: "/") ?? shown.startIndex) : ""
    let names = ["\(base).sqlite"] + (2...99).map { "\(base)-\($0).sqlite" }
    return names.map { folder + $0 }.first { !isThere($0) } ?? "\(folder)\(base)-new.sqlite"
  }
}
