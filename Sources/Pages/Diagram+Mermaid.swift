extension Diagram {
  /// The diagram for Mermaid, which code hosts draw in Markdown.
  package var mermaid: String { columns == nil ? entityRelationships : flowchart }

  private var entityRelationships: String {
    var text = "\(Self.mermaidMark)\nerDiagram\n"
    for (index, box) in boxes.enumerated() {
      let title = [Self.marked(box.name, box.mark)] + Self.notes(in: box.rows[...])
      text += "  e\(index)[\(Self.quoted(title.joined(separator: ", ")))] {\n"
      for (place, row) in box.rows.enumerated() {
        var (type, name) = ("", row.text)
        switch row.kind {
        case .attribute:
          // A name may have spaces, and no type has any but that of integers.
          let words = row.text.split(separator: " ")
          let count = words.count > 2 && words[words.count - 2] == "Integer" ? 2 : 1
          type = words.suffix(count).joined(separator: " ").replacing("?", with: "")
          name = words.dropLast(count).joined(separator: " ")
        case .relationship(let own) where !row.mark.isEmpty: (type, name) = ("relationship", own)
        default: continue
        }
        let comment =
          [row.mark, row.text.hasSuffix("?") ? "optional" : ""]
          + Self.notes(in: box.rows[(place + 1)...])
        let note = comment.filter { !$0.isEmpty }.joined(separator: " ")
        text +=
          "    \(Self.word(type)) \(Self.word(name))\(note.isEmpty ? "" : " " + Self.quoted(note))\n"
      }
      text += "  }\n"
    }
    for line in lines {
      text +=
        "  e\(line.from.box) \(Self.ends(line.from.count).left)--\(Self.ends(line.to.count).right) "
        + "e\(line.to.box) : \(Self.quoted(line.label))\n"
    }
    return text
  }

  /// What every text for Mermaid has in its beginning.
  package static let mermaidMark = "%% strata picture"

  /// The notes at the beginning of rows.
  private static func notes(in rows: ArraySlice<Row>) -> [String] {
    rows.prefix { $0.kind == .note }.filter { !$0.text.hasPrefix("…") }
      .map { marked($0.text.trimmingSpaces, $0.mark) }
  }

  private static func quoted(_ text: String) -> String { "\"\(label(text))\"" }

  /// A name as a word that is none of Mermaid's.
  private static func word(_ text: String) -> String {
    let found = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          $0.properties.isAlphabetic || ("0"..."9").contains($0) ? $0 : "_"
        }))
    let isWord = !["PK", "FK", "UK"].contains(found) && found.first?.isLetter == true
    return isWord ? found : "_" + found
  }

  /// The ends of a line, at its left and at its right.
  private static func ends(_ count: Count) -> (left: String, right: String) {
    switch count {
    case .one, .parent, .child, .target: ("||", "||")
    case .optionalOne: ("|o", "o|")
    case .many, .unknown: ("}o", "o{")
    case .requiredMany: ("}|", "|{")
    }
  }

  private var flowchart: String {
    var text = "\(Self.mermaidMark)\nflowchart LR\n"
    for (index, box) in boxes.enumerated() {
      let rows = box.rows.map { Self.marked($0.whole ?? $0.text, $0.mark) }
      let lines = [Self.marked(box.name, box.mark)] + (box.note.isEmpty ? [] : [box.note]) + rows
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
      "#&<>\"`*_;:$%\\".unicodeScalars.contains(scalar) || scalar.value < 0x20
        ? "#\(max(scalar.value, 0x20));" : String(scalar)
    }.joined()
  }
}

extension String {
  fileprivate var trimmingSpaces: String { String(drop { $0 == " " }) }
}
