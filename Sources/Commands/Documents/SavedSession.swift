internal import StrataArchives
internal import StrataBase
internal import StrataNotebook

/// A session as a document: the commands to keep, with paths relative to the document.
struct SavedSession {
  private(set) var document: SessionDocument
  /// The number of commands that are not saved because they failed or were undone.
  private(set) var failed = 0
  private(set) var undone = 0
  /// The number of answers of the open document that have changed.
  private(set) var renewed = 0
  /// The number of hidden answers, which contain values of a user's own store.
  private(set) var hidden = 0
  private(set) var warnings: [Diagnostic] = []
  /// The executed commands, by index of their entry.
  private var commands: [Int: ExecutedCommand] = [:]
  private var stop: Int?

  private static let interpreterLine = "#!/usr/bin/env -S strata run\n"

  /// - Parameters:
  ///   - replay: The settings for running the document again if its paths change, with at most the
  ///     permissions of the session that saves it.
  ///   - keepsAll: Whether commands that failed or were undone are kept.
  ///   - reveals: Whether answers keep values of users' own stores.
  /// - Throws: ``NotebookError``, or an error that ends the private run.
  init(
    _ record: SessionRecord, as target: SaveTarget, runningAgainBy replay: PrivateReplay,
    keepsAll: Bool, reveals: Bool
  ) throws {
    var parts: [SessionPart] = []
    var ran: [ExecutedCommand] = []
    (parts, ran, failed, undone) = Self.needed(of: record, keepsAll: keepsAll)
    let moved = ran.map { $0.relative(to: target.folder) }
    // Answers contain paths relative to the folder of their session.
    let usesFiles = ran.contains { !$0.paths.isEmpty }
    var isMoved = zip(moved, ran).contains { moved, ran in
      moved.arguments != ran.arguments || usesFiles && ran.folder != target.folder
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
        open.folder != target.folder
        && base.contains { $1.arguments != open.commands[$0]?.arguments }
      isMoved = isMoved || isBaseMoved
      document = try Self.renewed(open, by: base, rewritesCommands: isBaseMoved, as: target)
        .adding(parts, after: open.stop)
      let start = open.stop.map { $0 + 1 } ?? open.document.entries.count
      commands = open.commands.merging(base) { isBaseMoved ? $1 : $0 }
      for (offset, command) in moved.enumerated() { commands[start + offset] = command }
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
      let answers = Set(commands.filter { Session.hasOwnStore($1.shownStores) }.keys)
      document = try document.hiding(answers)
      hidden = answers.count
    }
    warnAboutExpectations()
  }

  /// The number of answers of a document that were different when it was run.
  private static func renewedCount(_ open: OpenDocument?) -> Int {
    guard let open else { return 0 }
    return open.commands.count { index, command in
      let entry = open.document.entries[index]
      return entry.takes(command.answer)
        && entry.recorded.map { $0.compare(to: command.answer.output) != nil } ?? false
    }
  }

  /// Recorded answers are kept if the command now fails and the document does not expect that.
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
          "\(Phrase.count(failed.count, "answer is", "answers are")) not updated: the command fails now",
        fix: "if it is meant to fail, write `? 2` below it",
        notes: failed.map {
          "line \(open.document.entries[$0].line): \(open.document.entries[$0].command)"
        }))
  }

  /// A new expectation that is not met is usually a mistake.
  private mutating func warnAboutExpectations() {
    let unfulfilled = commands.keys.sorted().filter { index in
      commands[index].map { $0.status != .done && $0.isExpectation } ?? false
    }
    guard !unfulfilled.isEmpty else { return }
    let count = Phrase.count(unfulfilled.count, "expectation is", "expectations are")
    warnings.append(
      Diagnostic(
        id: "session.unmet", severity: .warning,
        what: "\(count) not met: a replay will fail",
        fix:
          "delete it in the document, or write it with `expect not`",
        notes: unfulfilled.map {
          "line \(document.entries[$0].line): \(document.entries[$0].command)"
        }))
  }

  func openDocument(at target: SaveTarget) -> OpenDocument {
    OpenDocument(
      path: target.path, folder: target.folder, document: document,
      commands: commands, stop: stop)
  }

  /// The prose and commands of a session that are saved.
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
    var index = 0
    for step in record.steps {
      switch step {
      case .remark(let line):
        if case .prose(let lines)? = parts.last {
          parts[parts.count - 1] = .prose(lines + [line])
        } else {
          parts.append(.prose([line]))
        }
      case .command(let command):
        guard isKept(command) else { continue }
        defer { index += 1 }
        guard !undone.contains(index) else { continue }
        parts.append(.command(command.entry))
        commands.append(command)
      }
    }
    return (parts, commands, record.commands.count - done.count, undone.count)
  }

  /// The open document with current answers, in the requested form.
  private static func renewed(
    _ open: OpenDocument, by commands: [Int: ExecutedCommand], rewritesCommands: Bool,
    as target: SaveTarget
  ) throws -> SessionDocument {
    var outputs: [Int: RecordedOutput] = [:]
    var digests = open.document.entries.map(\.digest)
    for (index, command) in commands {
      guard open.document.entries[index].takes(command.answer) else { continue }
      outputs[index] = command.answer.output
      if !open.document.entries[index].expectsAnyData { digests[index] = command.answer.digest }
    }
    let renewed = try open.document.recording(outputs).marked(digests)
    guard rewritesCommands else { return try renewed.converted(to: target.form) }
    var index = 0
    let parts = renewed.parts.map { part -> SessionPart in
      guard case .command(var entry) = part else { return part }
      if let command = commands[index], command.arguments != open.commands[index]?.arguments {
        entry.command = command.line
      }
      index += 1
      return .command(entry)
    }
    return try SessionDocument(parts: parts, form: target.form)
  }

  /// Answers contain the typed names of files. If the names differ in the document, the document is run in
  /// private, and the answers of that run are saved.
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
      if !document.entries[index].expectsAnyData { digests[index] = answer.digest }
    }
    document = try document.recording(outputs).marked(digests)
    guard !others.isEmpty else { return }
    warnings.append(
      Diagnostic(
        id: "session.otherAnswer", severity: .warning,
        what:
          "\(Phrase.count(others.count, "answer differs", "answers differ")) from the session: files have changed since",
        fix: "check the saved answers", notes: others))
  }

  /// Whether two answers differ only in the names of files and the spacing of columns.
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
  /// Whether an answer is recorded in a document: an unexpected failure is not, so that a replay shows it.
  func takes(_ answer: Answer) -> Bool {
    !answer.dependsOnTime
      && (answer.output.status < .failed || recorded?.status == answer.output.status)
  }
}
