internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The command `replay FILE…`.
struct Replay: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "replay", abstract: "Runs scripts or notebooks again and compares every answer.",
    discussion: """
      Each document runs in a new session. If an answer differs from the recorded one, the \
      difference is shown and the exit status is 1. A document may read files in its own folder; \
      --allow-read permits another folder. Files that it writes go to a private folder that is \
      deleted when the replay ends; --allow-writes lets it change real files.

      A document written by `save` contains fingerprints of the data behind its answers. If only the \
      wording of an answer differs, the replay says so, and --ignore-wording accepts it.

      A command without a recorded answer is run but not compared; --complete refuses it. An \
      expectation that is met passes, recorded or not.

      --update asks for each change whether to record it in the document; with --all it records \
      every change. Failures that were not recorded and expectations that are not met are never \
      recorded: write `? 2` below a command that is meant to fail. An answer that was cut short by \
      a time limit, another program or Ctrl-C is not recorded either. A new answer with values of a \
      store is recorded as `...` and its fingerprint, as by `save`, unless --reveal is given. The commands of a document \
      share one budget (`help budgets`).
      """)
  static let changesFiles = true
  static let showsValues = true
  static let examples = [
    CommandExample(
      "a saved session, compared", "load sample:Topics", "diff Model1 Model2", "save topics.md",
      "replay topics.md"),
    CommandExample(
      "a report for a CI system", "samples", "save s.strata", "replay s.strata --junit report.xml"),
  ]

  @Argument(.document, "Scripts (.strata), notebooks (.md), or folders that contain them.")
  var files: [String]
  @Option(.folder, "Another folder that the documents may read.") var allowRead: [String] = []
  @Flag(help: "Let the documents change real files in the folders that they may read.")
  var allowWrites = false
  @Flag(help: "Ask which new answers to record in the documents.")
  var update = false
  @Flag(help: "With --update: record all new answers without asking.") var all = false
  @Flag(help: "Accept answers in which only the wording differs.") var ignoreWording = false
  @Flag(help: "Refuse answers that were never recorded.") var complete = false
  @Option(.file, "Write a JUnit XML report.") var junit: String?
  @Flag(help: "Replace an existing report.") var force = false
  @Flag(help: "Do not list documents that pass.") var quiet = false
  @Flag(help: "Also print failures as annotations of a GitHub workflow.") var annotate = false
  @Option(help: ArgumentHelp("Number of documents to replay in parallel.", valueName: "n"))
  var jobs =
    1
  @Flag(
    help:
      "Also show answers that differ and may contain values of a store in --json, --junit and --annotate, and record them with --update."
  )
  var reveal = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  private var rules: ReplayRules {
    ReplayRules(ignoresWording: ignoreWording, isComplete: complete)
  }

  mutating func validate() throws {
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 64") }
    guard !all || update else { throw ValidationError("--all requires --update") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    try check(session)
    let prompt = session.prompt
    guard !update || all || prompt != nil else {
      throw Diagnostic(
        id: "command.noTerminal", what: "--update needs a terminal to ask on",
        fix: "record all changes with --update --all, and review them")
    }
    let reportPath = try junit.map { try session.newPath($0, as: .report, force: force) }
    if let reportPath {
      guard !files.contains(where: { (try? session.path($0)) == reportPath }) else {
        throw Diagnostic(
          id: "command.usage", what: "the report would replace a document that is replayed",
          fix: "choose another name: --junit report.xml")
      }
    }
    let allowed = try allowRead.map { try session.folder(named: $0) }
    let replay = PrivateReplay(
      folder: session.folder, readable: ReadableFolders(allowed), mayWrite: allowWrites,
      depth: session.replayDepth + 1,
      written: session.replayDepth == 0 ? nil : session.overlay?.contents)
    var replays = try ConcurrentMap.map(
      files.flatMap { Self.sources($0, in: session) }, atMost: jobs
    ) { DocumentReplay($0, by: replay) }.map { try $0.checkingInterruption() }
    if update {
      for index in replays.indices {
        let hasQuit = replays[index].update(
          prompting: all ? nil : prompt, revealing: reveal, session)
        if hasQuit { break }
      }
    }
    for hashes in Set(replays.flatMap(\.shownStores).joined()) { session.noteReading(of: hashes) }
    session.running?.unfulfilledCount += replays.count { $0.hasUnfulfilledExpectation }
    var outcome = outcome(of: replays)
    // The results are shown even if the report cannot be written.
    do {
      if let reportPath { try write(replays, to: reportPath) }
    } catch let error as any DiagnosticError {
      outcome.warnings.append(error.diagnostic)
      outcome.status = .failed
    }
    return outcome
  }

  /// A document may replay others, which cannot change files or replay further documents.
  private func check(_ session: Session) throws(Diagnostic) {
    try session.checkReplayDepth()
    if !session.isUsersOwn, update || allowWrites {
      throw Diagnostic(
        id: "session.replayRefused",
        what: "a document that may not change files cannot let another document change them",
        fix: "omit \(update ? "--update" : "--allow-writes"), or type the command yourself")
    }
  }

  /// A document, or the documents in a folder.
  private static func sources(_ file: String, in session: Session) -> [DocumentReplay.Source] {
    do throws(Diagnostic) {
      guard file != "-", let names = try session.documents(inFolder: file) else {
        return [source(file, in: session)]
      }
      let folder = ReadableFolders([try session.path(file)])
      return names.map { name in
        var source = folder.only { Self.source(name, in: session, isFound: true) }
        source.foundIn = folder
        return source
      }
    } catch {
      return [DocumentReplay.Source(name: file, contents: .failure(error))]
    }
  }

  /// - Parameter isFound: Whether it was found in a folder; then only that folder may be read.
  private static func source(
    _ file: String, in session: Session, isFound: Bool = false
  ) -> DocumentReplay.Source {
    do {
      let path = file == "-" ? nil : try session.path(file)
      if let path, isFound { try checkLinks(path, named: file) }
      let (document, folder) = try session.document(file)
      // A replayed document has at most the permissions of the document that replays it.
      try session.access.check(folder)
      return DocumentReplay.Source(
        name: file, path: path, contents: .success((document, folder)))
    } catch let error as any DiagnosticError {
      return DocumentReplay.Source(name: file, contents: .failure(error.diagnostic))
    } catch {
      let diagnostic = Diagnostic(id: "script.unreadable", what: "\(error)")
      return DocumentReplay.Source(name: file, contents: .failure(diagnostic.located(in: file)))
    }
  }

  /// A document found in a folder must not be a link to a file elsewhere, which would be run or rewritten
  /// there.
  private static func checkLinks(_ path: String, named file: String) throws(Diagnostic) {
    do {
      _ = try OpenedPath.kind(path)
    } catch .outOfReach {
      throw Diagnostic(
        id: "replay.linkedDocument",
        what: "the path of this document contains a link out of the folder",
        location: Location(file: file), fix: "name the document itself: `replay <document>`")
    } catch {
      throw error.diagnostic
    }
  }

  private func write(_ replays: [DocumentReplay], to path: String) throws {
    try FolderUpdate.write(
      JUnitReport.encoded(
        replays.map { $0.checked(by: rules, revealing: reveal) }, name: "strata replay"),
      to: path)
  }

  private func outcome(of replays: [DocumentReplay]) -> Outcome {
    var lines = replays.flatMap { $0.lines(by: rules, isQuiet: quiet) }
    if annotate {
      lines += WorkflowAnnotations.lines(
        replays.map { $0.checked(by: rules, revealing: reveal) }
      ).map { StyledText($0) }
    }
    let statuses = replays.map { $0.status(by: rules) }
    if replays.count > 1 {
      let bad = statuses.count { $0 != .done }
      lines.append(
        StyledText("\(replays.count) documents: ")
          + StyledText(
            bad == 0 ? "all passed" : "\(replays.count - bad) passed, \(bad) failed",
            bad == 0 ? .good : .error))
    }
    return Outcome(
      .lines(lines), json: replays.json { $0.json(by: rules, revealing: reveal) },
      status: statuses.max() ?? .done,
      warnings: replays.compactMap(\.problem))
  }
}
