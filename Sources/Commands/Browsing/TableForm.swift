internal import ArgumentParser
internal import StrataRendering

/// How a table is shown, unless it is fitted to the terminal.
enum TableForm: CaseIterable {
  case vertical, wide, csv, markdown

  /// Whether another program reads it.
  var isForProgram: Bool { self == .csv || self == .markdown }
}

/// The options for the form of a table.
struct TableFormOptions: ParsableArguments {
  @Flag(help: "Show each row as a list of its values.") var vertical = false
  @Flag(help: "Show columns that do not fit, too: a pager scrolls sideways.") var wide = false
  @Flag(help: "Write comma-separated values.") var csv = false
  @Flag(help: "Write a table in Markdown.") var markdown = false

  var form: TableForm? { forms.first }

  private var forms: [TableForm] {
    zip(TableForm.allCases, [vertical, wide, csv, markdown]).filter(\.1).map(\.0)
  }

  func check(asJSON: Bool) throws {
    guard forms.count + (asJSON ? 1 : 0) <= 1 else {
      throw ValidationError("choose one of --vertical, --wide, --csv, --markdown and --json")
    }
  }
}

extension Table {
  /// - Parameters:
  ///   - form: `nil` for a table that fits the terminal.
  ///   - firstTitle: The title of the first column where each column needs one; `nil` if it has its own.
  func view(as form: TableForm?, firstTitle: String? = nil) -> View {
    let titles =
      (firstTitle.map { [$0] } ?? columns.prefix(1).map(\.title))
      + columns.dropFirst().map(\.title)
    func cells(_ row: [StyledText], _ text: (String) -> String) -> [String] {
      row.map { $0.text == "nil" && $0.spans.first?.role == .faint ? "" : text($0.text) }
    }
    switch form {
    case nil: return .table(self)
    case .wide: return .wide(self)
    case .vertical:
      return .sections(
        rows.enumerated().map { number, row in
          // The key of an object is its title.
          let isTitled = firstTitle != nil
          let values = zip(titles, row).dropFirst(isTitled ? 1 : 0).map { title, cell in
            [StyledText("  \(title)", .faint), cell]
          }
          let heading = isTitled ? row[0] : StyledText("row \(number + 1)", .name)
          return .stack([.line(heading), .table(rows: Array(values))])
        })
    case .csv:
      return .document(
        ([titles.map(Self.quoted)] + rows.map { cells($0, Self.quoted) })
          .map { $0.joined(separator: ",") })
    case .markdown:
      func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
      let rules = columns.map { $0.alignment == .right ? "---:" : "---" }
      return .document(
        [line(titles.map(Self.escaped)), line(rules)] + rows.map { line(cells($0, Self.escaped)) })
    }
  }

  /// A field of comma-separated values.
  ///
  /// Source: RFC 4180, section 2.
  private static func quoted(_ text: String) -> String {
    // Only nil is an empty field.
    guard text.isEmpty || text.utf8.contains(where: Array("\",\n\r".utf8).contains) else {
      return text
    }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }

  /// A cell of a table in Markdown.
  private static func escaped(_ text: String) -> String {
    let marks = text.reduce(into: "") { escaped, character in
      if "\\|*_`[]~".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return marks.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .split(whereSeparator: \.isNewline).joined(separator: "<br>")
  }
}
