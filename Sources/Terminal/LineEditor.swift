internal import CEditline
internal import StrataBase

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads lines from a terminal with libedit: editing keys, earlier lines, completion.
///
/// The user's `~/.editrc` has the last word on keys. Where libedit cannot work, lines are read as the terminal
/// hands them over.
package struct LineEditor: ~Copyable {
  package enum Mode: String, Sendable {
    case emacs, vi
  }

  package enum Input: Sendable, Hashable {
    case line(String)
    /// Ctrl-C: the line is thrown away.
    case interrupted
    /// Ctrl-D on an empty line, or the terminal is gone.
    case end
  }

  private let editor: OpaquePointer?
  private let past: OpaquePointer?
  private let context: LineEditorContext

  /// Whether there are editing keys.
  package var edits: Bool { editor != nil }

  /// - Parameters:
  ///   - program: The name that `~/.editrc` may address.
  ///   - prompts: Of a line and of one that goes on, without colours.
  ///   - complete: What Tab does, given the line up to the cursor.
  package init(
    program: String, prompts: (first: String, next: String), isColoured: Bool,
    complete: @escaping (String) -> LineCompletion
  ) {
    context = LineEditorContext(prompts: prompts, isColoured: isColoured, complete: complete)
    setlocale(LC_CTYPE, "")
    if strata_mb_cur_max() == 1 { setlocale(LC_CTYPE, "C.UTF-8") }
    // In a locale that has only ASCII libedit drops what is beyond it.
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
    setMode(.emacs)
  }

  deinit {
    if let past { history_end(past) }
    if let editor { el_end(editor) }
  }

  /// `nil` where libedit cannot take the terminal.
  private static func editor(_ program: String) -> OpaquePointer? {
    guard !TerminalDescription.isThere else { return strata_el_init(program) }
    guard let terminal = getenv("TERM"), !["", "dumb"].contains(String(cString: terminal)) else {
      return nil
    }
    return TerminalDescription.withBuiltIn {
      TerminalDescription.isThere ? strata_el_init(program) : nil
    }
  }

  /// Keys as in emacs or as in vi. Setting a mode puts all keys back first.
  package func setMode(_ mode: Mode) {
    guard let editor else { return }
    _ = strata_el_set_editor(editor, mode.rawValue)
    var keys = ["^I": "complete", "^R": "em-inc-search-prev"]
    if mode == .emacs {
      // What libedit leaves out of what every shell has. In vi mode ESC must stay a key of its own.
      keys.merge([
        "^W": "ed-delete-prev-word", "\\e[3~": "ed-delete-next-char", "\\e[1;5C": "em-next-word",
        "\\e[1;5D": "ed-prev-word",
      ]) { $1 }
    }
    for (key, function) in keys { _ = strata_el_bind(editor, key, function) }
    // Endless or enormous, it would keep the first prompt from ever coming.
    if let file = Self.editrc {
      var status = stat()
      if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size < 1 << 16 {
        el_source(editor, file)
      }
    }
  }

  /// Where libedit itself would look.
  private static var editrc: String? {
    if let named = getenv("EDITRC") { return String(cString: named) }
    return getenv("HOME").map { String(cString: $0) + "/.editrc" }
  }

  /// Shows another prompt from the next line on.
  package func setPrompt(_ prompt: String) { context.setPrompt(prompt) }

  /// The lines for the arrow keys and the search, the newest last.
  package func setHistory(_ lines: [String]) {
    guard let past else { return }
    _ = strata_history_clear(past)
    for line in lines { _ = strata_history_enter(past, line) }
  }

  /// The next line, without its line feed.
  ///
  /// - Parameter isContinuation: Whether the line goes on with the one before.
  package func readLine(isContinuation: Bool) -> Input {
    context.isContinuation = isContinuation
    guard let editor else { return plainLine() }
    // The window may have another size since the last line.
    el_resize(editor)
    while true {
      var count: Int32 = 0
      let read = el_gets(editor, &count)
      if Interruption.isRequested {
        Interruption.clear()
        el_reset(editor)
        TerminalDevice.write("^C\n")
        return .interrupted
      }
      if let line = read, count > 0 {
        let text = String(cString: line)
        return .line(text.hasSuffix("\n") ? String(text.dropLast()) : text)
      }
      // Interrupted without a Ctrl-C: the program was stopped and goes on.
      guard count < 0, errno == EINTR else { return .end }
    }
  }

  /// The terminal echoes what is typed, Ctrl-C too.
  private func plainLine() -> Input {
    TerminalDevice.write(context.plainPrompt)
    if let line = TerminalDevice.readLine() { return .line(line) }
    guard Interruption.isRequested else { return .end }
    Interruption.clear()
    TerminalDevice.write("\n")
    return .interrupted
  }
}
