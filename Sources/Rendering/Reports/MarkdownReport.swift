internal import StrataBase

/// A report in GitHub's Markdown, for summaries of workflows and comments on pull requests.
///
/// It is always shorter than a comment may be: the worst findings are shown, and the others are counted.
///
/// Source: the GitHub Flavored Markdown Spec.
package enum MarkdownReport {
  /// The first line, which distinguishes a report from other documents.
  package static let mark = "<!-- strata report -->"
  /// The maximum number of bytes; a comment on GitHub may have 65,536 characters.
  static let limit = 64_900
  /// The maximum number of bytes of a table that follows the findings.
  private static let tableLimit = 15_000
  /// The maximum number of characters of a name or message.
  private static let textLimit = 500

  /// The report with a line feed at the end.
  package static func encoded(_ report: FindingReport) -> [UInt8] {
    let head = [
      mark, "### \(escaped(report.title)): \(escaped(report.verdict))", "",
      escaped(report.checked),
    ]
    let unchecked = table(
      ["not checked", "where", "fix"].map { Table.Column($0) }, report.unchecked, of: "problem",
      limit: tableLimit
    ) { [escaped($0.what), code($0.location?.description), escaped($0.fix ?? "")] }
    let tried = table(report.table.columns, report.table.rows, of: "row", limit: tableLimit) {
      $0.map { escaped($0.text) }
    }
    let findings = table(
      ["severity", "rule", "where", "message", "fix"].map { Table.Column($0) }, report.entries,
      of: "finding", limit: limit - [head, unchecked, tried].reduce(0) { $0 + size($1) }
    ) { entry in
      let finding = entry.finding
      return [
        finding.severity.rawValue, code(finding.id),
        cell([escaped(entry.subject), code(finding.position)]), escaped(finding.shownMessage),
        finding.acceptance.map { escaped($0.text) }
          ?? cell(finding.fixes.prefix(3).flatMap { [escaped($0.text)] + $0.commands.map(code) }),
      ]
    }
    return Array(
      [head, findings, unchecked, tried].flatMap { $0 }.map { $0 + "\n" }.joined().utf8)
  }

  /// A table after an empty line, with as many rows as the limit allows; nothing without rows.
  ///
  /// - Parameter limit: The maximum number of bytes.
  private static func table<Item>(
    _ columns: [Table.Column], _ items: [Item], of unit: String, limit: Int,
    cells: (Item) -> [String]
  ) -> [String] {
    guard !items.isEmpty else { return [] }
    var lines = [
      "", row(columns.map { escaped($0.title) }),
      row(columns.map { $0.alignment == .right ? "---:" : "---" }),
    ]
    // Room for the line that counts the others.
    var room = limit - size(lines) - 100
    for (index, item) in items.enumerated() {
      let line = row(cells(item))
      room -= line.utf8.count + 1
      guard room >= 0 else {
        return lines + ["", "and \(Phrase.count(items.count - index, "more \(unit)"))"]
      }
      lines.append(line)
    }
    return lines
  }

  private static func row(_ cells: [String]) -> String {
    "| \(cells.joined(separator: " | ")) |"
  }

  private static func cell(_ lines: [String]) -> String {
    lines.filter { !$0.isEmpty }.joined(separator: "<br>")
  }

  private static func size(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.utf8.count + 1 } }

  private static func code(_ text: String?) -> String {
    text.map { $0.isEmpty ? "" : "<code>\(escaped($0))</code>" } ?? ""
  }

  /// The text without any meaning as Markdown or HTML: special characters are character references, which also hold
  /// in cells of tables. Control characters and line ends are shown as `\n`; a mention of a user is interrupted.
  static func escaped(_ text: String) -> String {
    let isLong = text.count > textLimit
    let text = (isLong ? text.prefix(textLimit) + "…" : text[...]).description
    var escaped = ""
    for scalar in text.escapingControlCharacters.unicodeScalars {
      switch scalar {
      case "&", "<", ">", "|", "\\", "`", "*", "_", "[", "]", "~", "$":
        escaped += "&#\(scalar.value);"
      case "@": escaped += "@&#8203;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    // Bare addresses become links.
    return escaped.replacing("://", with: "&#58;//").replacing("www.", with: "www&#46;")
  }
}

extension Finding {
  /// The file and the line: `App.xcdatamodeld/App 2.xcdatamodel/contents:12`.
  fileprivate var position: String? {
    location.file.map { Location(file: $0, line: location.line).description }
  }
}
