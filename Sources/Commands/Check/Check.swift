internal import ArgumentParser
internal import StrataArchives
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

        version/…   no shipped version was edited or deleted, and no shipped version is newer than the current one
        path/…      every shipped version has a path to the current version, by the same means as before
        loss/…      what the migration loses: an error if it does not at the base
        fails/…     where the migration fails, or leaves objects that cannot be saved
        mapping/…   mapping models that are stale, ambiguous or wrong
        rename/…    removed properties that were probably renamed
        policy/…    policies without a policy file: their migrations are planned and not performed
        store/…     stores of the folder that cannot be read, or that no version wrote

      Shipped versions are those that were current at the release tags of the git repository: tags that end in a \
      version number and have no other digits, such as v1.2 and release-3, but not beta-2 or v2.0-rc1, or those that \
      --released names; without such tags, those of the file strata.lock, which \
      `lock` writes. The plans are compared with those at the last release, \
      or at the revision of --since. Then a generated store of each shipped version, and each store of the folder, \
      is migrated in a private folder; --no-stores omits this. The project is not changed.

      The file strata.toml of the folder can set, for a [[bundle]] by its path: mappings, policies, strategy, oldest \
      (older versions are not checked), stores and rows; also released, the [severity] of rules, and an [[accept]] \
      with finding, reason and until for a finding that does not fail the check. Options of the command win. \
      --write-accepts adds all findings that fail to it; nothing else is written.

      `help RULE` explains a rule, such as `help version/edited`.

      Exit status 1: there are findings of the severity of --fail-on or above. Exit status 2: something could not be \
      checked, such as the releases of a shallow clone; the rest is checked.
      """)
  static let effect = CommandEffect.writesFiles
  static let examples = [
    CommandExample(
      "a project without release tags, whose versions are in a lock file", "samples --write .",
      "lock --release 1.0", "check")
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
  var strategy: MigrationStrategy?
  @Option(
    help: ArgumentHelp(
      "The number of generated objects of each concrete entity; 10 by default.", valueName: "n"))
  var rows: Int?
  @Flag(name: .customLong("no-stores"), help: "Only plan the migrations.") var withoutStores = false
  @Option(help: ArgumentHelp("The lowest severity that fails.", valueName: "severity"))
  var failOn: Level = .error
  @Flag(help: "Accept the findings that fail: add them to strata.toml.") var writeAccepts = false
  @OptionGroup var reports: CheckReportOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (1...10_000).contains(rows ?? CheckConfiguration.defaultRows) else {
      throw ValidationError("--rows is between 1 and 10000")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    let root = try session.projectRoot(folder)
    let file = "\(folder)/\(CheckConfiguration.fileName)"
    let shown = ProjectState.relative(file, to: ".")
    let bytes = try ConfigurationReader.bytes(of: session.path(file), shown: shown)
    var configuration = try ConfigurationReader.read(bytes, named: shown)
    configuration.released = released ?? configuration.released
    configuration.options = (strategy, rows)
    var run = try CheckRun(of: root, by: configuration, since: since, in: session)
    try run.checkBundles(migrating: !withoutStores)
    try run.checkStores(migrating: !withoutStores)
    var accepted = accepted(by: run, in: session)
    var written: View = .nothing
    if writeAccepts {
      let names = Set(
        failing(accepted.findings).filter { $0.mayBeAccepted(by: configuration) }
          .map(\.checkedName)
      ).sorted { $0.precedesInBytes($1) }
      if !names.isEmpty {
        let new = try AcceptWriter.appending(names, to: bytes, named: shown)
        var update = FolderUpdate()
        update.write(new, to: try session.newPath(file, as: nil, force: true))
        try update.commit()
        run.accept(try ConfigurationReader.read(new, named: shown).accepted)
        accepted = self.accepted(by: run, in: session)
      }
      written = .line(
        names.isEmpty
          ? "no findings to accept: \(shown) was not changed"
          : "accepted \(Phrase.count(names.count, "finding")) in "
            + StyledText(shown, .name) + ": give the reason of each")
    }
    let report = run.report(of: accepted)
    let fails = !failing(report.findings).isEmpty
    var outcome = Outcome(
      .sections([report.view, written]), payload: report.payload,
      status: run.isIncomplete ? .failed : fails ? .no : .done, warnings: run.unchecked)
    outcome.dependsOnTime = accepted.dependsOnTime
    return try reports.reporting(report, outcome, in: session)
  }

  private func failing(_ findings: [Finding]) -> [Finding] {
    findings.filter { $0.acceptance == nil && failOn.includes($0.severity) }
  }

  private func accepted(by run: CheckRun, in session: Session) -> AcceptedFindings {
    AcceptedFindings(
      run.findings, by: run.configuration, on: session.today(),
      isComplete: !run.isIncomplete && !withoutStores)
  }
}
