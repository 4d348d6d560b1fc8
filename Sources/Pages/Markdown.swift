internal import StrataBase
internal import StrataEssentials

/// The Markdown of notebooks: headings, paragraphs, lists, quotes, tables and blocks of code; in lines, code, strong and
/// stressed text, links, and the texts of images. Everything else is text, HTML too; comments are left out.
package enum Markdown {
  /// The lines without comments, which no reader of Markdown sees.
  package static func withoutComments(_ lines: [String]) -> [String] {
    var (found, isComment, fence): ([String], Bool, String?) = ([], false, nil)
    for line in lines {
      if !isComment, let mark = fenceMark(of: line), fence == nil || mark.hasPrefix(fence ?? "") {
        fence = fence == nil ? mark : nil
      }
      guard fence == nil else {
        found.append(line)
        continue
      }
      var (rest, kept) = (line[...], "")
      // Code within the line is text.
      while !isComment, let mark = rest.firstIndex(of: "`"),
        rest.firstRange(of: "<!--").map({ mark < $0.lowerBound }) == true,
        let end = rest[mark...].dropFirst().firstIndex(of: "`")
      {
        kept += rest[...end]
        rest = rest[rest.index(after: end)...]
      }
      while let end = rest.firstRange(of: isComment ? "-->" : "<!--") {
        if !isComment { kept += rest[..<end.lowerBound] }
        rest = rest[end.upperBound...]
        isComment.toggle()
      }
      if !isComment { kept += rest }
      if kept == line || !kept.allSatisfy(\.isWhitespace) { found.append(kept) }
    }
    return found
  }

  /// - Parameter title: That of the page, which is not repeated; `nil` if it stood before.
  static func html(of lines: [String], titled title: String?) -> String {
    var title = title
    var (html, block, kind, fence): (String, [String], Kind, String?) = ("", [], .paragraph, nil)
    func close() {
      if !block.isEmpty { html += kind.html(of: block) }
      (block, kind) = ([], .paragraph)
    }
    for line in withoutComments(lines) {
      let text = line.drop(while: \.isWhitespace)
      if let mark = fenceMark(of: line), fence == nil || mark.hasPrefix(fence ?? "") {
        close()
        (fence, kind) = fence == nil ? (mark, .code) : (nil, .paragraph)
      } else if fence != nil {
        kind = .code
        block.append(line)
      } else if text.isEmpty {
        close()
      } else if case let heading = text.drop(while: { $0 == "#" }), heading.hasPrefix(" "),
        (1...6).contains(text.count - heading.count)
      {
        close()
        let heading = heading.trimmed
        if heading != title { html += "<h2>\(inline(heading))</h2>\n" }
        title = nil
      } else if text.count > 2, text.allSatisfy({ $0 == "-" }) || text.allSatisfy({ $0 == "*" }) {
        close()
        html += "<hr>\n"
      } else if let (begun, content) = Kind.begun(by: text) {
        if !kind.continues(with: begun) {
          close()
          kind = begun
        }
        block.append(content)
      } else if kind.isList, !block.isEmpty {
        block[block.count - 1] += " \(text)"
      } else {
        if kind != .paragraph { close() }
        block.append(String(text))
      }
    }
    close()
    return html
  }

  private enum Kind: Equatable {
    case paragraph, list, quote, table, code
    case numbers(from: String)

    var isList: Bool { if case .numbers = self { true } else { self == .list } }

    func continues(with next: Self) -> Bool {
      if case .numbers = self, case .numbers = next { true } else { self == next }
    }

    /// The block that a line begins or continues, and its text.
    static func begun(by line: Substring) -> (Kind, String)? {
      if ["- ", "* ", "+ "].contains(where: line.hasPrefix) {
        return (.list, String(line.dropFirst(2)))
      }
      if line.hasPrefix(">") {
        return (.quote, line.dropFirst().trimmed)
      }
      if line.hasPrefix("|") { return (.table, String(line)) }
      let rest = line.drop { $0.isASCII && $0.isNumber }
      guard rest.count < line.count, rest.hasPrefix(". ") else { return nil }
      return (
        .numbers(from: String(line.prefix(line.count - rest.count))), String(rest.dropFirst(2))
      )
    }

    func html(of lines: [String]) -> String {
      func items(_ tag: String, _ attributes: String = "") -> String {
        "<\(tag)\(attributes)>" + lines.map { "<li>\(inline($0))</li>" }.joined() + "</\(tag)>\n"
      }
      return switch self {
      case .paragraph: "<p>\(inline(lines.joined(separator: " ")))</p>\n"
      case .quote: "<blockquote>\(inline(lines.joined(separator: " ")))</blockquote>\n"
      case .code: "<pre>\(lines.joined(separator: "\n").escapedInHTML)</pre>\n"
      case .table:
        "<div class=\"table\" tabindex=\"0\"><table>"
          + lines.filter { !$0.allSatisfy("|-: ".contains) }.enumerated().map { row, line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
            let tag = row == 0 ? "th" : "td"
            return "<tr>"
              + (line.hasSuffix("|") ? cells.dropLast() : cells).map {
                "<\(tag)>\(inline($0.trimmed))</\(tag)>"
              }.joined() + "</tr>\n"
          }.joined() + "</table></div>\n"
      case .list: items("ul")
      case .numbers(let first): items("ol", " start=\"\(first)\"")
      }
    }
  }

  private static func fenceMark(of line: String) -> String? {
    let text = line.drop { $0 == " " }
    return ["```", "~~~"].first(where: text.hasPrefix).map { mark in
      String(text.prefix { $0 == mark.first })
    }
  }

  private static func inline(_ text: String) -> String {
    pairs(text, "`", "code", \.escapedInHTML) { text in
      pairs(text, "**", "b", stressed, stressed)
    }
  }

  /// Text between stars: neither after nor before a space, so that products stay as they are.
  private static func stressed(_ text: String) -> String {
    let isProduct = text.contains(" * ") || !text.contains("*")
    return isProduct ? links(text) : pairs(text, "*", "em", links, links)
  }

  /// The text with every second part between marks in an element; the last mark of an odd number is text.
  private static func pairs(
    _ text: String, _ mark: String, _ tag: String, _ marked: (String) -> String,
    _ inner: (String) -> String
  ) -> String {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    return parts.indices.map { index in
      guard index % 2 == 1 else { return inner(parts[index]) }
      return index == parts.count - 1
        ? mark + inner(parts[index]) : "<\(tag)>\(marked(parts[index]))</\(tag)>"
    }.joined()
  }

  /// The longest address of a link in bytes.
  private static let linkLimit = 1000

  /// `[text](https://…)`
  private static func links(_ text: String) -> String {
    var (html, rest) = ("", text[...])
    while let middle = rest.firstRange(of: "](") {
      let (before, after) = (rest[..<middle.lowerBound], rest[middle.upperBound...])
      let start = before.lastIndex(of: "[")
      let end = after.utf8.prefix(linkLimit).firstIndex(of: UInt8(ascii: ")"))
      let isImage = start.map { before[..<$0].last == "!" } ?? false
      guard let start, let end,
        isImage || ["https://", "http://"].contains(where: after[..<end].hasPrefix)
      else {
        html += String(rest[..<middle.upperBound]).escapedInHTML
        rest = after
        continue
      }
      let shown = String(before[start...].dropFirst()).escapedInHTML
      html += String(before[..<start].dropLast(isImage ? 1 : 0)).escapedInHTML
      html += isImage ? shown : "<a href=\"\(String(after[..<end]).escapedInHTML)\">\(shown)</a>"
      rest = after[after.index(after: end)...]
    }
    return html + String(rest).escapedInHTML
  }
}
