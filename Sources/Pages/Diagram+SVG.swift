extension Diagram {
  /// What every picture has in its beginning.
  package static let mark = "<!-- strata picture -->"

  /// The diagram as SVG without fonts, scripts or colors of its own. The same diagram gives the same bytes.
  package var svg: String {
    let layout = DiagramLayout(self)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(layout.width) \(layout.height)" \
      width="\(layout.width)" height="\(layout.height)" role="img" aria-labelledby="title summary" \
      color="#222" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12">
      \(Self.mark)
      <title id="title">\(title.escapedInHTML)</title>
      <desc id="summary">\(summary.escapedInHTML)</desc>
      <style>text { white-space: pre; } @media (prefers-color-scheme: dark) { svg { color: #ddd; } .box { fill: #1b1b1b; } }</style>
      <path class="box" fill="#fff" d="M0 0H\(layout.width)V\(layout.height)H0Z"/>
      <text x="16" y="28" font-size="15" fill="currentColor">\(title.escapedInHTML)</text>
      <g fill="none" stroke="currentColor">

      """
    for line in lines { text += layout.path(of: line) }
    text += layout.guides + "</g>\n"
    for (index, box) in boxes.enumerated() { text += svg(of: box, in: layout.frames[index]) }
    for (lane, base) in zip(lanes, layout.bases) { text += svg(of: lane, at: base, layout) }
    return text + "</svg>\n"
  }

  /// - Parameter base: The line on which the arcs end.
  private func svg(of lane: Lane, at base: Int, _ layout: DiagramLayout) -> String {
    var text = """
      <g fill="currentColor"><text x="16" y="\(base)" font-weight="bold">\
      \(lane.name.escapedInHTML)</text>

      """
    for arc in lane.arcs {
      let (start, end) = (layout.center(arc.from), layout.center(arc.to))
      let height = layout.height(of: arc)
      let room = max(4, abs(end - start) / DiagramLayout.characterWidth)
      let label = arc.label.count > room ? arc.label.prefix(room - 1) + "…" : arc.label[...]
      text += """
        <g><title>\(lane.name.escapedInHTML): \(boxes[arc.from].name.escapedInHTML) → \
        \(boxes[arc.to].name.escapedInHTML), \((arc.label + arc.note).escapedInHTML)</title>\
        <path d="M\(start) \(base)C\(start) \(base - height * 4 / 3) \(end) \(base - height * 4 / 3) \(end) \(base)" \
        fill="none" stroke="currentColor"\(arc.isDashed ? " stroke-dasharray=\"5 3\"" : "")/>\
        <path d="M\(end - 4) \(base - 9)L\(end) \(base)L\(end + 4) \(base - 9)" fill="none" stroke="currentColor"/>\
        <text x="\((start + end) / 2)" y="\(base - height - 4)" text-anchor="middle" font-size="11">\
        \(label.description.escapedInHTML)</text></g>

        """
    }
    return text + "</g>\n"
  }

  private func svg(of box: Box, in frame: DiagramLayout.Frame) -> String {
    let header = DiagramLayout.rowHeight + 4
    var text = """
      <g><rect class="box" x="\(frame.x)" y="\(frame.y)" width="\(frame.width)" height="\(frame.height)" rx="4" \
      fill="#fff" stroke="currentColor"\(box.isDashed ? " stroke-dasharray=\"5 3\"" : "")/>
      \(box.rows.isEmpty ? "" : "<path d=\"M\(frame.x) \(frame.y + header)h\(frame.width)\" stroke=\"currentColor\"/>")
      <text x="\(frame.x + 8)" y="\(frame.y + 15)" fill="currentColor" font-weight="bold">\
      \(Self.marked(box.name, box.mark).escapedInHTML)</text>
      <text x="\(frame.x + frame.width - 8)" y="\(frame.y + 15)" fill="currentColor" text-anchor="end" \
      opacity=".65">\(box.note.escapedInHTML)</text>

      """
    for (index, row) in box.rows.enumerated() {
      text += """
        <text x="\(frame.x + 8)" y="\(frame.y + header + 15 + index * DiagramLayout.rowHeight)" \
        fill="currentColor"\(row.mark.isEmpty ? "" : " font-weight=\"bold\"")>\
        \(Self.marked(row.text, row.mark).escapedInHTML)\
        \(row.whole.map { "<title>\($0.escapedInHTML)</title>" } ?? "")</text>

        """
    }
    return text + "</g>\n"
  }
}
