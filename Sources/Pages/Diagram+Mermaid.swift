extension Diagram {
  /// The diagram for Mermaid, which code hosts draw in Markdown.
  package var mermaid: String { columns == nil ? entityRelationships : flowchart }

  private var entityRelationships: String {
    func name(_ text: String) -> String {
      "\"" + text.map { "\"\\\n\r".contains($0) ? "'" : String($0) }.joined() + "\""
    }
    func word(_ text: String) -> String {
      let found = String(
        String.UnicodeScalarView(
          text.unicodeScalars.map {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) ? $0 : "_"
          }))
      return found.first?.isNumber == true ? "_" + found : found
    }
    var text = "erDiagram\n"
    for box in boxes {
      text +=
        "  \(word(box.name))[\(name(Self.marked(box.name, box.mark)))] {\n"
      for row in box.rows where !row.isRelationship {
        let parts = row.text.replacing("?", with: "").split(separator: " ", maxSplits: 1)
        let type = parts.count > 1 ? word(String(parts[1])) : "_"
        text +=
          "    \(type) \(word(String(parts.first ?? "_")))"
          + (row.mark.isEmpty ? "" : " \(name(row.mark))") + "\n"
      }
      text += "  }\n"
    }
    for line in lines {
      text +=
        "  \(word(boxes[line.from.box].name)) \(Self.left(line.from.count))--\(Self.right(line.to.count)) "
        + "\(word(boxes[line.to.box].name)) : \(name(line.label))\n"
    }
    return text
  }

  private static func left(_ count: Count) -> String {
    switch count {
    case .one, .parent, .child, .target: "||"
    case .optionalOne: "|o"
    case .many, .unknown: "}o"
    case .requiredMany: "}|"
    }
  }

  private static func right(_ count: Count) -> String {
    switch count {
    case .one, .parent, .child, .target: "||"
    case .optionalOne: "o|"
    case .many, .unknown: "o{"
    case .requiredMany: "|{"
    }
  }
  private var flowchart: String {
    var text = "flowchart LR\n"
    for (index, box) in boxes.enumerated() {
      let lines = [Self.marked(box.name, box.mark)] + box.rows.map { Self.marked($0.text, $0.mark) }
      text += "  n\(index)[\"\(lines.map(Self.label).joined(separator: "<br/>"))\"]\n"
    }
    for line in lines {
      text += "  n\(line.from.box) --> n\(line.to.box)\n"
    }
    for lane in lanes {
      for arc in lane.arcs {
        text +=
          "  n\(arc.from) \(arc.isDashed ? "-.->" : "-->")"
          + "|\"\(Self.label("\(lane.name): \(arc.label)"))\"| n\(arc.to)\n"
      }
    }
    return text
  }

  /// A label without any meaning for Mermaid, or as HTML or Markdown.
  private static func label(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      "#&<>\"`*_;\\".unicodeScalars.contains(scalar) || scalar.value < 0x20
        ? "#\(max(scalar.value, 0x20));" : String(scalar)
    }.joined()
  }
}
