internal import CEditline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads lines from a terminal with libedit: editing keys and the lines of this session again.
public struct LineReader: ~Copyable {
  private let editor: OpaquePointer
  private let past: OpaquePointer

  /// `nil` where libedit cannot take the terminal.
  public init?(program: String) {
    // libedit breaks on text beyond ASCII in a locale that has none.
    setlocale(LC_ALL, "")
    if strata_mb_cur_max() == 1 { setlocale(LC_CTYPE, "C.UTF-8") }
    guard let editor = strata_el_init(program), let past = history_init() else {
      return nil
    }
    self.editor = editor
    self.past = past
    _ = strata_el_set_editor(editor, "emacs")
    _ = strata_el_set_signal(editor, 1)
    _ = strata_history_set_size(past, 1000)
    _ = strata_el_set_history(editor, past)
  }

  deinit {
    history_end(past)
    el_end(editor)
  }

  /// The next line without its line feed; `nil` at the end of input.
  ///
  /// - Parameter isContinuation: Whether the line goes on with the one before.
  public func readLine(isContinuation: Bool) -> String? {
    // libedit keeps the address of what the prompt function returns: a literal stays where it is.
    _ = strata_el_set_prompt(editor, isContinuation ? Self.continuationPrompt : Self.prompt)
    var count: Int32 = 0
    guard let line = el_gets(editor, &count), count > 0 else { return nil }
    let text = String(cString: line)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Remembers a command for the arrow keys.
  public func remember(_ command: String) {
    _ = strata_history_enter(past, command)
  }

  private static let prompt: strata_prompt_function = { _ in strata_prompt_text(0) }
  private static let continuationPrompt: strata_prompt_function = { _ in strata_prompt_text(1) }
}
