internal import ArgumentParser
internal import StrataBase
internal import StrataMigration
internal import StrataRendering

/// `check [FOLDER]`
struct Check: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks before a release that stores of every shipped version still migrate.",
    discussion: """
      Finds the model bundles, mapping models, policy files, stages files and stores below a folder, as `project` \
      does, and checks each bundle:

        version/…   no shipped version was edited or deleted, and the current version is the newest
        path/…      every shipped version has a path to the current version, by the same means as before
        loss/…      what the migration loses
        fails/…     where the migration fails, or leaves objects that cannot be saved
        mapping/…   mapping models that are stale, ambiguous or wrong
        store/…     stores of the folder that no version wrote

      Shipped versions are those that were current at the release tags of the git repository: tags with a version \
      number, such as v1.2, or those that --released names. The plans are compared with those at the last release, \
      or at the revision of --since. Then a generated store of each shipped version, and each store of the folder, \
      is migrated in a private folder; --no-stores omits this. Nothing is changed.

      `help RULE` explains a rule, such as `help version/edited`.

      Exit status 1: there are findings of the severity of --fail-on or above. Exit status 2: something could not be \
      checked, such as a shallow clone without its tags; the rest is checked.
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "a bundle in no repository: only what the models and generated stores tell",
      "samples --write .", "check")
  ]

  enum Level: String, ExpressibleByArgument, CaseIterable {
    case error, warning, note

    fileprivate func includes(_ severity: Diagnostic.Severity) -> Bool {
      switch severity {
      case .error: true
      case .warning: self != .error
      case .note: self == .note
      }
    }
  }

  @Argument(
    help: ArgumentHelp(.folder, "The folder; by default the folder of the session."),
    completion: .directory) var folder: String = "."
  @Option(
    help: ArgumentHelp(
      "Compare the plans with those at this revision; by default at the last release.",
      valueName: "revision"))
  var since: String?
  @Option(
    help: ArgumentHelp("The tags of releases; * matches any text.", valueName: "pattern"))
  var released: String?
  @Option(
    help: ArgumentHelp("The strategy of the app.", valueName: "strategy"),
    completion: .list(MigrationStrategy.allCases.map(\.rawValue)),
    transform: StrategyOptions.strategy)
  var strategy = MigrationStrategy.default
  @Option(
    help: ArgumentHelp(
      "The number of generated objects of each concrete entity.", valueName: "n"))
  var rows = 10
  @Flag(name: .customLong("no-stores"), help: "Only plan the migrations.") var withoutStores = false
  @Option(help: ArgumentHelp("The lowest severity that fails.", valueName: "severity"))
  var failOn: Level = .error
  @OptionGroup var reports: CheckReportOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (1...10_000).contains(rows) else {
      throw ValidationError("--rows is between 1 and 10000")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    var run = try CheckRun(
      of: session.projectRoot(folder), released: released, since: since,
      by: strategy, in: session)
    try run.checkBundles(objects: withoutStores ? nil : rows)
    try run.checkStores(migrating: !withoutStores)
    let report = run.report
    let fails = report.findings.contains { failOn.includes($0.severity) }
    let outcome = Outcome(
      report.view, payload: report.payload,
      status: run.isIncomplete ? .failed : fails ? .no : .done, warnings: run.unchecked)
    return try reports.reporting(report, outcome, in: session)
  }
}
