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
      JSONValue.object(["id": "cell-\(index + 1)", "metadata": JSONValue.object([:])] + members)
    }
    let language: JSONValue = ["name": "strata"]
    let notebook: JSONValue = [
      "nbformat": 4, "nbformat_minor": 5,
      "metadata": ["language_info": language, "title": title] as JSONValue, "cells": cells,
    ]
    return Array((notebook.line + "\n").utf8)
  }

  private static func cells(of cell: Cell) -> [JSONValue.Members] {
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
        : [["output_type": "stream", "name": "stdout", "text": answer.map { $0 + "\n" }]]
      return [
        [
          "cell_type": "code", "execution_count": JSONValue.null, "source": entry.command,
          "outputs": stream + results.map(shown),
        ]
      ]
    }
  }

  private static func markdown(_ lines: [String]) -> JSONValue.Members {
    ["cell_type": "markdown", "source": lines.joined(separator: "\n")]
  }

  private static func shown(_ result: Result) -> JSONValue {
    let data: JSONValue =
      switch result {
      case .picture(let svg, let text): ["image/svg+xml": svg, "text/plain": text]
      case .migration(let migration):
        [
          "text/html":
            "<details open><summary>\(migration.noteText.escapedInHTML) Every stop:</summary>"
            + migration.data.story.replacing(" align=\"left\"", with: " style=\"text-align: left\"")
            + "</details>",
          "text/plain": migration.title,
        ]
      }
    return ["output_type": "display_data", "data": data, "metadata": JSONValue.object([:])]
  }
}
