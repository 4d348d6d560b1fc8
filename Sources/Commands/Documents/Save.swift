internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataNotebook
internal import StrataRendering

/// The command `save [FILE]`.
struct Save: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "save", abstract: "Saves the session and its answers as a script or notebook.",
    discussion: """
      A .strata file is a script, an .md file a notebook; `replay` compares the saved answers with the \
      current ones. A line `# …` at the prompt becomes prose. Not saved are commands that failed (exit \
      status 2), edits undone by `try --reset`, and items that were loaded and unloaded again without \
      being used, unless --all is given; and lines removed by `forget`. A movement of the stepper that \
      Ctrl-C ended is saved as `goto`. Paths become relative to the file; if that changes a command, the \
      session is run again in private, and the answers of that run are saved. An answer with values of a \
      store, as of `rows`, `sql`, `show`, `eval`, `explain`, `state`, `source` or `destination`, is saved \
      as `...`, which matches any answer, unless --reveal is given or the store has the model of a \
      built-in sample; its fingerprint still shows `replay` whether the data have changed, and confirms the \
      answer to someone who guesses all of it.

      In a lesson, a notebook keeps everything that was typed and seen, with the names of files as they were typed. \
      --last writes only the last commands to a file of their own, for example a guard script; the open document stays \
      the same.

      Without FILE the session is saved to the document that was opened or saved last, and the prose \
      of the document is kept. Saving under another name also keeps the prose.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "a notebook of a session", "load sample:Topics",
      "# What came with the second version?", "diff Model1 Model2", "save topics.md"),
    CommandExample("back to the same file", "samples", "save s.strata", "loaded", "save"),
  ]

  @Argument(.document, "The file to write, .strata or .md; by default the open document.")
  var file: String?
  @Flag(help: "Also save commands that failed or were undone.") var all = false
  @Option(help: ArgumentHelp("Save only the last n commands of the session.", valueName: "n"))
  var last: Int?
  @Flag(help: "Keep the values of stores in the answers.") var reveal = false
  @Flag(help: "Replace an existing file, or a document that has changed.") var force = false
  @OptionGroup var output: OutputOptions

  var isRecorded: Bool { false }

  mutating func validate() throws {
    guard last == nil || file != nil else { throw ValidationError("--last requires a file") }
    guard last ?? 1 > 0 else { throw ValidationError("--last requires a number from 1") }
  }

  mutating func run(in session: Session) throws -> Outcome {
    guard session.record.document != nil || !session.record.steps.isEmpty else {
      throw Diagnostic(
        id: "session.nothingToSave", what: "there are no commands to save",
        fix: "`help` lists the commands")
    }
    let target = try target(in: session)
    let replay = PrivateReplay(
      folder: target.folder, readable: session.access.readableFolders,
      depth: max(1, session.replayDepth))
    let saved = try SavedSession(
      last.map(session.record.last) ?? session.record, as: target, runningAgainBy: replay,
      keepsAll: all || last != nil || session.isInLesson && target.form == .markdown,
      reveals: reveal)
    try FolderUpdate.write(Array(saved.document.text.utf8), to: target.path)
    var warnings = saved.warnings
    let forgotten = session.record.leftOutCount
    if all, forgotten > 0 {
      warnings.append(
        Diagnostic(
          id: "session.leftOut", severity: .warning,
          what:
            "\(Phrase.count(forgotten, "command")) that failed or \(forgotten == 1 ? "was" : "were") undone before an earlier `save` \(forgotten == 1 ? "is" : "are") no longer known",
          fix: "use --all the first time that a session is saved"))
    }
    if last == nil {
      session.record.continueSession(
        in: saved.openDocument(at: target), leavingOut: saved.failed + saved.undone)
    }
    let count = saved.document.entries.count
    let left = [(saved.failed, "failed"), (saved.undone, "undone")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return Outcome(
      .line(
        StyledText("saved \(Phrase.count(count, "command")) to \(target.name)")
          + StyledText(left.isEmpty ? "" : ", not saved: \(left.joined(separator: ", "))", .faint)
          + StyledText(
            saved.renewed == 0
              ? "" : ", \(Phrase.count(saved.renewed, "answer")) updated", .faint)
          + StyledText(
            saved.hidden == 0
              ? ""
              : ", \(Phrase.count(saved.hidden, "answer")) hidden: --reveal saves their values",
            .faint)),
      json: [
        "file": target.name, "commands": count, "leftOut": saved.failed + saved.undone,
        "failed": saved.failed, "undone": saved.undone, "renewed": saved.renewed,
        "hidden": saved.hidden,
      ],
      warnings: warnings)
  }

  private func target(in session: Session) throws -> SaveTarget {
    guard let file else {
      guard let open = session.record.document else {
        throw Diagnostic(
          id: "command.noDocument", what: "no document is open",
          fix: "name the file: `save session.strata`, or `save session.md`")
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
      // The files of a lesson are made by its commands: where it is saved does not matter.
      folder: session.isInLesson
        ? session.folder
        : URL(fileURLWithPath: session.running?.typedPaths[file] ?? path)
          .deletingLastPathComponent().path,
      form: form)
  }

  /// Checks that no other program has changed the document.
  private func check(_ open: OpenDocument, named name: String) throws(Diagnostic) {
    let bytes = try? FileBytes.read(open.path)
    guard bytes?.elementsEqual(open.document.text.utf8) != true else { return }
    guard !force else { return try WrittenKind.document.check(open.path, typedAs: name) }
    throw Diagnostic(
      id: "file.changed", what: "the document has changed since it was opened",
      location: Location(file: name),
      fix: "save it under another name, or replace the document with --force")
  }
}

/// The destination of a saved session.
struct SaveTarget {
  /// The name as the user typed it.
  var name: String
  var path: String
  /// The folder to which its paths are relative.
  var folder: String
  var form: SessionForm
}
