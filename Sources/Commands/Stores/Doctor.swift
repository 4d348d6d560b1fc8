internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// `doctor PATH [--model MODEL] [--fix] [--discard-old]`
struct Doctor: FindingsCommand {
  static let configuration = CommandConfiguration.command(
    "doctor",
    abstract:
      "Finds damage from an interrupted migration or a crash, with fixes that lose no data.",
    discussion: """
      Checks a store, or all stores of a folder, and the files beside them: unfinished destinations; journals \
      that are missing, have no store or belong to another one; old stores kept by migrations; migrations in \
      place that were interrupted; changes in a -wal that no program has open; files and private folders of a \
      killed strata process; rows of unknown entities; primary keys out of range; entities without a row or \
      with a wrong parent in Z_PRIMARYKEY; external binary data that is missing or unreferenced. Tables are \
      compared with the cached model of the store and with the models that are loaded or named by --model. \
      Indexes are not compared: Core Data opens a store with more or fewer of them. For an XML or binary \
      store the document is read, and with its model the objects.

      Nothing is changed without --fix, which applies only fixes that lose no data; --discard-old deletes the \
      old stores kept by migrations, which mark them: no copy of your own, and none that has changed. Exit status 1 means that there is a problem to fix, such as a damaged store; \
      notes do not count. Exit status 2 means that a file could not be examined; the others are still checked.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "after a migration",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2", "doctor lists.sqlite",
      "doctor lists.sqlite --discard-old")
  ]

  @Argument(.path, "A store, or a folder with stores.") var path: String
  @Option(
    .model, "The model that wrote the store, in addition to its cached model and loaded models.")
  var model: String?
  @Flag(help: "Apply the fixes that lose no data.") var fix = false
  /// The former name of `--fix`.
  @Flag(name: .customLong("mend"), help: .hidden) var legacyFix = false
  @Flag(help: "Delete the old stores kept by migrations.") var discardOld = false
  @OptionGroup var reports: FindingReportOptions
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let target = try searchTarget(in: session)
    let models =
      try (model.map { try session.candidates(named: $0).map(\.model) } ?? [])
      + session.loadedModels()
    do {
      // Before a store is opened, because the first private folder of this process would remove them.
      let abandoned =
        session.temporaryFolder.map { FolderExamination.abandonedFolders(in: $0()) } ?? []
      let examination = try FolderExamination(
        of: target.folder, store: target.store, models: models)
      guard target.store == nil || !examination.stores.isEmpty || !examination.findings.isEmpty
      else {
        // Throws an error that describes the file.
        _ = try SQLiteStore(reading: "\(target.folder)/\(target.store ?? "")")
        throw StoreError.notFound
      }
      // Reading that was interrupted looks like damage.
      try Interruption.check()
      let found = abandoned + examination.findings
      var entries = try found.map(treat)
      // A fix can reveal further problems, a restored store, a deleted WAL, and solve others: files that were missing.
      if entries.contains(where: \.isFixed) {
        let left = try FolderExamination(of: target.folder, store: target.store, models: models)
        let still = Set(abandoned + left.findings)
        entries = zip(found, entries).filter { $1.isFixed || still.contains($0) }.map(\.1)
        entries += left.findings.filter { !found.contains($0) }.map { finding in
          let obstacle = discardOld ? finding.obstacleToDiscarding : nil
          return obstacle.map { Entry(kept: finding, because: $0) } ?? Entry(finding: finding)
        }
        return try report(entries, left.stores, target, session)
      }
      return try report(entries, examination.stores, target, session)
    } catch let error as StoreError {
      throw error.diagnostic.located(in: path)
    }
  }

  private struct Entry {
    var finding: Finding
    /// The fix that was applied.
    var done: String?
    var isFixed: Bool { done != nil }

    init(finding: Finding, done: String? = nil) { (self.finding, self.done) = (finding, done) }

    /// A copy that `--discard-old` does not delete.
    init(kept finding: Finding, because reason: String) {
      self.finding = finding
      self.finding.fixes = [Fix("--discard-old does not delete it: \(reason)")]
    }
  }

  /// Applies the fix of a finding, if that is requested.
  private func treat(_ finding: Finding) throws -> Entry {
    try Interruption.inOrder {
      if discardOld, let result = try finding.discard() {
        return switch result {
        case .deleted(let done): Entry(finding: finding, done: done)
        case .kept(let reason): Entry(kept: finding, because: reason)
        }
      }
      return Entry(finding: finding, done: fix || legacyFix ? try finding.applyFix() : nil)
    }
  }

  /// The folder to search, and the name of the store if only one is checked.
  private func searchTarget(in session: Session) throws -> (folder: String, store: String?) {
    let found = try? session.store(path)
    let typed = try found?.path ?? session.path(path)
    let path = fix || legacyFix || discardOld ? try session.writable(typed) : typed
    let url = URL(fileURLWithPath: RealPath.resolving(path))
    if try session.kind(url.path, typedAs: self.path) == .folder {
      try session.access.check(url.path)
      return (url.path, nil)
    }
    return (url.deletingLastPathComponent().path, url.lastPathComponent)
  }

  // MARK: Output

  private func report(
    _ entries: [Entry], _ stores: [String], _ target: (folder: String, store: String?),
    _ session: Session
  ) throws -> Outcome {
    let refusals = session.access.refusals(in: target.folder)
    guard !stores.isEmpty || !entries.isEmpty || !refusals.isEmpty else {
      throw Diagnostic(
        id: "store.notFound", what: "the folder has no store, and no files of one",
        location: Location(file: path),
        fix: "name a store, or the folder that holds it: folders in it are not searched")
    }
    func name(_ path: String) -> String {
      path.hasPrefix(target.folder + "/") ? String(path.dropFirst(target.folder.count + 1)) : path
    }
    func named(_ finding: Finding) -> Finding {
      var named = finding
      named.location.file = name(finding.path)
      return named
    }
    let problems = entries.filter { $0.finding.severity == .error }
    let open = problems.filter { !$0.isFixed }
    let fixed = problems.count - open.count
    let found = Phrase.count(problems.count, "problem") + " found"
    let checked = "\(Phrase.count(stores.count, "store")) checked"
    let summary: StyledText
    if open.isEmpty {
      summary =
        StyledText("\(checked), ")
        + StyledText(fixed == 0 ? "no problems found" : "\(found) and fixed", .good)
    } else {
      summary =
        StyledText("\(checked), ")
        + StyledText(found + (fixed == 0 ? "" : ", \(fixed) fixed"), .error)
        + StyledText(
          open.contains { $0.finding.canBeFixed }
            ? "; --fix applies the fixes that lose no data" : ""
        )
    }
    let json: JSONValue = [
      "stores": stores,
      "findings": entries.json { entry in
        let finding = entry.finding
        return named(finding).json(formerKeys: [
          "id": finding.rule.caseName, "file": name(finding.path),
          "fix": finding.fixes.first?.text ?? "", "losesNothing": finding.canBeFixed,
          "fixed": entry.isFixed, "done": entry.done,
        ])
      },
    ]
    var outcome = Outcome(
      .stack(
        entries.map { .lines($0.finding.lines(name($0.finding.path), done: $0.done)) }
          + [.line(summary)]),
      json: json, status: Self.status(open.map(\.finding)))
    if target.store == nil {
      outcome.warnings = refusals.map { refusal in
        var note = refusal
        note.severity = .note
        note.location = refusal.location?.file.map { Location(file: name($0)) }
        return note
      }
    }
    let left = entries.filter { !$0.isFixed }.map { named($0.finding) }
    let done = entries.compactMap { entry in entry.done.map { (named(entry.finding), $0) } }
    return try reports.reporting(left, fixed: done, of: path, outcome, in: session)
  }

  /// The exit status; a store that cannot be read makes the result incomplete, but the others are still checked.
  private static func status(_ problems: [Finding]) -> ExitStatus {
    let isIncomplete = problems.contains {
      if case .unreadable? = $0.storeRule { true } else { false }
    }
    return isIncomplete ? .failed : problems.isEmpty ? .done : .no
  }
}

extension Finding {
  /// The finding about a file, and the applied fix.
  ///
  /// - Parameter subject: The name of the file.
  func lines(_ subject: String, done: String?) -> [StyledText] {
    guard let done else { return lines(at: subject) }
    var fixed = self
    fixed.fixes = []
    return fixed.lines(at: subject)
      + [
        StyledText("    fixed", .good) + StyledText(": \(done)", .faint)
      ]
  }
}
