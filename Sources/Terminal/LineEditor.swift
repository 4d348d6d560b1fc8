internal import CEditline
internal import StrataBase
internal import StrataEssentials

/// Reads lines from a terminal with libedit: editing keys, earlier lines, completion.
///
/// The user's `~/.editrc` overrides the keys. If libedit cannot be used, lines are read directly from the
/// terminal.
package struct LineEditor: ~Copyable {
  package enum Mode: String, Sendable {
    case emacs, vi
  }

  package enum Input: Sendable, Hashable {
    case line(String)
    /// The line is taken into the user's editor.
    case edit(String)
    /// Ctrl-C: the line is discarded.
    case interrupted
    /// Ctrl-D on an empty line, or the terminal is closed.
    case end
  }

  private let editor: OpaquePointer?
  private let past: OpaquePointer?
  private let context: LineEditorContext

  /// Whether editing keys are available.
  package var edits: Bool { editor != nil }

  /// - Parameters:
  ///   - program: The program name used in `~/.editrc`.
  ///   - prompts: The prompts of a first line and of a continuation line, without colours.
  ///   - complete: The completion for the earlier lines of a command and the line up to the cursor.
  package init(
    program: String, prompts: (first: String, next: String), isColoured: Bool,
    complete: @escaping (_ earlier: String, _ text: String) -> LineCompletion
  ) {
    context = LineEditorContext(prompts: prompts, isColoured: isColoured, complete: complete)
    setlocale(LC_CTYPE, "")
    if strata_mb_cur_max() == 1 { setlocale(LC_CTYPE, "C.UTF-8") }
    // In an ASCII locale, libedit drops other characters.
    guard strata_mb_cur_max() > 1, let editor = Self.editor(program), let past = history_init()
    else {
      (self.editor, self.past) = (nil, nil)
      return
    }
    self.editor = editor
    self.past = past
    _ = strata_el_set_client(editor, Unmanaged.passUnretained(context).toOpaque())
    _ = strata_el_set_prompt(editor, LineEditorContext.prompt, LineEditorContext.delimiter)
    _ = strata_el_set_signal(editor, 1)
    _ = strata_history_set_size(past, Int32.max)
    _ = strata_el_set_history(editor, past)
    _ = strata_el_add_function(editor, "complete", "Complete the word", LineEditorContext.tab)
    _ = strata_el_add_function(
      editor, "insert-last-word", "Insert the last word of the previous line",
      LineEditorContext.lastWord)
    _ = strata_el_add_function(
      editor, "edit-line", "Take the line into the editor", LineEditorContext.edit)
    _ = strata_el_add_function(
      editor, "remember-and-change", "Change the line so that it can be undone",
      LineEditorContext.remember)
    _ = strata_el_add_function(
      editor, "remember-and-delete-word", "Delete the last word so that it can be undone",
      LineEditorContext.rememberWord)
    _ = strata_el_add_function(editor, "undo", "Undo the last change", LineEditorContext.undo)
    _ = strata_el_add_function(
      editor, "bracketed-paste", "Insert pasted text", LineEditorContext.paste)
    _ = strata_el_add_function(
      editor, "insert-next-line", "Insert the next pasted line", LineEditorContext.nextLine)
    setMode(.emacs)
  }

  deinit {
    if let past { history_end(past) }
    if let editor { el_end(editor) }
  }

  /// `nil` if libedit does not support the terminal.
  private static func editor(_ program: String) -> OpaquePointer? {
    guard !TerminalDescription.isThere else { return strata_el_init(program) }
    guard let terminal = getenv("TERM"), !["", "dumb"].contains(String(cString: terminal)) else {
      return nil
    }
    return TerminalDescription.withBuiltIn {
      TerminalDescription.isThere ? strata_el_init(program) : nil
    }
  }

  /// Sets the editing keys of emacs or vi. Setting a mode first resets all keys.
  package func setMode(_ mode: Mode) {
    guard let editor else { return }
    _ = strata_el_set_editor(editor, mode.rawValue)
    context.isVi = mode == .vi
    var keys = [
      "^I": "complete", "^R": "em-inc-search-prev", "^X^E": "edit-line",
      LineEditorContext.nextLineKey.name: "insert-next-line",
    ]
    if mode == .vi {
      // The escape character before it ends the mode for insertion.
      let mark = String(LineEditorContext.pasteMarks.start.dropFirst(2))
      _ = strata_el_bind_alternative(editor, mark, "bracketed-paste")
    }
    if mode == .emacs {
      // Keys of common shells that libedit does not bind. In vi mode, ESC must remain a separate key.
      keys.merge([
        "\\e.": "insert-last-word", "^_": "undo", "^X^U": "undo",
        LineEditorContext.pasteMarks.start: "bracketed-paste",
        "\\e^?": "remember-and-delete-word", "\\e^H": "remember-and-delete-word",
        "\\e[1;5C": "em-next-word",
        "\\e[1;5D": "ed-prev-word",
        // Up and Down look for lines that begin as this one.
        "\\e[A": "ed-search-prev-history", "\\eOA": "ed-search-prev-history",
        "\\e[B": "ed-search-next-history", "\\eOB": "ed-search-next-history",
      ]) { $1 }
      for (key, function) in LineEditorContext.undoableKeys {
        // A function gets only the last character of its key.
        let last = key.hasPrefix("\\e") ? String(key.suffix(1)) : key
        keys[LineEditorContext.undoableName + last] = function
        keys[key] = "remember-and-change"
      }
    }
    for (key, function) in keys { _ = strata_el_bind(editor, key, function) }
    // An endless or very large file would block the first prompt.
    if let file = Self.editrc {
      var status = stat()
      if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size < 1 << 16 {
        el_source(editor, file)
      }
    }
  }

  /// The path that libedit itself uses.
  private static var editrc: String? {
    if let named = getenv("EDITRC") { return String(cString: named) }
    return getenv("HOME").map { String(cString: $0) + "/.editrc" }
  }

  /// Sets the prompt from the next line on.
  package func setPrompt(_ prompt: String) { context.setPrompt(prompt) }

  /// Sets the lines that a continued command has so far, for completion.
  package func setEarlierLines(_ lines: String) { context.earlierLines = lines }

  /// Sets the lines for the arrow keys and the search, newest last.
  ///
  /// - Parameter lastWord: That of the last line, as it was typed.
  package func setHistory(_ lines: [String], lastWord: String) {
    guard let past else { return }
    _ = strata_history_clear(past)
    for line in lines { _ = strata_history_enter(past, line) }
    context.previousWord = lastWord
  }

  /// Reads the next line, without its line feed.
  ///
  /// - Parameter isContinuation: Whether the line continues the previous one.
  package func readLine(isContinuation: Bool) -> Input {
    context.isContinuation = isContinuation
    if let line = acceptedLine(isContinuation: isContinuation) { return .line(line) }
    (context.pasted, context.wantsEditor, context.states) = ([], false, [])
    guard let editor else { return plainLine() }
    // The size of the window may have changed.
    el_resize(editor)
    TerminalDevice.write("\u{1B}[?2004h")
    defer { TerminalDevice.write("\u{1B}[?2004l") }
    // Pasted lines before the last.
    var held: [String] = []
    while true {
      var count: Int32 = 0
      let read = el_gets(editor, &count)
      if Interruption.isRequested {
        Interruption.clear()
        el_reset(editor)
        TerminalDevice.write("^C\n")
        return .interrupted
      }
      if context.wantsEditor || count > 0 {
        // Its end is only marked if the line feed was typed.
        let bytes = UnsafeBufferPointer(start: read, count: Int(max(0, count)))
        let text = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        held.append(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        // A search in the history takes the mark of a paste as text.
        if text.contains(LineEditorContext.pasteMarks.start.dropFirst(2)) {
          TerminalDevice.discardInput()
          TerminalDevice.writeError("the paste is discarded: it came during a search\n")
          return .interrupted
        }
        if !context.pasted.isEmpty {
          context.isContinuation = true
          el_push(editor, LineEditorContext.nextLineKey.text)
          continue
        }
        if context.wantsEditor { return .edit(held.joined(separator: "\n")) }
        guard held.count > 1 else { return .line(held[0]) }
        context.accepted = held
        return acceptedLine(isContinuation: isContinuation).map { .line($0) } ?? .interrupted
      }
      // Interrupted without Ctrl-C: the program was suspended and resumed.
      guard count < 0, errno == EINTR else { return .end }
    }
  }

  /// The next line of a paste that the user has ended, shown as if it were typed.
  private func acceptedLine(isContinuation: Bool) -> String? {
    while let line = context.accepted.first {
      context.accepted.removeFirst()
      // Enter alone would repeat a movement; in an open quote, an empty line is text.
      guard isContinuation || !line.allSatisfy(\.isWhitespace) else { continue }
      context.isContinuation = isContinuation
      TerminalDevice.write("\(context.plainPrompt)\(line)\n")
      return line
    }
    return nil
  }

  /// Forgets the pasted lines that were not returned yet.
  ///
  /// - Returns: Those that are not empty.
  package func discardPaste() -> [String] {
    defer { context.accepted = [] }
    return context.accepted.filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// The terminal echoes typed characters, including Ctrl-C.
  private func plainLine() -> Input {
    TerminalDevice.write(context.plainPrompt)
    if let line = TerminalDevice.readLine() { return .line(line) }
    guard Interruption.isRequested else { return .end }
    Interruption.clear()
    TerminalDevice.write("\n")
    return .interrupted
  }
}
