internal import StrataRendering

extension View {
  /// The view as HTML: lines as they are on a terminal, tables as tables.
  var html: String {
    switch self {
    case .nothing: ""
    case .lines(let lines), .prose(let lines):
      lines.isEmpty
        ? "" : "<pre tabindex=\"0\">" + lines.map(\.html).joined(separator: "\n") + "</pre>\n"
    case .table(let table), .wide(let table): table.html
    case .document(let lines):
      "<pre tabindex=\"0\">\(lines.joined(separator: "\n").escapedInHTML)</pre>\n"
    case .stack(let views), .sections(let views):
      // Lines that follow each other are one block.
      views.reduce(into: [View]()) { all, view in
        if let more = view.plainLines, let lines = all.last?.plainLines, !lines.isEmpty {
          all[all.count - 1] = .lines(lines + more)
        } else {
          all.append(view)
        }
      }.map(\.html).joined()
    }
  }
}

extension View {
  private var plainLines: [StyledText]? {
    switch self {
    case .lines(let lines), .prose(let lines): lines
    default: nil
    }
  }
}

extension Table {
  fileprivate var html: String {
    guard !rows.isEmpty else { return "" }
    func cell(_ tag: String, _ column: Column, _ html: String) -> String {
      "<\(tag)\(column.alignment == .right ? " class=\"number\"" : "")>\(html)</\(tag)>"
    }
    let titles = columns.map { cell("th", $0, $0.title.escapedInHTML) }.joined()
    let cells = rows.map { row in
      "<tr>" + zip(columns, row).map { cell("td", $0, $1.html) }.joined() + "</tr>\n"
    }.joined()
    let hasTitles = columns.contains { !$0.title.isEmpty }
    return "<div class=\"table\" tabindex=\"0\"><table>"
      + (hasTitles ? "<thead><tr>\(titles)</tr></thead>" : "")
      + "<tbody>\n\(cells)</tbody></table></div>\n"
  }
}

extension StyledText {
  fileprivate var html: String {
    spans.map { span in
      span.role == .plain
        ? span.text.escapedInHTML
        : "<span class=\"\(span.role)\">\(span.text.escapedInHTML)</span>"
    }.joined()
  }
}
