internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataGit
internal import StrataMigration
internal import StrataRendering

/// `check [FOLDER]`
struct Check: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "check",
    abstract: "Checks before a release that stores of every shipped version still migrate.",
    discussion: """
      Finds the model bundles, mapping models, policy files, stages files and stores below a folder, as `project` \
      does, and checks each bundle:

        version/…   no shipped version was edited or deleted, and the current version can be released
        path/…      every shipped version has a path to the current version, by the same means as before
        loss/…      what the migration loses: an error if it does not at the base
        fails/…     where the migration fails, or leaves objects that cannot be saved
        mapping/…   mapping models that are stale, ambiguous or wrong
        rename/…    removed properties that were probably renamed: their losses are loss/…
        policy/…    policies without a policy file: their migrations are planned and not performed, which is status 2
        cloudkit/…  what CloudKit does not allow, if the model is used with it
        store/…     stores of the folder that cannot be read, or that no version wrote
        lock/…      lines of strata.lock that were changed or removed
        accept/…    accepted findings that are no longer found, or that have no reason

      Shipped versions are those that were current at the release tags of the git repository: tags that end in a \
      version number and have no other digits, such as v1.2 and release-3, but not beta-2 or v2.0-rc1, or those that \
      --released names; and those of the file strata.lock, which `lock` writes for a project without such tags. The \
      plans are compared with those at the last release. Then a generated store of each shipped \
      version, and each store of the folder, is migrated in a private folder; --no-stores omits this. The project is \
      not changed.

      On a branch that maintains an older release, name its tags: --released 'v1.*'.

      --since compares with another revision, such as the target of a pull request; if no file of models, migrations \
      or stores has changed since, nothing else is checked. --staged checks the files of the index, as a pre-commit \
      hook does, and compares with the last commit; stores are those with a usual ending, such as .sqlite. --shard 2/4 \
      performs the second of four parts of the migrations, in one of four jobs of a build server.

      The file strata.toml of the folder can set, for a [[bundle]] by its path: released, mappings, policies, strategy, \
      oldest (older versions are not checked), stores, rows and cloudkit; also released, the [severity] of rules, and an [[accept]] \
      with finding, reason and until for a finding that does not fail the check. Options of the command win. \
      --write-accepts adds all findings that fail to it; nothing else is written.

      `help RULE` explains a rule, such as `help version/edited`.

      Exit status 1: there are findings of the severity of --fail-on or above. Exit status 2: something could not be \
      checked, such as the releases of a shallow clone; the rest is checked.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a project without release tags, whose versions are in a lock file", "samples --write .",
      "lock --release 1.0", "check")
  ]

  @Argument(.folder, "The folder; by default the folder of the session.") var folder: String = "."
  @Option(
    help: ArgumentHelp(
      "Compare the plans with those at this revision; by default at the last release.",
      valueName: "revision"))
  var since: String?
  @Flag(help: "Check the files of the index, and compare with the last commit.") var staged = false
  @Option(
    help: ArgumentHelp("The tags of releases; * matches any text.", valueName: "pattern"))
  var released: String?
  @Option(
    help: ArgumentHelp("The strategy of the app.", valueName: "strategy"),
    completion: .list(MigrationStrategy.allCases.map(\.rawValue)),
    transform: StrategyOptions.strategy)
  var strategy: MigrationStrategy?
  // A negative number is a value, and not an option.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of generated objects of each concrete entity; 10 by default.", valueName: "n"))
  var rows: Int?
  @Flag(name: .customLong("no-stores"), help: "Only plan the migrations.") var withoutStores = false
  @Option(
    help: ArgumentHelp("Perform one of several parts of the migrations.", valueName: "i/n"),
    transform: Self.shard)
  var shard: Shard = .whole
  @Option(help: ArgumentHelp("The lowest severity that fails.", valueName: "severity"))
  var failOn: Diagnostic.Severity = .error
  @Flag(help: "Accept the findings that fail: add them to strata.toml.") var writeAccepts = false
  @OptionGroup var reports: CheckReportOptions
  @OptionGroup var output: OutputOptions

  mutating func validate() throws {
    guard (1...10_000).contains(rows ?? CheckConfiguration.defaultRows) else {
      throw ValidationError("--rows is between 1 and 10000")
    }
    guard since == nil || !staged else {
      throw ValidationError("--staged compares with the last commit: omit --since")
    }
    guard !writeAccepts || !staged && shard == .whole else {
      throw ValidationError("--write-accepts needs the whole project: omit --staged and --shard")
    }
  }

  private static func shard(_ text: String) throws -> Shard {
    guard let shard = Shard(text) else {
      throw ValidationError("a part is a number of a number, such as 2/4")
    }
    return shard
  }

  mutating func run(in session: Session) throws -> Outcome {
    let checked: (report: CheckReport, outcome: Outcome)
    do {
      checked = try check(in: session)
    } catch let error as any DiagnosticError {
      // A build server reads why nothing was checked in the reports.
      guard reports.isUsed, !Interruption.isRequested else { throw error }
      let report = CheckReport(failed: error.diagnostic, in: folder, session)
      checked = (
        report,
        Outcome(
          .line(report.heading), json: report.json, status: .failed,
          warnings: [error.diagnostic])
      )
    }
    return try reports.reporting(checked.report, checked.outcome, in: session)
  }

  private func check(in session: Session) throws -> (report: CheckReport, outcome: Outcome) {
    let root = try session.projectRoot(folder)
    let repository = Result { try ProjectRepository(containing: root, in: session) }
    if let report = try unchanged(
      since: since ?? (staged ? "HEAD" : nil), root, repository, in: session)
    {
      return (report, Outcome(report.view, json: report.json))
    }
    let files = staged ? try repository.get().stagedFiles() : nil
    let source = files?.root ?? root
    let file = "\(folder)/\(CheckConfiguration.fileName)"
    let shown = ProjectState.relative(file, to: ".")
    let bytes = try ConfigurationReader.bytes(
      of: "\(source)/\(CheckConfiguration.fileName)", shown: shown)
    var configuration = try ConfigurationReader.read(bytes, named: shown)
    configuration.options = (strategy, rows, released)
    let scope = CheckedProject.Scope(
      root: root, since: since, isStaged: staged, isMigrating: !withoutStores, shard: shard)
    let project = try CheckedProject(
      scope, files: source, of: repository, by: configuration, in: session)
    var run = try CheckRun(of: project)
    withExtendedLifetime(files) {}
    var accepted = accepted(by: run, in: session)
    var written: View = .nothing
    if writeAccepts {
      let findings = failing(accepted.findings).filter { $0.mayBeAccepted(by: configuration) }
      let names = Set(findings.map(\.checkedName)).sorted { $0.precedesInBytes($1) }
      if !names.isEmpty {
        let new = try AcceptWriter.appending(names, to: bytes, named: shown)
        try FolderUpdate.write(new, to: try session.newPath(file, as: nil, force: true))
        run.accept(try ConfigurationReader.read(new, named: shown).accepted)
        accepted = self.accepted(by: run, in: session)
      }
      written = .line(
        names.isEmpty
          ? "no findings to accept: \(shown) was not changed"
          : "accepted \(Phrase.count(findings.count, "finding")) in "
            + StyledText(shown, .name) + ": give the reason of each")
    }
    run.findUnperformed(accepted)
    let report = run.report(of: accepted)
    let fails = !failing(report.findings).isEmpty
    var outcome = Outcome(
      .sections([report.view, written]), json: report.json,
      status: run.isIncomplete ? .failed : fails ? .no : .done,
      warnings: run.unchecked + project.notes)
    outcome.dependsOnTime = accepted.dependsOnTime
    return (report, outcome)
  }

  /// The report if no file has changed since a revision.
  ///
  /// - Parameter root: The path of the project's folder.
  private func unchanged(
    since revision: String?, _ root: String, _ repository: Result<ProjectRepository, any Error>,
    in session: Session
  ) throws -> CheckReport? {
    // Another error of the repository is reported with the rest of the project. In a shallow clone, only a lock file
    // tells which versions were released.
    guard let revision, !writeAccepts, let repository = try? repository.get(),
      !repository.git.isShallow || FileStatus("\(root)/\(LockFile.fileName)") != nil,
      let count = try? repository.unchangedCount(
        since: staged ? revision : repository.fork(from: revision), isStaged: staged, in: session),
      count > 0
    else { return nil }
    return CheckReport(unchanged: count, since: revision, in: repository)
  }

  private func failing(_ findings: [Finding]) -> [Finding] {
    findings.filter { $0.acceptance == nil && !failOn.isWorse(than: $0.severity) }
  }

  private func accepted(by run: CheckRun, in session: Session) -> AcceptedFindings {
    AcceptedFindings(
      run.findings, by: run.configuration, in: run.inFolder(run.configuration.file),
      on: session.today(),
      isComplete: !run.isIncomplete && !run.hasUnperformed && !withoutStores && shard == .whole)
  }
}

extension Diagnostic.Severity: ExpressibleByArgument {}
