package import StrataBase

/// The result of a command: a view for people, a payload for programs, and the exit status.
///
/// A command returns an outcome and never prints. The payload is independent of the view,
/// so that messages can change without breaking scripts.
package struct Outcome: Sendable {
  package var view: View
  package var payload: Payload
  package var status: ExitStatus
  /// The warnings, although the command succeeded.
  package var warnings: [Diagnostic]
  /// Whether it depends on the date: such an answer is never recorded.
  package var dependsOnTime = false

  package init(
    _ view: View, payload: Payload, status: ExitStatus = .done, warnings: [Diagnostic] = []
  ) {
    self.view = view
    self.payload = payload
    self.status = status
    self.warnings = warnings
  }

  package init(
    _ view: View, json: JSONValue, status: ExitStatus = .done, warnings: [Diagnostic] = []
  ) {
    self.init(view, payload: .value(json), status: status, warnings: warnings)
  }
}

/// The content for programs: `--json`.
package enum Payload: Sendable {
  case value(JSONValue)
  /// Values that are written one on each line.
  case lines([JSONValue])

  package var text: String {
    switch self {
    case .value(let value): value.text
    case .lines(let values):
      values.map { $0.line.escapingControlCharactersAsJSON + "\n" }.joined()
    }
  }
}

/// The content shown to a person.
package enum View: Sendable, Hashable {
  case nothing
  case lines([StyledText])
  /// Written text in lines of up to 80 columns; on a narrower terminal, its paragraphs are wrapped anew.
  case prose([StyledText])
  case table(Table)
  /// A table of any width, which a pager scrolls sideways.
  case wide(Table)
  /// Lines for another program, such as comma-separated values: never wrapped, and only line breaks and tabs of its values
  /// are control characters.
  case document([String])
  /// Views one below the other.
  case stack([View])
  /// Views one below the other, separated by empty lines.
  case sections([View])

  package static func line(_ text: StyledText) -> View { .lines([text]) }

  package static func table(columns: [Table.Column], rows: [[StyledText]]) -> View {
    .table(Table(columns: columns, rows: rows))
  }

  /// A table without titles.
  package static func table(rows: [[StyledText]]) -> View { .table(Table(rows: rows)) }

  /// The view as lines, with tables fitted to the width and longer lines wrapped.
  ///
  /// - Parameter isLive: Whether content that is shown only live is included.
  func lines(width: Int?, isLive: Bool) -> ViewLines {
    switch self {
    case .nothing: return ViewLines()
    case .lines(let given):
      // A line that is shown only live is omitted from a saved answer.
      let lines =
        isLive
        ? given
        : given.compactMap { line in
          let kept = line.asKept
          return line.isEmpty || !kept.text.isEmpty ? kept : nil
        }
      guard let width else { return ViewLines(lines) }
      return ViewLines(
        lines.flatMap { line in
          line.wrapped(to: width, indent: line.text.prefix { $0 == " " }.count + 2)
        })
    case .prose(let lines):
      guard let width, lines.contains(where: { $0.width > width }) else {
        return View.lines(lines).lines(width: nil, isLive: isLive)
      }
      return ViewLines(lines.paragraphs.flatMap { $0.wrapped(to: width, indent: $0.textIndent) })
    case .table(let table): return table.lines(width: width)
    case .wide(let table): return table.lines(width: nil)
    case .document(let lines): return ViewLines(lines.map { StyledText($0) })
    case .stack(let views):
      let parts = views.map { $0.lines(width: width, isLive: isLive) }
      return ViewLines(all: parts.flatMap(\.all), joining: parts)
    case .sections(let views):
      let parts = views.map { $0.lines(width: width, isLive: isLive) }
      return ViewLines(
        all: Array(parts.map(\.all).filter { !$0.isEmpty }.joined(separator: [""])), joining: parts)
    }
  }

  /// Whether it may be wider than the terminal.
  package var isWide: Bool {
    switch self {
    case .wide: true
    case .stack(let views), .sections(let views): views.contains(where: \.isWide)
    default: false
    }
  }
}

/// The lines of a view, and whether anything was truncated to fit.
struct ViewLines {
  var all: [StyledText] = []
  var isShortened = false
  /// The titles of columns that do not fit.
  var omitted: [String] = []
  /// How to see what is omitted.
  var hint: String?

  init(_ all: [StyledText] = []) { self.all = all }
}

extension ViewLines {
  /// - Parameter parts: What is left out of them is left out of these.
  init(all: [StyledText], joining parts: [ViewLines]) {
    self.init(all)
    isShortened = parts.contains(where: \.isShortened)
    omitted = parts.flatMap(\.omitted)
    hint = parts.lazy.compactMap(\.hint).first
  }
}
