internal import StrataBase
internal import StrataEssentials

/// A section of an embedded text in Markdown: a heading `## …` and its paragraphs, each in one line.
struct TextSection {
  var heading: String
  var paragraphs: [String]

  /// The sections of a text, in order.
  static func all(in text: String) -> [TextSection] {
    text.split(separator: "\n## ").dropFirst().map { section in
      let paragraphs = section.split(separator: "\n\n").map {
        $0.split(separator: "\n").joined(separator: " ")
      }
      return TextSection(heading: paragraphs[0], paragraphs: Array(paragraphs.dropFirst()))
    }
  }

  /// The rest of the last paragraph if it begins with a label, which is removed from the section.
  mutating func takeLast(_ label: String) -> String? {
    guard let last = paragraphs.last, last.hasPrefix(label) else { return nil }
    paragraphs.removeLast()
    return String(last.dropFirst(label.count))
  }
}
