internal import ArgumentParser
internal import StrataDiagnostics
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
      """)
  static let effect = CommandEffect.reads
  static let examples = [
    CommandExample(
      "what was saved, compared", "load sample:Topics", "diff Model1 Model2", "save topics.md",
      "replay topics.md")
  ]

  @Argument(
    help: ArgumentHelp("Scripts (.strata) or notebooks (.md).", valueName: "file"),
    completion: .file())
  var files: [String]
  @Option(
    help: ArgumentHelp("A further folder that the documents may read.", valueName: "folder"),
    completion: .directory)
  var allowRead: [String] = []
  @Flag(help: "Let the documents change files, in the folders that they may read.")
  var allowWrites = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    guard session.access == .anywhere else {
      throw Diagnostic(
        id: "session.replayRefused", what: "a replayed document may not replay others",
        mend: "replay them side by side: replay a.strata b.strata")
    }
    let allowed = try allowRead.map { try session.path($0) }
    var lines: [StyledText] = []
    var payload: [ReplayPayload] = []
    for file in files {
      let (document, folder) = try session.document(file)
      let report = try PrivateReplay(
        folder: folder, readable: [folder] + allowed, mayWrite: allowWrites
      ).report(of: document)
      lines += Self.lines(of: report, file: file)
      payload.append(ReplayPayload(file: file, report))
    }
    return Outcome(
      .lines(lines), payload: payload,
      status: payload.allSatisfy { $0.differing == 0 && $0.failing == 0 } ? .done : .no)
  }

  private static func lines(of report: ReplayReport, file: String) -> [StyledText] {
    var lines: [StyledText] = []
    for result in report.results {
      guard case .differs(let difference, _) = result.verdict else { continue }
      lines.append(
        StyledText("\(file):\(result.entry.line)", .faint)
          + StyledText("  \(result.entry.command)", .name))
      lines += difference.unified().map { line in
        let role: StyledText.Role =
          line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .plain
        return StyledText("  \(line)", role)
      }
    }
    for result in report.failures {
      lines.append(
        StyledText("\(file):\(result.entry.line)", .faint)
          + StyledText("  \(result.entry.command)", .name)
          + StyledText("  not recorded, and fails (\(result.actual.status))", .error))
    }
    let count = report.results.count
    let words = [
      report.isSame ? "\(report.same) same" : "\(report.same) same, \(report.differing) differ",
      report.notRecorded == 0 ? nil : "\(report.notRecorded) not recorded",
      report.failures.isEmpty ? nil : "\(report.failures.count) failed",
    ].compactMap { $0 }.joined(separator: ", ")
    lines.append(
      StyledText("replayed \(file): \(Words.count(count, "command", "commands")), ")
        + StyledText(words, report.isSame && report.failures.isEmpty ? .good : .error))
    return lines
  }
}

extension ReplayReport {
  /// Commands that nobody recorded, and that could not be done: nothing was expected of them, least of
  /// all that they fail.
  fileprivate var failures: [Result] {
    results.filter { $0.verdict == .notRecorded && $0.actual.status >= ExitStatus.failed.rawValue }
  }
}

/// The JSON shape of `replay`, one for each file.
struct ReplayPayload: Encodable, Sendable {
  struct Difference: Encodable, Sendable {
    var line: Int
    var command: String
    var difference: [String]
  }

  var file: String
  var commands: Int
  var same: Int
  var differing: Int
  var notRecorded: Int
  /// Commands that were not recorded and could not be done.
  var failing: Int
  var differences: [Difference]

  init(file: String, _ report: ReplayReport) {
    self.file = file
    commands = report.results.count
    same = report.same
    differing = report.differing
    notRecorded = report.notRecorded
    failing = report.failures.count
    differences = report.results.compactMap { result in
      guard case .differs(let difference, _) = result.verdict else { return nil }
      return Difference(
        line: result.entry.line, command: result.entry.command, difference: difference.unified())
    }
  }
}
