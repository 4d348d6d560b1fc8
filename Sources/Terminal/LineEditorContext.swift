internal import CEditline
internal import StrataBase
internal import StrataRendering

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The state for the C callbacks of libedit, passed as its client pointer.
final class LineEditorContext {
  var isContinuation = false
  private let complete: (String) -> LineCompletion
  /// libedit keeps the address of a prompt, so the text must stay where it is.
  private var first: UnsafeMutablePointer<CChar>
  private let next: UnsafeMutablePointer<CChar>
  private let isColoured: Bool

  /// Marks escape sequences that take no space on the screen.
  static let delimiter: CChar = 1

  init(
    prompts: (first: String, next: String), isColoured: Bool,
    complete: @escaping (String) -> LineCompletion
  ) {
    self.complete = complete
    self.isColoured = isColoured
    first = Self.copy(prompts.first, isColoured: isColoured)
    next = Self.copy(prompts.next, isColoured: isColoured)
  }

  deinit {
    free(first)
    free(next)
  }

  /// Sets the prompt from the next line on.
  func setPrompt(_ prompt: String) {
    free(first)
    first = Self.copy(prompt, isColoured: isColoured)
  }

  private static func copy(_ prompt: String, isColoured: Bool) -> UnsafeMutablePointer<CChar> {
    let hidden = { (code: String) in "\u{1}\u{1B}[\(code)m\u{1}" }
    let text = isColoured ? hidden("1") + prompt + hidden("0") : prompt
    guard let copy = strdup(text) else { preconditionFailure("out of memory") }
    return copy
  }

  /// The prompt of the next line without the marks of escape sequences.
  var plainPrompt: String {
    String(cString: isContinuation ? next : first).replacing("\u{1}", with: "")
  }

  private static func of(_ editor: OpaquePointer?) -> LineEditorContext? {
    editor.flatMap { strata_el_client($0) }.map {
      Unmanaged<LineEditorContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  static let prompt: strata_prompt_function = { editor in
    guard let context = of(editor) else { return nil }
    return context.isContinuation ? context.next : context.first
  }

  /// The callback of the completion key.
  static let tab: strata_key_function = { editor, _ in
    guard let editor, let context = of(editor), let line = el_line(editor) else {
      return UInt8(CC_ERROR)
    }
    let bytes = UnsafeBufferPointer(
      start: line.pointee.buffer, count: line.pointee.cursor - line.pointee.buffer)
    let text = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let completion = context.complete(text)
    // Ctrl-C outside of a key read: the reader detects it when it gets its line.
    guard !Interruption.isRequested else { return UInt8(CC_NEWLINE) }
    if let replacement = completion.replacement {
      el_deletestr(editor, Int32(completion.replacedCount))
      return el_insertstr(editor, replacement) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    }
    guard !completion.list.isEmpty else { return UInt8(CC_REFRESH_BEEP) }
    let size = TerminalDevice.size
    TerminalDevice.write(
      "\n" + ColumnList.text(completion.list, columns: size.columns, rows: size.rows))
    return UInt8(CC_REDISPLAY)
  }
}
