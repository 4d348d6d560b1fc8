internal import Foundation

/// The Markdown of notebooks: headings, paragraphs, lists, quotes and blocks of code; in lines, code, strong text and links.
/// Everything else is text, HTML too; comments are left out.
package enum Markdown {
  /// The lines without comments, which no reader of Markdown sees.
  package static func withoutComments(_ lines: [String]) -> [String] {
    var (found, isComment, fence): ([String], Bool, String?) = ([], false, nil)
    for line in lines {
      if !isComment, let mark = fenceMark(of: line), fence == nil || line.hasPrefix(fence ?? "") {
        fence = fence == nil ? mark : nil
      }
      guard fence == nil else {
        found.append(line)
        continue
      }
      var (rest, kept) = (line[...], "")
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

  /// - Parameter title: That of the page: it is not repeated.
  static func html(of lines: [String], titled title: String) -> String {
    var (html, block, kind, fence): (String, [String], Kind, String?) = ("", [], .paragraph, nil)
    func close() {
      if !block.isEmpty { html += kind.html(of: block) }
      (block, kind) = ([], .paragraph)
    }
    for line in withoutComments(lines) {
      let text = line.drop(while: \.isWhitespace)
      if let mark = fenceMark(of: line), fence == nil || line.hasPrefix(fence ?? "") {
        close()
        (fence, kind) = fence == nil ? (mark, .code) : (nil, .paragraph)
      } else if fence != nil {
        (kind, block) = (.code, block + [line])
      } else if text.isEmpty {
        close()
      } else if text.first == "#" {
        close()
        let heading = text.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
        if heading != title { html += "<h2>\(inline(heading))</h2>\n" }
      } else if let (begun, content) = Kind.begun(by: text) {
        if kind != begun { close() }
        kind = begun
        block.append(content)
      } else if kind == .list || kind == .numbers, let last = block.popLast() {
        block.append("\(last) \(text)")
      } else {
        if kind != .paragraph { close() }
        block.append(String(text))
      }
    }
    close()
    return html
  }

  private enum Kind {
    case paragraph, list, numbers, quote, code

    /// The block that a line begins or continues, and its text.
    static func begun(by line: Substring) -> (Kind, String)? {
      if line.hasPrefix("- ") || line.hasPrefix("* ") { return (.list, String(line.dropFirst(2))) }
      if line.hasPrefix(">") {
        return (.quote, line.dropFirst().trimmingCharacters(in: .whitespaces))
      }
      if line.hasPrefix("|") { return (.code, String(line)) }
      let rest = line.drop(while: \.isNumber)
      guard rest.count < line.count, rest.hasPrefix(". ") else { return nil }
      return (.numbers, String(rest.dropFirst(2)))
    }

    func html(of lines: [String]) -> String {
      func items(_ tag: String) -> String {
        "<\(tag)>" + lines.map { "<li>\(inline($0))</li>" }.joined() + "</\(tag)>\n"
      }
      return switch self {
      case .paragraph: "<p>\(inline(lines.joined(separator: " ")))</p>\n"
      case .quote: "<blockquote>\(inline(lines.joined(separator: " ")))</blockquote>\n"
      case .code: "<pre>\(lines.joined(separator: "\n").escapedInHTML)</pre>\n"
      case .list: items("ul")
      case .numbers: items("ol")
      }
    }
  }

  private static func fenceMark(of line: String) -> String? {
    ["```", "~~~"].first(where: line.hasPrefix).map { mark in
      String(line.prefix { $0 == mark.first })
    }
  }

  private static func inline(_ text: String) -> String {
    pairs(text, "`", "code") { part in pairs(part, "**", "b", links) }
  }

  /// The text with every second part between marks in an element; the last mark of an odd number is text.
  private static func pairs(
    _ text: String, _ mark: String, _ tag: String, _ inner: (String) -> String
  ) -> String {
    let parts = text.components(separatedBy: mark)
    return parts.indices.map { index in
      guard index % 2 == 1 else { return inner(parts[index]) }
      return index == parts.count - 1
        ? mark + inner(parts[index]) : "<\(tag)>\(parts[index].escapedInHTML)</\(tag)>"
    }.joined()
  }

  /// The longest address of a link in characters.
  private static let linkLimit = 2000

  /// `[text](https://…)`
  private static func links(_ text: String) -> String {
    var (html, rest) = ("", text[...])
    while let middle = rest.firstRange(of: "](") {
      let (before, after) = (rest[..<middle.lowerBound], rest[middle.upperBound...])
      guard let start = before.lastIndex(of: "["),
        let end = after.prefix(linkLimit).firstIndex(of: ")"),
        case let url = after[..<end], url.hasPrefix("https://") || url.hasPrefix("http://")
      else {
        html += String(rest[..<middle.upperBound]).escapedInHTML
        rest = after
        continue
      }
      html += String(before[..<start]).escapedInHTML
      html +=
        "<a href=\"\(String(url).escapedInHTML)\">\(String(before[start...].dropFirst()).escapedInHTML)</a>"
      rest = after[after.index(after: end)...]
    }
    return html + String(rest).escapedInHTML
  }
}
