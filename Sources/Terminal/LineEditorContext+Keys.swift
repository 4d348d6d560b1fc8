internal import CEditline
internal import StrataBase
internal import StrataEssentials
internal import StrataRendering

/// The functions that keys call.
extension LineEditorContext {
  /// Completes the word before the cursor.
  static let tab: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor), let line = el_line(editor) else {
      return UInt8(CC_ERROR)
    }
    let bytes = UnsafeBufferPointer(
      start: line.pointee.buffer, count: line.pointee.cursor - line.pointee.buffer)
    let text = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let completion = context.complete(context.earlierLines, text)
    // Ctrl-C outside of a key read: the reader detects it when it gets its line.
    guard !Interruption.isRequested else { return UInt8(CC_NEWLINE) }
    if let replacement = completion.replacement {
      el_deletestr(editor, Int32(completion.replacedCount))
      return el_insertstr(editor, replacement) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    }
    guard !completion.list.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    let size = TerminalDevice.size
    TerminalDevice.write("\n" + list(completion.list, size))
    return UInt8(CC_REDISPLAY)
  }

  /// The maximum number of candidates that are listed with what they do.
  private static let summaryLimit = 12

  private static func list(
    _ items: [LineCompletion.Item], _ size: (columns: Int, rows: Int)
  ) -> String {
    guard items.count <= min(summaryLimit, size.rows - 3),
      items.contains(where: { $0.summary != nil })
    else {
      return ColumnList.text(items.map(\.name), columns: size.columns, rows: size.rows)
    }
    let rows = items.map { [StyledText($0.name), StyledText($0.summary ?? "", .faint)] }
    return Renderer(style: .plain, width: size.columns - 1).text(.table(rows: rows))
  }

  /// Inserts the last word of the previous line.
  static let lastWord: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor), !context.previousWord.isEmpty else {
      return UInt8(CC_ERROR)
    }
    return el_insertstr(editor, context.previousWord) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
  }

  /// The keys whose change can be undone, with the functions of libedit that they call. Each is bound to ``remember``,
  /// which then calls the function by a key of its own.
  static let undoableKeys = [
    "^W": "ed-delete-prev-word", "^U": "em-kill-line", "^K": "ed-kill-line", "^Y": "em-yank",
    "^T": "ed-transpose-chars", "^H": "ed-delete-prev-char", "^?": "ed-delete-prev-char",
    "\\ed": "em-delete-next-word", "\\eu": "em-upper-case", "\\el": "em-lower-case",
    "\\ec": "em-capitol-case", "^D": "em-delete-or-list", "\\e[3~": "ed-delete-next-char",
  ]
  static let undoableName = "^X@"
  private static let undoableText = "\u{18}@"

  /// Remembers the line before a key changes it.
  static let remember: strata_key_function = { editor, key in
    remember(editor, Character(Unicode.Scalar(UInt8(clamping: key))))
  }

  /// Remembers the line before its last word is deleted.
  static let rememberWord: strata_key_function = { editor, _ in remember(editor, "\u{17}") }

  private static func remember(_ editor: OpaquePointer?, _ key: Character) -> UInt8 {
    guard let editor, let context = of(editor) else { return UInt8(CC_ERROR) }
    let state = LineState(of: editor)
    if context.states.last?.text != state.text { context.states.append(state) }
    el_push(editor, undoableText + String(key))
    return UInt8(CC_NORM)
  }

  /// Returns to the line before the last change; of what was typed since then, all is removed.
  static let undo: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor) else { return UInt8(CC_ERROR) }
    let now = LineState(of: editor)
    while context.states.last?.text == now.text { context.states.removeLast() }
    guard !now.text.isEmpty || !context.states.isEmpty else { return UInt8(CC_ERROR) }
    let earlier = context.states.popLast() ?? LineState()
    let count = Int32(now.text.unicodeScalars.count)
    el_cursor(editor, count - now.cursor)
    if count > 0 { el_deletestr(editor, count) }
    guard earlier.text.isEmpty || el_insertstr(editor, earlier.text) == 0 else {
      return UInt8(CC_ERROR)
    }
    el_cursor(editor, earlier.cursor - Int32(earlier.text.unicodeScalars.count))
    return UInt8(CC_REFRESH)
  }

  /// Takes the line into the editor.
  static let edit: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor) else { return UInt8(CC_ERROR) }
    context.wantsEditor = true
    TerminalDevice.write("\n")
    return UInt8(CC_NEWLINE)
  }

  /// The sequences with which a terminal marks pasted text, once it is asked to.
  static let pasteMarks = (start: "\\e[200~", end: "\u{1B}[201~")
  /// The key that inserts the next pasted line; it is never pressed.
  static let nextLineKey = (name: "^X^P", text: "\u{18}\u{10}")

  /// Inserts pasted text. Of several lines, all but the last are shown as if they were typed; the line editor returns
  /// them when the user ends the last.
  static let paste: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor), let line = el_line(editor),
      let text = context.pastedText(editor)
    else { return UInt8(CC_ERROR) }
    // The escape key of vi has moved the cursor back, and has left the mode for insertion.
    if context.isVi, line.pointee.cursor > line.pointee.buffer { el_cursor(editor, 1) }
    var rest = ""
    if text.contains(where: \.isNewline), let line = el_line(editor) {
      let bytes = UnsafeBufferPointer(
        start: line.pointee.cursor, count: line.pointee.lastchar - line.pointee.cursor)
      rest = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let count = Int32(rest.unicodeScalars.count)
      el_cursor(editor, count)
      el_deletestr(editor, count)
    }
    context.pasted = context.lines(of: text)
    context.pasted[context.pasted.count - 1] += rest
    let result = insertNextLine(editor, context)
    if context.isVi, context.pasted.isEmpty, let line = el_line(editor) {
      // Back to insertion: in the mode for commands, the cursor cannot stay behind the last character.
      el_push(editor, line.pointee.cursor == line.pointee.lastchar ? "a" : "i")
    }
    return result
  }

  /// Inserts the next pasted line.
  static let nextLine: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor), !context.pasted.isEmpty else {
      return UInt8(CC_ERROR)
    }
    return insertNextLine(editor, context)
  }

  private static func insertNextLine(_ editor: OpaquePointer, _ context: LineEditorContext)
    -> UInt8
  {
    let line = context.pasted.removeFirst()
    guard line.isEmpty || el_insertstr(editor, line) == 0 else { return UInt8(CC_ERROR) }
    if !context.pasted.isEmpty { el_push(editor, "\n") }
    return UInt8(CC_REFRESH)
  }

  /// The pasted text up to its mark; `nil` at the end of the input.
  func pastedText(_ editor: OpaquePointer) -> String? {
    var text = String.UnicodeScalarView()
    let end = Self.pasteMarks.end.unicodeScalars
    var character: wchar_t = 0
    while !text.suffix(end.count).elementsEqual(end) {
      guard el_wgetc(editor, &character) == 1, let scalar = Unicode.Scalar(UInt32(character))
      else { return nil }
      text.append(scalar)
    }
    return String(text.dropLast(end.count))
  }

  /// The lines of a pasted text without control characters. Of a session that was copied with its prompts, the commands.
  private func lines(of text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { line in
        String(
          String.UnicodeScalarView(
            line.unicodeScalars.map {
              $0.properties.generalCategory == .control && $0 != "\t" ? " " : $0
            }))
      }
    // What is pasted runs only when the user ends the line.
    while lines.count > 1, lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    guard let prompt = prompts.first(where: lines[0].hasPrefix) else { return lines }
    let commands = lines.filter { line in
      line.hasPrefix(prompt) || prompts.contains(where: line.hasPrefix)
    }
    return commands.map { line in
      String(line.dropFirst(prompts.first(where: line.hasPrefix)?.count ?? 0))
    }
  }
}
