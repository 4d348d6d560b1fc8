internal import StrataArchives
internal import StrataBase
internal import StrataCommands
internal import StrataEssentials
internal import StrataRendering
internal import StrataTerminal

/// The loop of the prompt: reads a command, runs it and shows the result.
struct PromptLoop {
  private let session: Session
  private let progress: ProgressLine?
  private let evaluator: CommandEvaluator
  private let history = UserFiles.history.map { HistoryFile(path: $0) }

  private static let prompt = "strata> "
  private static let nextPrompt = "   ...> "
  private static let noEditing =
    "note: no editing keys: the locale is not UTF-8, or TERM is unknown\n"

  /// - Parameter progress: `nil` if the terminal cannot show it.
  init(session: Session, progress: ProgressLine?) {
    (self.session, self.progress) = (session, progress)
    evaluator = CommandEvaluator(session: session)
  }

  /// - Parameter runsStartup: Whether the start-up file is run first.
  /// - Returns: The exit status, which is always 0 for an interactive session.
  func run(runsStartup: Bool) -> ExitStatus {
    TerminalDevice.write(
      "Strata \(Release.version), for Core Data models and stores. `help` lists the commands.\n")
    if let history, !history.isThere {
      TerminalDevice.write("\n" + session.renderer.text(session.suggestion("try first")) + "\n")
    }
    return run {
      if runsStartup, let startup = UserFiles.startup,
        FileManager.default.fileExists(atPath: startup)
      {
        evaluate { evaluator.evaluate(arguments: ["run", startup]) }
        session.endStartup()
      }
      return .done
    }
  }

  /// - Parameter arguments: The command that opens a document; if it fails to open, there is no prompt.
  func run(opening arguments: [String]) -> ExitStatus {
    run {
      let status = evaluate { evaluator.evaluate(arguments: arguments) }
      return session.hasDocument || session.isInLesson ? .done : status
    }
  }

  private func run(after begin: () -> ExitStatus) -> ExitStatus {
    Interruption.clear()
    TerminalDevice.onInterrupt { _ in Interruption.request() }
    let session = session
    let reader = LineEditor(
      program: "strata", prompts: (first: Self.prompt, next: Self.nextPrompt),
      isColoured: session.renderer.style == .ansi,
      complete: { LineCompletion(of: $1, after: $0, in: session) })
    if !reader.edits { TerminalDevice.writeError(Self.noEditing) }
    session.typed = history?.read() ?? CommandHistory()
    showHistory(in: reader)
    let status = begin()
    guard status == .done else { return status }
    var mode = LineEditor.Mode.emacs
    // Enter repeats the last movement of the stepper.
    var movement: String?
    repeat {
      session.reopen()
      while !session.isOver, Termination.signal == nil,
        let (line, tokens) = nextCommand(reader, mode: &mode) ?? endOfStepper
      {
        guard !line.allSatisfy(\.isWhitespace) else {
          if session.isStepping, let movement {
            evaluate { evaluator.evaluate(line: movement) }
          } else if session.continuesLesson {
            evaluate { evaluator.evaluate(arguments: ["lesson", "next"]) }
          }
          continue
        }
        let last = session.typed.lines.last
        addToHistory(line, tokens, reader)
        if let command = TypedLine.shellCommand(in: line) {
          runShell(command)
          continue
        }
        do throws(Diagnostic) {
          let typed = try TypedLine(line, tokens, in: session)
          let name = typed.tokens.first?.text
          let isEdit = name == "edit" && !typed.tokens.contains { $0.text == "--help" }
          let status =
            isEdit
            ? try edit(typed.rest.isEmpty ? last ?? "" : typed.rest, reader) : run(typed)
          if status >= .failed { discardPaste(reader) }
          if let name, Self.movements.contains(name) { movement = typed.line }
          // After an answer, Enter continues the lesson.
          if !session.isStepping || name == "answer" || name == "task" { movement = nil }
        } catch {
          TerminalDevice.writeError(session.renderer.text(error))
          discardPaste(reader)
        }
      }
    } while Termination.signal == nil && !mayLeave()
    return .done
  }

  /// A command that fails ends the paste that it is in.
  private func discardPaste(_ reader: borrowing LineEditor) {
    let lines = reader.discardPaste()
    guard !lines.isEmpty else { return }
    for line in lines { session.typed.add(line) }
    showHistory(in: reader)
    let count = Phrase.count(lines.count, "pasted line was", "pasted lines were")
    TerminalDevice.writeError("\(count) not run\n")
  }

  /// Whether the session may end; asks about unsaved lines of an open document.
  private func mayLeave() -> Bool {
    guard let (document, count) = session.unsaved else { return true }
    let lines = Phrase.count(count, "line of the session is", "lines of the session are")
    while true {
      TerminalDevice.write("\(lines) not in \(document) yet.\n")
      // At the end of input, the session ends without an answer.
      guard let answer = TerminalDevice.prompt("save? [y]es, [n]o, [c]ancel: ") else { return true }
      switch answer.lowercased().prefix(1) {
      case "y": return evaluate { evaluator.evaluate(arguments: ["save"]) } == .done
      case "n": return true
      case "c", "g": return false  // `g` is the key of earlier versions.
      default: continue
      }
    }
  }

  /// Reads a whole command: lines are joined while a quote is open or a line ends in a backslash; `nil` at
  /// the end of input.
  private func nextCommand(
    _ reader: borrowing LineEditor, mode: inout LineEditor.Mode
  ) -> (line: String, tokens: [CommandToken])? {
    let wanted: LineEditor.Mode = session.settings.editing == .vi ? .vi : .emacs
    if wanted != mode {
      mode = wanted
      reader.setMode(mode)
    }
    var command = ""
    // The prompts of the stepper and of lessons tell the place.
    reader.setPrompt((session.stepPrompt ?? session.lessonPrompt).map { "\($0)> " } ?? Self.prompt)
    while true {
      reader.setEarlierLines(command.isEmpty ? "" : command + "\n")
      switch reader.readLine(isContinuation: !command.isEmpty) {
      case .edit(let line):
        // A line that begins with a space is not remembered.
        let text = command.isEmpty ? line : command + "\n" + line
        if !text.isEmpty { session.typed.add(text.replacing("\n", with: " ")) }
        return (" edit " + text, [CommandToken(text: "edit", range: 1..<5)])
      case .interrupted:
        command = ""
        continue
      case .end:
        TerminalDevice.write("\n")
        guard !command.isEmpty else { return nil }
        // Ends an incomplete command, but not the session.
        command = ""
        continue
      case .line(let line): command += command.isEmpty ? line : "\n" + line
      }
      if case .complete(let tokens) = CommandLineLexer.tokens(of: command) {
        return (command, tokens)
      }
    }
  }

  private func addToHistory(
    _ command: String, _ tokens: [CommandToken], _ reader: borrowing LineEditor
  ) {
    guard !command.hasPrefix(" ") else { return }
    // A command of several lines is remembered as one line; its words stay as they were typed, since a quoted `|` is
    // another one.
    let typed = Array(command.utf8)
    let words = tokens.map { token in
      let word = String(decoding: typed[token.range], as: UTF8.self)
      return word.contains("\n") ? CommandLineLexer.line(of: [token.text]) : word
    }
    let line = command.contains("\n") ? words.joined(separator: " ") : command
    session.typed.add(line)
    history?.append(line)
    showHistory(in: reader)
  }

  private func showHistory(in reader: borrowing LineEditor) {
    let lines = session.typed.lines
    var word = ""
    if let line = lines.last, case .complete(let tokens) = CommandLineLexer.tokens(of: line),
      let last = tokens.last
    {
      word = String(decoding: Array(line.utf8)[last.range], as: UTF8.self)
    }
    reader.setHistory(lines, lastWord: word)
  }

  /// Runs the lines that the user's editor saves.
  ///
  /// - Returns: The status of the first that fails, which ends the others.
  private func edit(
    _ text: String, _ reader: borrowing LineEditor
  ) throws(Diagnostic) -> ExitStatus {
    let path = "\(PrivateFolderName.parent)/\(PrivateFolderName.random()).strata"
    let edited = TextEditor.edited(text + "\n", in: path)
    Interruption.clear()
    guard case .saved(let edited) = edited else {
      let hasFailed = edited == .failed
      throw Diagnostic(
        id: "command.editor",
        what: hasFailed
          ? "the editor failed, so nothing is run" : "the editor saved nothing, so nothing is run",
        fix: hasFailed
          ? "set EDITOR to an editor that saves UTF-8 text in the file"
          : "save the file to run the line")
    }
    var command = ""
    var lines = edited.split(whereSeparator: \.isNewline)[...]
    while let line = lines.popFirst() {
      command += command.isEmpty ? line : "\n" + line
      guard case .complete(let tokens) = CommandLineLexer.tokens(of: command) else { continue }
      guard !tokens.isEmpty else {
        command = ""
        continue
      }
      for (index, line) in command.split(separator: "\n").enumerated() {
        let prompt = index == 0 ? Self.prompt : Self.nextPrompt
        TerminalDevice.write(session.renderer.text(StyledText(prompt + line)) + "\n")
      }
      addToHistory(command, tokens, reader)
      let status = run(try TypedLine(command, tokens, in: session))
      guard status < .failed else {
        if !lines.isEmpty {
          let count = Phrase.count(lines.count, "line was", "lines were")
          TerminalDevice.writeError("\(count) not run\n")
        }
        return status
      }
      command = ""
    }
    guard command.allSatisfy(\.isWhitespace) else {
      throw Diagnostic(
        id: "command.usage", what: "the last line is not complete: \(command)",
        fix: "close its quote")
    }
    return .done
  }

  /// At the end of input, the stepper ends first.
  private var endOfStepper: (line: String, tokens: [CommandToken])? {
    guard session.isStepping, case .complete(let tokens) = CommandLineLexer.tokens(of: "quit")
    else { return nil }
    return ("quit", tokens)
  }

  private static let movements = [
    "step", "s", "next", "n", "pass", "hop", "continue", "c", "finish", "back",
  ]

  @discardableResult
  private func run(_ typed: TypedLine) -> ExitStatus {
    // Leaves the stepper, not the program.
    let isLeaving = session.isStepping && ["quit", "exit"].contains(typed.tokens.first?.text)
    let evaluate = {
      isLeaving
        ? evaluator.evaluate(arguments: ["abandon"])
        : evaluator.evaluate(.complete(typed.tokens), of: typed.line)
    }
    guard let output = typed.output else {
      return self.evaluate(evaluate)
    }
    let (width, style) = (session.renderer.width, session.renderer.style)
    return self.evaluate(inWidth: nil, showsProgress: false) {
      session.renderer.style = .plain
      var evaluation = whileShowingProgress(evaluate)
      (session.renderer.width, session.renderer.style) = (width, style)
      let text = evaluation.output
      evaluation.output = ""
      // Ctrl-C ends the line as a whole.
      guard !Interruption.isRequested else { return evaluation }
      switch output {
      case .program(let command):
        if !Pager.pass(text, to: command) {
          evaluation.diagnostics += "error: \(command) does not start\n"
        }
      case .file(let file, let appends):
        // The answer of a command that failed replaces nothing.
        guard evaluation.status < .failed else { return evaluation }
        do throws(Diagnostic) {
          try session.write(text, to: file, appending: appends)
        } catch {
          evaluation.diagnostics += session.renderer.text(error)
        }
      }
      return evaluation
    }
  }

  /// Runs a command of the shell, which has the terminal until it ends.
  private func runShell(_ command: String) {
    let shell = try? ChildProcess.shell(
      command, environment: ProcessInfo.processInfo.environment)
    if shell == nil { TerminalDevice.writeError("error: /bin/sh does not start\n") }
    // Behind the `^C` that the terminal shows.
    if let status = shell?.wait(), status > 128 { TerminalDevice.write("\n") }
    Interruption.clear()
  }

  private func whileShowingProgress(_ command: () -> Evaluation) -> Evaluation {
    progress?.whileShown(command) ?? command()
  }

  @discardableResult
  private func evaluate(_ command: () -> Evaluation) -> ExitStatus {
    evaluate(inWidth: TerminalDevice.outputWidth, command)
  }

  @discardableResult
  private func evaluate(
    inWidth width: Int?, showsProgress: Bool = true, _ command: () -> Evaluation
  ) -> ExitStatus {
    session.renderer.width = width
    session.screenRows = TerminalDevice.size.rows
    var status = ExitStatus.done
    TerminalDevice.withoutEcho {
      let clock = ContinuousClock()
      let start = clock.now
      let evaluation = showsProgress ? whileShowingProgress(command) : command()
      let duration = start.duration(to: clock.now)
      show(evaluation)
      if session.settings.timer == .on {
        TerminalDevice.writeError((duration / .seconds(1)).text(digits: 3) + " s\n")
      }
      if evaluation.wrotePrivately {
        TerminalDevice.writeError("(private: your files have not changed)\n")
      }
      status = evaluation.status
    }
    // A command that was too fast for Ctrl-C still ends a paste.
    if Interruption.isRequested { status = max(status, .failed) }
    Interruption.clear()
    return status
  }
}

extension PromptLoop {
  private func show(_ evaluation: Evaluation) {
    let isLong =
      session.settings.pager == .on
      && (evaluation.output.isLongerThan(TerminalDevice.size) || evaluation.isWide)
    switch isLong {
    case true where Interruption.isRequested && UnreportedWork.isEmpty:
      // The command completed before it could be stopped; the user no longer waits for the answer.
      TerminalDevice.write("interrupted: the answer is not shown\n")
    case true where Pager.show(evaluation.output, isWide: evaluation.isWide): break
    default: TerminalDevice.write(evaluation.output)
    }
    if !TerminalDevice.hasLostOutput { UnreportedWork.take() }
    TerminalDevice.writeError(evaluation.diagnostics)
  }
}

extension String {
  /// Whether the text and the next prompt do not fit on the screen.
  fileprivate func isLongerThan(_ size: (columns: Int, rows: Int)) -> Bool {
    var rows = 0
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      rows += 1 + line.utf8.count / (4 * size.columns)
      if rows > size.rows { return true }
    }
    return false
  }
}

extension LineCompletion {
  /// What the completion key does to a line in a session.
  ///
  /// - Parameter earlier: The earlier lines of the command, which stay as they are.
  fileprivate init(of line: String, after earlier: String, in session: Session) {
    let bytes = Array((earlier + line).utf8)
    guard let completion = session.completion(of: earlier + line), !completion.candidates.isEmpty
    else {
      self.init()
      return
    }
    let (start, range) = (earlier.utf8.count, completion.range)
    let kept = bytes[range.lowerBound..<max(start, range.lowerBound)]
    let replaced = bytes[max(start, range.lowerBound)..<range.upperBound]
    let replacement = completion.replacement.flatMap { text in
      text.utf8.starts(with: kept)
        ? String(decoding: text.utf8.dropFirst(kept.count), as: UTF8.self) : nil
    }
    self.init(
      replacedCount: String(decoding: replaced, as: UTF8.self).unicodeScalars.count,
      replacement: replacement,
      list: completion.candidates.map { .init($0.name, $0.summary) })
  }
}
