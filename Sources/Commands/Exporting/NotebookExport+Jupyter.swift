internal import StrataBase
internal import StrataNotebook
internal import StrataPages
internal import StrataRendering

extension NotebookExport {
  /// How every notebook begins.
  static let jupyterMark =
    #"{"nbformat":4,"nbformat_minor":5,"metadata":{"language_info":{"name":"strata"}"#

  /// The notebook for Jupyter, with the recorded answers as outputs; a migration is the table of its stops.
  ///
  /// Source: the format of nbformat, version 4.5.
  var jupyter: [UInt8] {
    let cells = cells.flatMap(Self.cells).enumerated().map { index, members in
      JSONValue.object([("id", .string("cell-\(index + 1)")), ("metadata", .object([]))] + members)
    }
    let notebook = JSONValue.object([
      ("nbformat", .integer(4)), ("nbformat_minor", .integer(5)),
      (
        "metadata",
        .object([
          ("language_info", .object([("name", .string("strata"))])), ("title", .string(title)),
        ])
      ),
      ("cells", .array(cells)),
    ])
    return Array((notebook.line + "\n").utf8)
  }

  private typealias Members = [(key: String, value: JSONValue)]

  private static func cells(of cell: Cell) -> [Members] {
    switch cell {
    case .prose(let lines): return [markdown(Markdown.withoutComments(lines))]
    case .details(let title, let cells):
      let prose = cells.compactMap { cell -> [String]? in
        if case .prose(let lines) = cell { lines } else { nil }
      }
      guard prose.count == cells.count else {
        return [markdown(["**\(title)**"])] + cells.flatMap(Self.cells)
      }
      return [
        markdown(
          ["<details><summary>\(title.escapedInHTML)</summary>", ""]
            + prose.joined(separator: [""]) + ["", "</details>"])
      ]
    case .command(let entry, let results):
      let answer = entry.recorded?.lines ?? []
      let stream: [JSONValue] =
        answer.isEmpty
        ? []
        : [
          output(
            "stream", [("name", .string("stdout")), ("text", .strings(answer.map { $0 + "\n" }))])
        ]
      return [
        [
          ("cell_type", .string("code")), ("execution_count", .null),
          ("source", .string(entry.command)),
          ("outputs", .array(stream + results.map(shown))),
        ]
      ]
    }
  }

  private static func markdown(_ lines: [String]) -> Members {
    [("cell_type", .string("markdown")), ("source", .string(lines.joined(separator: "\n")))]
  }

  private static func shown(_ result: Result) -> JSONValue {
    let data: Members =
      switch result {
      case .picture(let svg, let text):
        [("image/svg+xml", .string(svg)), ("text/plain", .string(text))]
      case .migration(let migration):
        [
          (
            "text/html",
            .string(
              "<details open><summary>\(migration.noteText.escapedInHTML) Every stop:</summary>"
                + migration.data.story.replacing(
                  " align=\"left\"", with: " style=\"text-align: left\"") + "</details>")
          ), ("text/plain", .string(migration.title)),
        ]
      }
    return output("display_data", [("data", .object(data)), ("metadata", .object([]))])
  }

  private static func output(_ kind: String, _ members: Members) -> JSONValue {
    .object([("output_type", .string(kind))] + members)
  }
}
