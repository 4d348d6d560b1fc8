internal import CEditline
internal import StrataBase
internal import StrataRendering

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

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
    return Renderer(style: .plain, width: size.columns - 1).text(.table(Table(rows: rows)))
  }

  /// Inserts the last word of the previous line.
  static let lastWord: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor),
      let word = context.previousLine.split(separator: " ").last
    else { return UInt8(CC_ERROR) }
    return el_insertstr(editor, String(word)) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
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

  /// Inserts pasted text. Of several lines, all but the last are shown as if they were typed; the line editor returns
  /// them when the user ends the last.
  static let paste: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor) else { return UInt8(CC_ERROR) }
    var pasted = String.UnicodeScalarView()
    let end = pasteMarks.end.unicodeScalars
    var character: wchar_t = 0
    while !pasted.suffix(end.count).elementsEqual(end) {
      guard el_wgetc(editor, &character) == 1, let scalar = Unicode.Scalar(UInt32(character))
      else { return UInt8(CC_ERROR) }
      pasted.append(scalar)
    }
    var lines = String(pasted.dropLast(end.count))
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { line in
        String(
          String.UnicodeScalarView(
            line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
      }
    // What is pasted runs only when the user ends the line.
    while lines.count > 1, lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
    context.pasted = Array(lines.dropFirst())
    guard !context.pasted.isEmpty else {
      return el_insertstr(editor, lines[0]) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    }
    el_push(editor, lines[0] + "\n")
    return UInt8(CC_NORM)
  }
}
