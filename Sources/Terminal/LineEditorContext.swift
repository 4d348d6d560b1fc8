internal import CEditline
internal import StrataBase
internal import StrataEssentials
internal import StrataRendering

/// The state for the C callbacks of libedit, passed as its client pointer.
final class LineEditorContext {
  var isContinuation = false
  var earlierLines = ""
  /// The last word of the previous line, as it was typed.
  var previousWord = ""
  var isVi = false
  /// The prompts that lines copied from a session begin with.
  let prompts: [String]
  /// The lines before changes that can be undone.
  var states: [LineState] = []
  /// The pasted lines that are still to be shown.
  var pasted: [String] = []
  /// The lines of a paste that the user has ended.
  var accepted: [String] = []
  /// Whether a key took the line into the editor.
  var wantsEditor = false
  let complete: (_ earlier: String, _ text: String) -> LineCompletion
  /// libedit keeps the address of a prompt, so the text must stay where it is.
  private var first: UnsafeMutablePointer<CChar>
  private let next: UnsafeMutablePointer<CChar>
  private let isColoured: Bool

  /// Marks escape sequences that take no space on the screen.
  static let delimiter: CChar = 1

  init(
    prompts: (first: String, next: String), isColoured: Bool,
    complete: @escaping (_ earlier: String, _ text: String) -> LineCompletion
  ) {
    self.complete = complete
    self.isColoured = isColoured
    self.prompts = [prompts.first, prompts.next]
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

  static func of(_ editor: OpaquePointer?) -> LineEditorContext? {
    editor.flatMap { strata_el_client($0) }.map {
      Unmanaged<LineEditorContext>.fromOpaque($0).takeUnretainedValue()
    }
  }

  static let prompt: strata_prompt_function = { editor in
    guard let context = of(editor) else { return nil }
    return context.isContinuation ? context.next : context.first
  }
}

/// A line that is being edited.
struct LineState {
  var text = ""
  /// The number of characters before the cursor.
  var cursor: Int32 = 0

  init() {}

  init(of editor: OpaquePointer) {
    guard let line = el_line(editor) else { return }
    func text(to end: UnsafePointer<CChar>) -> String {
      let start = line.pointee.buffer
      let bytes = UnsafeBufferPointer(start: start, count: start.map { end - $0 } ?? 0)
      return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    self.text = text(to: line.pointee.lastchar)
    cursor = Int32(text(to: line.pointee.cursor).unicodeScalars.count)
  }
}
