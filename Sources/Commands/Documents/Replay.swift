internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// `replay FILE…`
struct Replay: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Runs scripts or notebooks anew and compares every answer.",
    discussion: """
      Each document gets a fresh session. Where an answer differs from the recorded one, the \
      difference is shown and the exit status is 1. A document may read below its own folder; \
      --allow-read opens another. What it writes goes to a private folder, is read back from there, \
      and is gone when the replay ends, unless --allow-writes lets it change real files.

      A document that `save` wrote knows the data behind its answers: where these are the same and \
      only the words differ, that is said, and --ignore-wording lets it pass.

      A command without a recorded answer is run and not compared; --complete refuses it. An \
      expectation that is met passes, recorded or not.

      --update asks, change by change, which to take into the document; with --all it takes every \
      one. Failures of commands that nobody recorded, and expectations that are not met, are never \
      taken: write `? 2` below a command that is meant to fail. What a limit of time, another program or Ctrl-C has \
      ended is no answer either. All commands of a document together have a budget (`help budgets`).
      """)
  static let effect = CommandEffect.writesFiles
  static let showsValues = true
  static let examples = [
    CommandExample(
      "what was saved, compared", "load sample:Topics", "diff Model1 Model2", "save topics.md",
      "replay topics.md"),
    CommandExample(
      "a report for a CI system", "samples", "save s.strata", "replay s.strata --junit report.xml"),
  ]

  @Argument(
    help: ArgumentHelp(
      .document, "Scripts (.strata), notebooks (.md), or folders: all that lie below."),
    completion: .file())
  var files: [String]
  @Option(
    help: ArgumentHelp(.folder, "A further folder that the documents may read."),
    completion: .directory)
  var allowRead: [String] = []
  @Flag(help: "Let the documents change files, in the folders that they may read.")
  var allowWrites = false
  @Flag(help: "Ask which of the new answers the documents should expect from now on.")
  var update = false
  @Flag(help: "With --update: all of them, without asking.") var all = false
  @Flag(help: "Let answers pass that say the same in other words.") var ignoreWording = false
  @Flag(help: "Refuse answers that were never recorded.") var complete = false
  @Option(
    help: ArgumentHelp(.file, "Write a report in JUnit's XML."), completion: .file())
  var junit: String?
  @Flag(help: "Replace the report where one is there.") var force = false
  @Flag(help: "Say nothing of documents that pass.") var quiet = false
  @Flag(help: "Print failures as annotations of a GitHub workflow too.") var annotate = false
  @Option(help: ArgumentHelp("How many documents to replay at a time.", valueName: "n")) var jobs =
    1
  @Flag(
    help:
      "Show answers that may hold values of a store in --json, --junit and --annotate too, where they differ."
  )
  var reveal = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  private var rules: ReplayRules {
    ReplayRules(ignoresWording: ignoreWording, isComplete: complete)
  }

  mutating func validate() throws {
    guard (1...64).contains(jobs) else { throw ValidationError("--jobs is from 1 to 64") }
    guard !all || update else { throw ValidationError("--all goes with --update") }
    guard !annotate || !output.json else {
      throw ValidationError("--annotate prints lines for a workflow, --json for a program")
    }
  }

  mutating func run(in session: Session) throws -> Outcome {
    try check(session)
    let ask = session.ask
    guard !update || all || ask != nil else {
      throw Diagnostic(
        id: "command.noTerminal", what: "there is no terminal to ask on",
        fix: "take every change with --update --all, and look at what they are")
    }
    let reportPath = try junit.map { try session.newPath($0, as: .report, force: force) }
    if let reportPath {
      guard !files.contains(where: { (try? session.path($0)) == reportPath }) else {
        throw Diagnostic(
          id: "command.usage", what: "the report would replace a document that is replayed",
          fix: "give it a name of its own: --junit report.xml")
      }
    }
    let allowed = try allowRead.map { try session.folder(named: $0) }
    let replay = PrivateReplay(
      folder: session.folder, readable: ReadableFolders(allowed), mayWrite: allowWrites,
      depth: session.replayDepth + 1,
      written: session.replayDepth == 0 ? nil : session.overlay?.contents)
    var replays = try ConcurrentMap.map(
      try files.flatMap { try Self.sources($0, in: session) }, atMost: jobs
    ) { DocumentReplay($0, by: replay) }.map { try $0.checkingInterruption() }
    if update {
      for index in replays.indices {
        if replays[index].update(asking: all ? nil : ask, session) { break }
      }
    }
    session.running?.unmetCount += replays.count { $0.hasUnmetExpectation }
    var outcome = outcome(of: replays)
    // What was found is told, whatever becomes of the report.
    do {
      if let reportPath { try write(replays, to: reportPath) }
    } catch let error as any DiagnosticError {
      outcome.warnings.append(error.diagnostic)
      outcome.status = .failed
    }
    return outcome
  }

  /// A document may replay others, which write nothing for good and replay no further.
  private func check(_ session: Session) throws(Diagnostic) {
    if session.replayDepth > 1 {
      throw Diagnostic(
        id: "session.replayRefused",
        what: "a document that another one replays may not replay a third",
        fix: "replay them side by side: replay a.strata b.strata")
    }
    if !session.isUsersOwn, update || allowWrites {
      throw Diagnostic(
        id: "session.replayRefused",
        what: "a document that may change no files may not let another do so",
        fix: "leave \(update ? "--update" : "--allow-writes") out, or type the command yourself")
    }
  }

  /// A document, or those below a folder.
  private static func sources(
    _ file: String, in session: Session
  ) throws -> [DocumentReplay.Source] {
    guard file != "-", let names = try session.documents(inFolder: file) else {
      return [source(file, in: session)]
    }
    let folder = ReadableFolders([try session.path(file)])
    return names.map { name in
      var source = folder.only { Self.source(name, in: session, isFound: true) }
      source.foundIn = folder
      return source
    }
  }

  /// - Parameter isFound: Whether it was found in a folder, the only one that is read now.
  private static func source(
    _ file: String, in session: Session, isFound: Bool = false
  ) -> DocumentReplay.Source {
    do {
      let path = file == "-" ? nil : try session.path(file)
      if let path, isFound { try checkLinks(path, named: file) }
      let (document, folder) = try session.document(file)
      // What a document may not reach, one that it replays may not reach either.
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

  /// A document that is found in a folder is no other file elsewhere: it might be run there, or rewritten.
  private static func checkLinks(_ path: String, named file: String) throws(Diagnostic) {
    do {
      _ = try OpenedPath.kind(path)
    } catch .outOfReach {
      throw Diagnostic(
        id: "replay.linkedDocument", what: "a link leads to this document, out of the folder",
        location: Location(file: file), fix: "name the document itself: replay <document>")
    } catch {
      throw error.diagnostic
    }
  }

  private func write(_ replays: [DocumentReplay], to path: String) throws {
    var update = FolderUpdate()
    update.write(
      JUnitReport.encoded(
        replays.map { $0.checked(by: rules, revealing: reveal) }, name: "strata replay"),
      to: path)
    try update.commit()
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
      .lines(lines), payload: replays.map { ReplayPayload($0, by: rules, revealing: reveal) },
      status: statuses.max() ?? .done,
      warnings: replays.compactMap(\.problem))
  }
}
