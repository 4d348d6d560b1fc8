internal import StrataArchives
internal import StrataBase
internal import StrataNotebook

/// A session as the document that it becomes: what is needed of it, with paths as the document knows
/// them.
struct SavedSession {
  private(set) var document: SessionDocument
  /// Commands left out because they could not be done, or were undone.
  private(set) var failed = 0
  private(set) var undone = 0
  /// Answers of the open document that are others now.
  private(set) var renewed = 0
  /// Answers that are left out, since they show values of a user's own store.
  private(set) var hidden = 0
  private(set) var warnings: [Diagnostic] = []
  /// What was run, by the entry that it became.
  private var commands: [Int: ExecutedCommand] = [:]
  private var stop: Int?

  private static let interpreterLine = "#!/usr/bin/env -S strata run\n"

  /// - Parameters:
  ///   - replay: How the document is run again where its paths change: with no more rights than the session that
  ///     saves it.
  ///   - keepsAll: Whether commands that failed or were undone stay.
  ///   - reveals: Whether values of users' own stores stay in the answers.
  /// - Throws: ``NotebookError``, or what ends the run in private.
  init(
    _ record: SessionRecord, as target: SaveTarget, runningAgainBy replay: PrivateReplay,
    keepsAll: Bool, reveals: Bool
  ) throws {
    var parts: [SessionPart] = []
    var ran: [ExecutedCommand] = []
    (parts, ran, failed, undone) = Self.needed(of: record, keepsAll: keepsAll)
    let moved = ran.map { $0.relative(to: target.folder) }
    // Answers name files as they lie from the folder in which they were asked.
    let usesFiles = ran.contains { !$0.paths.isEmpty }
    var isMoved = zip(moved, ran).contains { moved, ran in
      moved.words != ran.words || usesFiles && ran.folder != target.folder
    }
    var new = moved[...]
    parts = parts.map { part in
      if case .command = part, let command = new.popFirst() {
        .command(command.entry)
      } else {
        part
      }
    }
    if let open = record.document {
      let base = open.commands.mapValues { $0.relative(to: target.folder) }
      let isBaseMoved =
        open.folder != target.folder && base.contains { $1.words != open.commands[$0]?.words }
      isMoved = isMoved || isBaseMoved
      document = try Self.renewed(open, by: base, rewritesCommands: isBaseMoved, as: target)
        .adding(parts, after: open.stop)
      let place = open.stop.map { $0 + 1 } ?? open.document.entries.count
      commands = open.commands.merging(base) { isBaseMoved ? $1 : $0 }
      for (offset, command) in moved.enumerated() { commands[place + offset] = command }
      stop = open.stop.map { $0 + moved.count }
    } else {
      document = try SessionDocument(parts: parts, form: target.form)
      for (index, command) in moved.enumerated() { commands[index] = command }
    }
    if target.form == .script, record.document?.document.form != .script {
      document = try SessionDocument(reading: Self.interpreterLine + document.text, form: .script)
    }
    if isMoved { try runAgain(by: replay) }
    renewed = Self.renewedCount(record.document)
    warnOfFailures(in: record.document)
    if !reveals {
      let answers = Set(commands.filter(\.value.showsPrivateValues).keys)
      document = try document.hiding(answers)
      hidden = answers.count
    }
    warnAboutExpectations()
  }

  /// How many answers of a document were others when it was run.
  private static func renewedCount(_ open: OpenDocument?) -> Int {
    guard let open else { return 0 }
    return open.commands.count { index, command in
      let entry = open.document.entries[index]
      return entry.takes(command.answer)
        && entry.recorded.map { $0.compare(to: command.answer.output) != nil } ?? false
    }
  }

  /// Recorded answers stay where the command fails now, and the document does not say that it may.
  private mutating func warnOfFailures(in open: OpenDocument?) {
    guard let open else { return }
    let failed = open.commands.keys.sorted().filter { index in
      let entry = open.document.entries[index]
      return entry.recorded != nil && open.commands[index].map { entry.takes($0.answer) } == false
    }
    guard !failed.isEmpty else { return }
    warnings.append(
      Diagnostic(
        id: "session.notTaken", severity: .warning,
        what:
          "\(Words.count(failed.count, "answer stays as it was", "answers stay as they were")) recorded: the command fails now",
        fix: "where it is meant to fail, write `? 2` below it",
        notes: failed.map {
          "line \(open.document.entries[$0].line): \(open.document.entries[$0].command)"
        }))
  }

  /// A guard that is born failing is mostly a slip.
  private mutating func warnAboutExpectations() {
    let unmet = commands.keys.sorted().filter { index in
      commands[index].map { $0.status != .done && $0.isExpectation } ?? false
    }
    guard !unmet.isEmpty else { return }
    let count = Words.count(unmet.count, "expectation is", "expectations are")
    warnings.append(
      Diagnostic(
        id: "session.unmet", severity: .warning,
        what: "\(count) not met: a replay of this will fail",
        fix:
          "take it out, or write it with `expect not`; `forget`, before saving, takes back a slip",
        notes: unmet.map { "line \(document.entries[$0].line): \(document.entries[$0].command)" }))
  }

  func openDocument(at target: SaveTarget) -> OpenDocument {
    OpenDocument(
      path: target.path, folder: target.folder, document: document,
      commands: commands, stop: stop)
  }

  /// The prose and commands of a session that a document needs.
  private static func needed(
    of record: SessionRecord, keepsAll: Bool
  ) -> (parts: [SessionPart], commands: [ExecutedCommand], failed: Int, undone: Int) {
    func isKept(_ command: ExecutedCommand) -> Bool {
      !command.answer.dependsOnTime && (keepsAll || command.status < .failed)
    }
    let done = record.commands.filter(isKept)
    let undone = keepsAll ? [] : SessionRecord.undone(in: done)
    var parts: [SessionPart] = []
    var commands: [ExecutedCommand] = []
    var place = 0
    for step in record.steps {
      switch step {
      case .remark(let line):
        if case .words(let lines)? = parts.last {
          parts[parts.count - 1] = .words(lines + [line])
        } else {
          parts.append(.words([line]))
        }
      case .command(let command):
        guard isKept(command) else { continue }
        defer { place += 1 }
        guard !undone.contains(place) else { continue }
        parts.append(.command(command.entry))
        commands.append(command)
      }
    }
    return (parts, commands, record.commands.count - done.count, undone.count)
  }

  /// The open document with the answers of now, in the form that is wanted.
  private static func renewed(
    _ open: OpenDocument, by commands: [Int: ExecutedCommand], rewritesCommands: Bool,
    as target: SaveTarget
  ) throws -> SessionDocument {
    var outputs: [Int: RecordedOutput] = [:]
    var digests = open.document.entries.map(\.digest)
    for (index, command) in commands {
      guard open.document.entries[index].takes(command.answer) else { continue }
      outputs[index] = command.answer.output
      digests[index] = command.answer.digest
    }
    let renewed = try open.document.recording(outputs).marked(digests)
    guard rewritesCommands else { return try renewed.converted(to: target.form) }
    var index = 0
    let parts = renewed.parts.map { part -> SessionPart in
      guard case .command(var entry) = part else { return part }
      if let command = commands[index], command.words != open.commands[index]?.words {
        entry.command = command.line
      }
      index += 1
      return .command(entry)
    }
    return try SessionDocument(parts: parts, form: target.form)
  }

  /// Answers name files as they were typed: where the document names them otherwise, it is run in
  /// private, and its answers are those that it gives.
  private mutating func runAgain(by replay: PrivateReplay) throws {
    let report = try replay.report(of: document)
    var outputs: [Int: RecordedOutput] = [:]
    var digests = document.entries.map(\.digest)
    var others: [String] = []
    let names = Set(commands.values.flatMap(\.fileNames)).sorted { $0.utf8.count > $1.utf8.count }
    for (index, replayed) in report.commands.enumerated() {
      guard let before = commands[index]?.answer else { continue }
      let answer = replayed.answer
      if !Self.isSame(answer, before, but: names) {
        others.append("line \(replayed.entry.line): \(replayed.entry.command)")
      }
      commands[index]?.answer = answer
      guard replayed.entry.takes(answer) else { continue }
      outputs[index] = answer.output
      digests[index] = answer.digest
    }
    document = try document.recording(outputs).marked(digests)
    guard !others.isEmpty else { return }
    warnings.append(
      Diagnostic(
        id: "session.otherAnswer", severity: .warning,
        what:
          "\(Words.count(others.count, "answer is", "answers are")) another now than in the session: files have changed since",
        fix: "look at what was saved before you trust it", notes: others))
  }

  /// Whether two answers differ in nothing but the names of files and the space between columns.
  private static func isSame(
    _ a: Answer, _ b: Answer, but names: [String]
  ) -> Bool {
    func bare(_ text: String) -> String {
      names.reduce(text) { $0.replacing($1, with: "…") }.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
    return a.output.status == b.output.status && bare(a.output.text) == bare(b.output.text)
  }
}

extension SessionEntry {
  /// Whether a document takes an answer: a failure that it does not expect, a replay is to show.
  func takes(_ answer: Answer) -> Bool {
    !answer.dependsOnTime
      && (answer.output.status < .failed || recorded?.status == answer.output.status)
  }
}
