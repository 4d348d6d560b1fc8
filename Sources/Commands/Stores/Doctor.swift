internal import ArgumentParser
internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering
internal import StrataSQLite
internal import StrataStore

/// `doctor PATH [--model MODEL] [--fix] [--discard-old]`
struct Doctor: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Finds what an interrupted migration or a crash has left, and the fix that loses nothing.",
    discussion: """
      Checks a store, or all stores of a folder, and the files beside them: unfinished destinations, \
      journals without a store, of another one or missing, old stores set aside, migrations in place that ended \
      half-way, changes in a -wal that no program has open, files and private folders of a \
      strata that was killed, rows of unknown entities, primary keys out of range, entities without \
      a row or with a wrong parent in Z_PRIMARYKEY, binary data that is missing or that \
      no store names. Tables are compared with the cached model of the store and with the models that are \
      loaded or named by --model. Indexes are not compared: Core Data opens a store with more or fewer of them. \
      Of an XML or binary store the document is read, and with its model the objects. Nothing is changed \
      unless --fix is given, which applies only fixes that lose nothing; --discard-old deletes the old \
      stores that migrations have set aside. Exit status 1 means that there is a problem to fix; notes do \
      not count. Exit status 2 means that a store cannot be read; the others are still checked.
      """)
  static let effect = CommandEffect.writesStore
  static let examples = [
    CommandExample(
      "after a migration",
      "create lists.sqlite --model sample:Topics/Model1 --rows 2",
      "migrate lists.sqlite --to sample:Topics/Model2", "doctor lists.sqlite",
      "doctor lists.sqlite --discard-old")
  ]

  @Argument(
    help: ArgumentHelp(.path, "A store, or a folder with stores."),
    completion: .file())
  var path: String
  @Option(
    help: ArgumentHelp(
      .model, "The model that wrote the store, besides the one that it caches and those loaded."),
    completion: .file())
  var model: String?
  @Flag(help: "Apply the fixes that lose nothing.") var fix = false
  /// What `--fix` was called before.
  @Flag(help: .hidden) var mend = false
  @Flag(help: "Delete the old stores that migrations have set aside.") var discardOld = false
  @OptionGroup var reports: FindingReportOptions
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let place = try place(in: session)
    let models =
      try (model.map { try session.candidates(named: $0).map(\.model) } ?? [])
      + session.loadedModels()
    do {
      // Before a store is opened: then the first private folder of this process would remove them.
      let abandoned = session.temporaryFolder.map(FolderExamination.abandonedFolders) ?? []
      let examination = try FolderExamination(
        of: place.folder, store: place.store, models: models)
      guard place.store == nil || !examination.stores.isEmpty || !examination.findings.isEmpty
      else {
        // Says what it is instead.
        _ = try SQLiteStore(reading: "\(place.folder)/\(place.store ?? "")")
        throw StoreError.notFound
      }
      var entries: [Entry] = []
      for finding in abandoned + examination.findings {
        entries.append(Entry(finding: finding, done: try treat(finding)))
      }
      // What was fixed may have hidden something: a store that came back, a WAL that is gone.
      if entries.contains(where: \.isFixed) {
        let known = Set(entries.map(\.finding))
        let left = try FolderExamination(of: place.folder, store: place.store, models: models)
        entries += left.findings.filter { !known.contains($0) }.map { Entry(finding: $0) }
        return try report(entries, left.stores, place, session)
      }
      return try report(entries, examination.stores, place, session)
    } catch let error as StoreError {
      throw error.diagnostic.located(in: path)
    }
  }

  private struct Entry {
    var finding: Finding
    /// What was done about it.
    var done: String?
    var isFixed: Bool { done != nil }
  }

  /// - Returns: What was done; `nil` where nothing was.
  private func treat(_ finding: Finding) throws -> String? {
    try Interruption.inOrder {
      if discardOld, finding.canBeDiscarded { return try finding.discard() }
      guard fix || mend, finding.canBeFixed else { return nil }
      return try finding.applyFix()
    }
  }

  /// The folder to look through, and the only store of it that is meant.
  private func place(in session: Session) throws -> (folder: String, store: String?) {
    let found = try? session.store(path)
    let typed = try found?.path ?? session.path(path)
    let path = fix || mend || discardOld ? try session.writable(typed) : typed
    let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    if try session.kind(url.path, typedAs: self.path) == .folder {
      try session.access.check(url.path)
      return (url.path, nil)
    }
    return (url.deletingLastPathComponent().path, url.lastPathComponent)
  }

  // MARK: The answer

  private func report(
    _ entries: [Entry], _ stores: [String], _ place: (folder: String, store: String?),
    _ session: Session
  ) throws -> Outcome {
    func name(_ path: String) -> String {
      path.hasPrefix(place.folder + "/") ? String(path.dropFirst(place.folder.count + 1)) : path
    }
    func named(_ finding: Finding) -> Finding {
      var named = finding
      named.place.file = name(finding.path)
      return named
    }
    let problems = entries.filter { $0.finding.severity == .error }
    let open = problems.filter { !$0.isFixed }
    let fixed = problems.count - open.count
    let found = Words.count(problems.count, "problem", "problems") + " found"
    let checked = "\(Words.count(stores.count, "store", "stores")) checked"
    let summary: StyledText
    if stores.isEmpty, entries.isEmpty {
      summary = StyledText("no store found, and no files of one", .warning)
    } else if open.isEmpty {
      summary =
        StyledText("\(checked), ")
        + StyledText(fixed == 0 ? "no problems found" : "\(found) and fixed", .good)
    } else {
      summary =
        StyledText("\(checked), ")
        + StyledText(found + (fixed == 0 ? "" : ", \(fixed) fixed"), .error)
        + StyledText(
          open.contains { $0.finding.canBeFixed }
            ? "; --fix applies the fixes that lose nothing" : ""
        )
    }
    var outcome = Outcome(
      .stack(
        entries.map { .lines($0.finding.lines(name($0.finding.path), done: $0.done)) }
          + [.line(summary)]),
      payload: DoctorPayload(
        stores: stores,
        findings: entries.map { entry in
          FindingPayload(
            named(entry.finding),
            formerKeys: DoctorKeys(entry.finding, name(entry.finding.path), entry.done))
        }),
      status: Self.status(open.map(\.finding)))
    if place.store == nil {
      outcome.warnings = session.access.refusals(in: place.folder).map { refusal in
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

  /// A store that cannot be read makes the answer incomplete: the others are still checked.
  private static func status(_ problems: [Finding]) -> ExitStatus {
    let isIncomplete = problems.contains {
      if case .unreadable? = $0.storeRule { true } else { false }
    }
    return isIncomplete ? .failed : problems.isEmpty ? .done : .no
  }
}

extension Finding {
  /// The finding about a file, and what was done about it.
  ///
  /// - Parameter subject: The file.
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

/// What `doctor` says of a finding besides: whether the fix was applied, and the keys that it had before there was
/// one shape for all findings.
private struct DoctorKeys: Encodable, Sendable {
  var id: String
  var file: String
  var fix: String
  /// Whether --fix applies the fix.
  var losesNothing: Bool
  var fixed: Bool
  /// What was done.
  var done: String?

  init(_ finding: Finding, _ file: String, _ done: String?) {
    id = finding.rule.caseName
    self.file = file
    fix = finding.fixes.first?.text ?? ""
    losesNothing = finding.canBeFixed
    fixed = done != nil
    self.done = done
  }
}

/// The JSON shape of `doctor`.
struct DoctorPayload: Encodable, Sendable {
  var stores: [String]
  var findings: [FindingPayload]
}
