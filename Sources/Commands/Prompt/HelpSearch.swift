internal import StrataBase
internal import StrataEssentials
internal import StrataRendering

/// `help --search TEXT`: the pages of `help` that contain a text.
struct HelpSearch {
  /// How a page's text says what the page is about.
  struct Hit {
    var page: String
    var line: String
  }

  private(set) var hits: [Hit] = []

  /// - Parameter pages: What `help NAME` shows, by name, in the order in which they are listed.
  init(for text: String, in pages: [(name: String, page: Outcome)]) {
    let terms = text.lowercased().split(whereSeparator: \.isWhitespace)
    let renderer = Renderer(style: .plain)
    var others: [Hit] = []
    var known: Set<String> = []
    for (name, page) in pages where known.insert(name).inserted {
      let lines = renderer.text(page.view).replacing("OVERVIEW: ", with: "").split(separator: "\n")
        .map { $0.trimmed }.filter { !$0.hasPrefix("see: ") }
      guard
        let line = lines.first(where: { Self.contains($0, terms) })
          ?? (Self.contains(lines.joined(separator: " "), terms)
            ? lines.first { Self.contains($0, terms.prefix(1)) } : nil)
      else { continue }
      let hit = Hit(page: name, line: Self.withoutTitle(line, of: name, lines))
      if Self.contains(name, terms) { hits.append(hit) } else { others.append(hit) }
    }
    hits += others
  }

  /// A title that repeats the name of its page says nothing new: the rest of it, otherwise the line after it.
  private static func withoutTitle(_ line: String, of name: String, _ lines: [String]) -> String {
    guard line.hasPrefix(name) else { return line }
    let rest = line.dropFirst(name.count)
    guard rest.isEmpty else { return rest.hasPrefix("  ") ? String(rest).trimmed : line }
    return lines.drop { $0 != line }.dropFirst().first ?? line
  }

  private static func contains(_ text: String, _ terms: some Sequence<Substring>) -> Bool {
    let text = text.lowercased()
    return terms.allSatisfy { text.contains($0) }
  }

  /// A table with the name of each page and the first line that contains the text; exit status 1 if there is none.
  func outcome(for text: String) -> Outcome {
    let json = hits.json { ["page": $0.page, "line": $0.line] }
    guard !hits.isEmpty else {
      return Outcome(
        .line("no page of `help` contains \(text)"), json: json, status: .no)
    }
    return Outcome(
      .table(rows: hits.map { [StyledText($0.page, .name), StyledText($0.line)] }),
      json: json)
  }
}
