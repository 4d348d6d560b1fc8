internal import StrataArchives
package import StrataBase
internal import StrataEssentials
internal import StrataExpressions

/// A line as it is typed at a terminal: a command, perhaps shortened, and perhaps with a place for its answer.
///
/// ```swift
/// let line = "rows phone Topic > topics.txt"
/// guard case .complete(let tokens) = CommandLineLexer.tokens(of: line) else { return }
/// let typed = try TypedLine(line, tokens, in: Session(folder: "."))
/// typed.line    // rows phone Topic
/// typed.output  // .file("topics.txt", appends: false)
/// ```
///
/// Nowhere else: in scripts, notebooks and pipes, `>` and `|` are words.
package struct TypedLine {
  package enum Output: Sendable, Hashable {
    case file(String, appends: Bool)
    /// A command of the shell that reads the answer.
    case program(String)
  }

  package private(set) var line: String
  package private(set) var tokens: [CommandToken]
  package private(set) var output: Output?

  /// What follows the command, as it is typed.
  package var rest: String {
    let end = tokens.first?.range.upperBound ?? 0
    return String(decoding: Array(line.utf8)[end...], as: UTF8.self).trimmed
  }

  /// The command of the shell in a line that begins with `!`; `nil` for any other line.
  package static func shellCommand(in line: String) -> String? {
    let line = line.trimmed
    return line.hasPrefix("!") ? String(line.dropFirst()) : nil
  }

  /// What users of lldb type in the stepper.
  private static let debuggerWords = [
    "p": "eval", "po": "eval", "print": "eval", "bt": "where",
  ]

  /// - Throws: ``Diagnostic`` for an output without a file or command.
  package init(
    _ line: String, _ tokens: [CommandToken], in session: Session
  ) throws(Diagnostic) {
    (self.line, self.tokens) = (line, tokens)
    try divide()
    try insert(session.shown, in: session)
    guard let first = self.tokens.first else { return }
    let name = Self.command(first.text, isStepping: session.isStepping)
    guard name != first.text else { return }
    let rest = Array(self.line.utf8)[first.range.upperBound...]
    self.line = name + String(decoding: rest, as: UTF8.self)
    if case .complete(let tokens) = CommandLineLexer.tokens(of: self.line) { self.tokens = tokens }
  }

  /// The command that a word means: its name, or a unique beginning of it.
  private static func command(_ word: String, isStepping: Bool) -> String {
    guard CommandTable.named(word) == nil, !word.isEmpty else { return word }
    if isStepping, let known = debuggerWords[word] { return known }
    let names = CommandTable.names.filter { $0.hasPrefix(word) }
    return names.count == 1 ? names[0] : word
  }

  /// The number of objects that `_` can mean.
  private static let keyLimit = 500

  /// Replaces `_` in predicates, and after `show`, by the objects that were shown last, so that a saved command needs
  /// no session.
  private mutating func insert(_ shown: ShownObjects, in session: Session) throws(Diagnostic) {
    let keys = shown.keys
    for index in tokens.indices.dropFirst() {
      let isShown = index == 1 && "show".hasPrefix(tokens[0].text) && tokens[1].text == "_"
      guard isShown || tokens[index - 1].text == "--where",
        let text = ExpressionText(tokens[index].text)
      else { continue }
      let occurrences = text.occurrences(of: "_")
      guard !occurrences.isEmpty else { continue }
      guard (1...Self.keyLimit).contains(keys.count) else {
        throw Diagnostic(
          id: "command.noObjects",
          what: keys.isEmpty ? "no objects were shown" : "_ means at most \(Self.keyLimit) objects",
          fix: "`rows` shows objects; --limit limits them")
      }
      let words = tokens.map(\.text)
      if !isShown, !shown.isMeant(by: words, in: session) {
        throw Diagnostic(
          id: "command.noObjects",
          what: "_ means objects of \(shown.entity) in \(shown.store), which were shown last",
          fix: "`rows` on this store and entity first")
      }
      guard keys.count == 1 || occurrences.allSatisfy({ $0 }) else {
        throw Diagnostic(
          id: "command.usage",
          what: isShown
            ? "_ is \(keys.count) objects, and `show` shows one"
            : "_ is \(keys.count) objects, which one value cannot equal",
          fix: isShown
            ? "`rows … --where 'SELF IN _'` shows them"
            : "write IN _; behind a to-many relationship, ANY … IN _")
      }
      let list = "{\(keys.map { "p\($0)" }.joined(separator: ", "))}"
      let one = (isShown ? "\(shown.store).\(shown.entity)/" : "") + "p\(keys[0])"
      tokens[index].text = text.replacing("_") { isBehindIn in isBehindIn ? list : one }
      line = CommandLineLexer.line(of: tokens.map(\.text))
      guard case .complete(let again) = CommandLineLexer.tokens(of: line) else { return }
      tokens = again
    }
  }

  private mutating func divide() throws(Diagnostic) {
    let bytes = Array(line.utf8)
    func typed(_ token: CommandToken) -> String {
      String(decoding: bytes[token.range], as: UTF8.self)
    }
    // Text that is not quoted can contain a comparison.
    let takesText = tokens.first.flatMap { CommandTable.named($0.text) }?.takesTypedText ?? false
    guard
      let index = tokens.indices.dropFirst().first(where: {
        let word = typed(tokens[$0])
        return word == "|" || word.hasPrefix(">") && !takesText
      })
    else { return }
    let (word, end) = (typed(tokens[index]), tokens[index].range.upperBound)
    let rest = String(decoding: bytes[end...], as: UTF8.self).trimmed
    let mark = word.prefix { $0 == ">" }
    if word == "|" {
      output = .program(rest)
    } else if mark.count <= 2 {
      let names = tokens[(index + 1)...].map(\.text)
      let file = word.count > mark.count ? [String(word.dropFirst(mark.count))] + names : names
      output = .file(file.count == 1 ? file[0] : "", appends: mark.count == 2)
    }
    switch output {
    case .file("", _)?, .program("")?, nil:
      throw Diagnostic(
        id: "command.noOutput", what: "\(word) needs one file or command after it, at the end",
        fix: "write > FILE, >> FILE or | COMMAND; quote it if it is part of the command")
    default: break
    }
    line = String(decoding: bytes[..<tokens[index].range.lowerBound], as: UTF8.self)
    tokens = Array(tokens[..<index])
  }
}

extension Session {
  /// Writes an answer to a file that the user typed after `>`. Files of Strata's own are not replaced.
  package func write(_ text: String, to typed: String, appending: Bool) throws(Diagnostic) {
    do {
      let path = try path(typed)
      try Self.checkFolder(of: path, typedAs: typed)
      var bytes = Array(text.utf8)
      if OpenedPath.absence(path) == nil {
        let content = try FileContent(of: path)
        let kinds: [WrittenKind] = [.store, .mappingModel, .model, .policies, .stages, .document]
        if !content.isEmpty, kinds.contains(where: content.isOf) || !content.isText {
          throw Diagnostic(
            id: "file.otherKind", what: "this is \(content.noun), which an answer does not replace",
            location: Location(file: typed), fix: "choose another name")
        }
        if appending { bytes = try FileBytes.read(path) + bytes }
      }
      try FolderUpdate.write(bytes, to: path)
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: typed)
    } catch {
      throw Diagnostic(id: "file.unwritable", what: "\(error)", location: Location(file: typed))
    }
  }
}
