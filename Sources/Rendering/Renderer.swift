package import StrataBase

/// Converts outcomes and diagnostics to the bytes that are printed; depends only on the value and the style.
package struct Renderer: Sendable {
  package enum Style: Sendable {
    case plain, ansi
  }

  package var style: Style
  /// The maximum width of tables in columns; `nil` for no limit.
  package var width: Int?
  /// Whether the output is shown live and not saved: then times and users' data are included in traces.
  package var isLive: Bool
  /// A command as it is typed in a shell, after the name of the program, or `nil` if it is not; `nil` at the prompt and
  /// in documents.
  package var shellForm: (@Sendable (_ command: String) -> String?)?

  package init(
    style: Style, width: Int? = nil, isLive: Bool = false,
    shellForm: (@Sendable (_ command: String) -> String?)? = nil
  ) {
    self.style = style
    self.width = width
    self.isLive = isLive
    self.shellForm = shellForm
  }

  /// The view as text, each line with a line feed. Control characters are escaped.
  ///
  /// If tables were truncated to fit, a note at the end says so.
  package func text(_ view: View) -> String {
    if case .document(let lines) = view, width == nil {
      return lines.map { $0.escapingTerminalControls + "\n" }.joined()
    }
    var lines = view.lines(width: width, isLive: isLive)
    if lines.isShortened {
      let note =
        lines.omitted.isEmpty
        ? "… shortened: --json shows all"
        : "… not shown: \(lines.omitted.joined(separator: ", ")); \(lines.hint ?? "--json shows all")"
      lines.all += StyledText(note, .faint).wrapped(to: width ?? .max, indent: 2)
    }
    return lines.all.map { text($0) + "\n" }.joined()
  }

  package func text(_ line: StyledText) -> String {
    line.spans.map { span in
      let shown = namingProgram(span).escapingControlCharacters
      guard style == .ansi, let code = span.role.code else { return shown }
      return "\u{1B}[\(code)m\(shown)\u{1B}[0m"
    }.joined()
  }

  /// The text of a span; in a shell, with the name of the program in each command, which is a span of its own or in
  /// backticks.
  private func namingProgram(_ span: StyledText.Span) -> String {
    guard let shellForm, span.isUnbreakable || span.text.contains("`") else {
      return span.text
    }
    func named(_ command: Substring) -> String {
      shellForm(String(command)) ?? String(command)
    }
    let parts = span.text.split(separator: "`", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return named(span.text[...]) }
    return parts.enumerated().map { $0 % 2 == 1 ? named($1) : String($1) }.joined(separator: "`")
  }

  /// A diagnostic as text: message, location, fix and notes.
  package func text(_ diagnostic: Diagnostic) -> String {
    let role: StyledText.Role = diagnostic.severity == .error ? .error : .warning
    var lines: [StyledText] = [
      StyledText("\(diagnostic.severity.rawValue): ", role) + StyledText(diagnostic.what.truncated)
        + StyledText("  [\(diagnostic.id)]", .faint)
    ]
    if let (before, marked, after) = diagnostic.excerpt?.parts {
      let margin = String(repeating: " ", count: 8)
      let caret = String(repeating: " ", count: StyledText(margin + before).width)
      lines.append(StyledText(margin + before) + StyledText(marked, role) + StyledText(after))
      lines.append(
        StyledText(caret + String(repeating: "^", count: max(1, StyledText(marked).width))))
    }
    if let location = diagnostic.location {
      lines.append(StyledText(" where: ", .faint) + StyledText(location.description.truncated))
    }
    if let fix = diagnostic.fix {
      lines.append(StyledText("  fix: ", .faint) + StyledText(fix.truncated))
    }
    lines += diagnostic.notes.map { StyledText("  note: ", .faint) + StyledText($0.truncated) }
    return text(.lines(lines.flatMap { $0.wrapped(to: width ?? .max, indent: 8) }))
  }
}

extension String {
  /// The text truncated to a readable length: a name from a file can have any length.
  fileprivate var truncated: String {
    let limit = 1000
    return utf8.count <= limit ? self : prefix(limit) + "… (\(utf8.count) bytes)"
  }
}

extension StyledText.Role {
  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .heading, .name: "1"
    case .added, .good: "32"
    case .removed, .error: "31"
    case .changed, .warning: "33"
    case .faint: "2"
    }
  }
}
