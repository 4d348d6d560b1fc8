internal import Foundation
internal import StrataArchives
internal import StrataDiagnostics
internal import StrataNotebook
internal import StrataRendering
internal import StrataReports

/// What came of replaying one document.
struct DocumentReplay: Sendable {
  /// A document to replay, or why there is none.
  struct Source: Sendable {
    /// As the user calls it.
    var name: String
    /// Its file; `nil` for standard input.
    var path: String?
    /// What the file was before it was read.
    var stamp: FileStamp?
    var contents: Result<(document: SessionDocument, folder: String), Diagnostic>
  }

  let source: Source
  private(set) var report: Result<ReplayReport, Diagnostic>
  /// How many answers the document took over.
  private(set) var updated = 0

  /// - Parameter replay: How to replay, its folder left to the document.
  init(_ source: Source, by replay: PrivateReplay) {
    self.source = source
    report = source.contents.flatMap { document, folder in
      var replay = replay
      replay.folder = folder
      replay.readable.append(folder)
      return Self.report(of: document, in: replay)
    }
  }

  private static func report(
    of document: SessionDocument, in replay: PrivateReplay
  ) -> Result<ReplayReport, Diagnostic> {
    do {
      return .success(try replay.report(of: document))
    } catch let error as any DiagnosticError {
      return .failure(error.diagnostic)
    } catch {
      return .failure(Diagnostic(id: "internal.unexpected", what: "\(error)"))
    }
  }

  /// - Throws: What ends the replay of all documents.
  func checkingInterruption() throws(Diagnostic) -> DocumentReplay {
    if case .failure(Interruption.interrupted) = report { throw Interruption.interrupted }
    return self
  }

  // MARK: Taking new answers

  /// Takes new answers into the document.
  ///
  /// - Parameter ask: Asks the user about each change; without it every one is taken.
  /// - Returns: Whether the user wants to be asked no more.
  /// - Throws: The document has changed since it was read, or cannot be written.
  mutating func update(asking ask: Session.Asking?, _ session: Session) throws -> Bool {
    guard case .success((let document, _)) = source.contents,
      case .success(let report) = report, let path = source.path
    else { return false }
    let (taken, hasQuit) =
      ask.map { AnswerReview(of: report, in: source.name, session.renderer).taken(asking: $0) }
      ?? (report.allButFailures, false)
    try take(taken, from: report, into: document, at: path)
    return hasQuit
  }

  private mutating func take(
    _ taken: [Int: RecordedOutput], from report: ReplayReport, into document: SessionDocument,
    at path: String
  ) throws {
    guard !taken.isEmpty else { return }
    let renewed = try document.recording(
      taken,
      digests: report.digests.filter {
        taken[$0.key]?.compare(to: report.results[$0.key].actual) == nil
      })
    guard FileStamp(path) == source.stamp else {
      throw Diagnostic(
        id: "file.changed", what: "the document has changed since it was replayed",
        location: Location(file: source.name), mend: "replay it again")
    }
    if renewed != document {
      var update = FolderUpdate()
      update.write(Array(renewed.text.utf8), to: path)
      try update.commit()
    }
    updated = taken.count
    // What was taken is the same now.
    var answers = report.results.makeIterator()
    self.report = .success(
      SessionReplay.run(renewed) { _ in
        let result = answers.next()
        return SessionAnswer(result?.actual ?? RecordedOutput(), digest: result?.digest)
      })
  }

  // MARK: What is said of it

  func status(ignoringWording: Bool) -> ExitStatus {
    guard case .success(let report) = report else { return .failed }
    let differing = report.differing - (ignoringWording ? report.reworded : 0)
    return differing == 0 && report.failures.isEmpty && report.unmet.isEmpty ? .done : .no
  }

  /// Why there is no report, or what is strange about it.
  var problem: Diagnostic? {
    switch report {
    case .failure(let diagnostic): return diagnostic
    case .success(let report) where report.results.isEmpty:
      return Diagnostic(
        id: "script.empty", severity: .warning, what: "there is no command in this document",
        location: Location(file: source.name),
        mend:
          "a script has a command a line; a notebook has blocks ```strata with lines `> command`"
      )
    case .success: return nil
    }
  }

  func lines(ignoringWording: Bool) -> [StyledText] {
    guard case .success(let report) = report else { return [] }
    var lines: [StyledText] = []
    for result in report.results {
      guard case .differs(let difference, let change) = result.verdict,
        !ignoringWording || change != .wording
      else { continue }
      lines.append(heading(result, note: change?.words))
      lines += difference.styled
    }
    for result in report.failures {
      lines.append(
        heading(result) + StyledText("  not recorded, and fails (\(result.actual.status))", .error))
    }
    for result in report.unmet where result.verdict == .same || result.verdict == .notRecorded {
      lines.append(heading(result) + StyledText("  not as expected", .error))
    }
    let isGood = status(ignoringWording: ignoringWording) == .done
    let count = report.results.count
    let words = [
      "\(report.same) same",
      report.differing == 0 ? nil : "\(report.differing) differ",
      report.reworded == 0 ? nil : "\(report.reworded) of these in words alone",
      report.notRecorded == 0 ? nil : "\(report.notRecorded) not recorded",
      report.failures.isEmpty ? nil : "\(report.failures.count) failed",
      report.unmet.isEmpty ? nil : "\(report.unmet.count) not as expected",
      updated == 0 ? nil : "\(updated) taken over",
    ].compactMap { $0 }.joined(separator: ", ")
    lines.append(
      StyledText("replayed \(source.name): \(Words.count(count, "command", "commands")), ")
        + StyledText(words, isGood ? .good : .error))
    return lines
  }

  private func heading(_ result: ReplayReport.Result, note: String? = nil) -> StyledText {
    .place(of: result, in: source.name, note: note)
  }

  var payload: ReplayPayload {
    switch report {
    case .success(let report): ReplayPayload(file: source.name, report, updated: updated)
    case .failure(let diagnostic): ReplayPayload(file: source.name, error: diagnostic)
    }
  }

  func checked(ignoringWording: Bool) -> CheckedFile {
    switch report {
    case .failure(let diagnostic):
      return CheckedFile(
        name: source.name, cases: [],
        error: CheckedCase.Failure(
          message: diagnostic.what, details: [diagnostic.mend].compactMap { $0 },
          line: diagnostic.location?.line))
    case .success(let report):
      let failing = Set((report.failures + report.unmet).map(\.entry.line))
      return CheckedFile(
        name: source.name,
        cases: report.results.map { result in
          CheckedCase(
            name: result.entry.command, line: result.entry.line,
            result: Self.checked(
              result, fails: failing.contains(result.entry.line),
              ignoringWording: ignoringWording))
        })
    }
  }

  private static func checked(
    _ result: ReplayReport.Result, fails: Bool, ignoringWording: Bool
  ) -> CheckedCase.Result {
    switch result.verdict {
    case .same where fails:
      .failed(
        CheckedCase.Failure(message: "not as expected", details: result.actual.lines))
    case .same: .passed
    case .differs(_, .wording) where ignoringWording && !fails: .passed
    case .differs(let difference, let change):
      .failed(
        CheckedCase.Failure(
          message: change?.words ?? "the output differs", details: difference.unified()))
    case .notRecorded where fails:
      .failed(
        CheckedCase.Failure(
          message: result.actual.status == ExitStatus.no.rawValue
            ? "not as expected" : "not recorded, and fails (\(result.actual.status))",
          details: result.actual.lines))
    case .notRecorded: .skipped("nothing was recorded")
    }
  }
}

extension ReplayReport {
  /// Commands that nobody recorded, and that could not be done: nothing was expected of them, least of
  /// all that they fail.
  var failures: [Result] {
    results.filter { $0.verdict == .notRecorded && $0.actual.status >= ExitStatus.failed.rawValue }
  }

  /// Expectations that were not met: these fail whatever was recorded.
  var unmet: [Result] {
    results.filter {
      $0.actual.status == ExitStatus.no.rawValue && Expect.isExpectation($0.entry.command)
    }
  }

  /// Every new answer but those, by index of the entry.
  fileprivate var allButFailures: [Int: RecordedOutput] {
    let failing = Set((failures + unmet).map(\.entry.line))
    return outputs.filter { index, _ in
      results[index].verdict != .same && !failing.contains(results[index].entry.line)
    }
  }
}

extension ReplayReport.Change {
  var words: String {
    switch self {
    case .wording: "the same in other words"
    case .answer: "the answer differs"
    }
  }
}

extension OutputDifference {
  /// The difference to look at.
  var styled: [StyledText] { unified().map(StyledText.changed) }
}

extension StyledText {
  /// A line of a difference.
  static func changed(_ line: String) -> StyledText {
    StyledText(
      "  \(line)", line.hasPrefix("+") ? .added : line.hasPrefix("-") ? .removed : .plain)
  }

  /// `topics.md:12  compare phone Model5`
  static func place(
    of result: ReplayReport.Result, in file: String, note: String? = nil
  ) -> StyledText {
    StyledText("\(file):\(result.entry.line)", .faint)
      + StyledText("  \(result.entry.command)", .name)
      + StyledText(note.map { "  (\($0))" } ?? "", .faint)
  }
}

/// The JSON shape of `replay`, one for each file.
struct ReplayPayload: Encodable, Sendable {
  struct Difference: Encodable, Sendable {
    var line: Int
    var command: String
    /// `wording` or `answer`, where that is known.
    var kind: ReplayReport.Change?
    var difference: [String]
  }

  var file: String
  var commands = 0
  var same = 0
  var differing = 0
  /// How many of these differ in words alone.
  var reworded = 0
  var notRecorded = 0
  /// Commands that were not recorded and could not be done.
  var failing = 0
  /// Expectations that were not met.
  var unmet = 0
  /// Answers that the document took over.
  var updated = 0
  var differences: [Difference] = []
  /// Why nothing was replayed.
  var error: DiagnosticPayload?

  init(file: String, error: Diagnostic) {
    self.file = file
    self.error = DiagnosticPayload(error)
  }

  init(file: String, _ report: ReplayReport, updated: Int) {
    self.file = file
    self.updated = updated
    commands = report.results.count
    same = report.same
    differing = report.differing
    reworded = report.reworded
    notRecorded = report.notRecorded
    failing = report.failures.count
    unmet = report.unmet.count
    differences = report.results.compactMap { result in
      guard case .differs(let difference, let change) = result.verdict else { return nil }
      return Difference(
        line: result.entry.line, command: result.entry.command, kind: change,
        difference: difference.unified())
    }
  }
}
