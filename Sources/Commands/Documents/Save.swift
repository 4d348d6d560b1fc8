internal import ArgumentParser
internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// `save [FILE]`
struct Save: StrataCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Writes the session down, with every answer.",
    discussion: """
      A .strata file is a script, an .md file a notebook; `replay` compares either with what the \
      commands answer now. A line `# …` at the prompt becomes prose. Left out are commands that could \
      not be done (exit status 2), edits that `try --reset` took back and what was loaded and unloaded \
      again with nothing asked in between, unless --all is given; and what `forget` took back. Paths \
      become relative to the \
      file; where that changes a command, the session is run once more in private, so that its \
      answers are those that the document gives. An answer of `rows`, `sql` or `eval` with values out of a \
      store becomes `...`, which a replay takes for any answer, unless --reveal is given or the store is of a \
      built-in sample's model; its fingerprint still tells whether the data have changed.

      Without FILE the session goes back to the document that was opened or saved last, whose prose \
      stays. Saving under another name keeps the prose too.
      """)
  static let effect = CommandEffect.writesFiles
  static let examples = [
    CommandExample(
      "a notebook of what was asked", "load sample:Topics",
      "# What came with the second version?", "diff Model1 Model2", "save topics.md"),
    CommandExample("back to the same file", "samples", "save s.strata", "loaded", "save"),
  ]

  @Argument(
    help: ArgumentHelp(
      .document, "The file to write: .strata or .md; the open document where none is named."),
    completion: .file())
  var file: String?
  @Flag(help: "Commands that failed or were undone too.") var all = false
  @Flag(help: "Keep the values of stores in the answers.") var reveal = false
  @Flag(help: "Replace a file that is there, or has changed.") var force = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func run(in session: Session) throws -> Outcome {
    guard session.record.document != nil || !session.record.steps.isEmpty else {
      throw Diagnostic(
        id: "session.nothingToSave", what: "nothing was asked yet that could be saved",
        fix: "`help` lists what can be asked")
    }
    let target = try target(in: session)
    let replay = PrivateReplay(
      folder: target.folder, readable: session.access.readableFolders,
      depth: max(1, session.replayDepth))
    let saved = try SavedSession(
      session.record, as: target, runningAgainBy: replay, keepsAll: all, reveals: reveal)
    var update = FolderUpdate()
    update.write(Array(saved.document.text.utf8), to: target.path)
    try update.commit()
    session.record.goOn(in: saved.openDocument(at: target))
    let count = saved.document.entries.count
    let left = [(saved.failed, "that failed"), (saved.undone, "undone")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return Outcome(
      .line(
        StyledText("saved \(Words.count(count, "command", "commands")) to \(target.name)")
          + StyledText(left.isEmpty ? "" : ", \(left.joined(separator: ", ")) left out", .faint)
          + StyledText(
            saved.renewed == 0
              ? "" : ", \(Words.count(saved.renewed, "answer", "answers")) renewed", .faint)
          + StyledText(
            saved.hidden == 0
              ? ""
              : ", \(Words.count(saved.hidden, "answer", "answers")) with values left out: --reveal keeps them",
            .faint)),
      payload: SavePayload(
        file: target.name, commands: count, leftOut: saved.failed + saved.undone,
        failed: saved.failed, undone: saved.undone, renewed: saved.renewed,
        hidden: saved.hidden),
      warnings: saved.warnings)
  }

  private func target(in session: Session) throws -> SaveTarget {
    guard let file else {
      guard let open = session.record.document else {
        throw Diagnostic(
          id: "command.noDocument", what: "there is no open document to go back to",
          fix: "name the file: save session.strata, or save session.md")
      }
      try check(open, named: session.shown(open.path))
      return SaveTarget(
        name: session.shown(open.path),
        path: session.isUsersOwn ? open.path : try session.writable(open.path),
        folder: open.folder, form: open.document.form)
    }
    let open = session.record.document
    let isOpen = open.map { (try? session.path(file)) == $0.path } ?? false
    guard let form = SessionForm.form(forPath: file) ?? (isOpen ? open?.document.form : nil) else {
      throw Diagnostic(
        id: "command.unknownForm", what: "\(file) is neither a script nor a notebook",
        fix: "end its name in .strata or .md")
    }
    if let open, isOpen { try check(open, named: file) }
    let path = try session.newPath(
      file, as: isOpen ? nil : .document, force: force || isOpen, isDocument: true)
    return SaveTarget(
      name: file, path: path,
      folder: URL(fileURLWithPath: session.running?.typedPaths[file] ?? path)
        .deletingLastPathComponent().path,
      form: form)
  }

  /// Somebody else may have written to the document meanwhile.
  private func check(_ open: OpenDocument, named name: String) throws(Diagnostic) {
    let bytes = try? FileBytes.read(open.path)
    guard bytes?.elementsEqual(open.document.text.utf8) != true else { return }
    guard !force else { return try WrittenKind.document.check(open.path, typedAs: name) }
    throw Diagnostic(
      id: "file.changed", what: "the document has changed since it was opened",
      location: Location(file: name),
      fix: "save it under another name, or replace what is there with --force")
  }
}

/// Where a session is saved.
struct SaveTarget {
  /// As the user calls it.
  var name: String
  var path: String
  /// What its paths are relative to.
  var folder: String
  var form: SessionForm
}

/// The JSON shape of `save`.
struct SavePayload: Encodable, Sendable {
  var file: String
  var commands: Int
  var leftOut: Int
  var failed: Int
  var undone: Int
  /// Answers of the open document that are others now.
  var renewed: Int
  /// Answers with values of a store, which are left out.
  var hidden: Int
}
