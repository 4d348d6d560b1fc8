import Foundation

/// The lines of `Docs/CI.md` that a reader copies.
enum BuildServerPage {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The blocks of a section in a language, without their indentation.
  static func blocks(of language: String, under section: String) throws -> [String] {
    let text = try String(contentsOf: root.appending(path: "Docs/CI.md"), encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    let lead = lines.drop { $0 != "## \(section)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    var blocks: [String] = []
    var rest = lead[...]
    while let start = rest.firstIndex(where: { $0.drop { $0 == " " } == "```\(language)" }) {
      let indent = rest[start].prefix { $0 == " " }
      let body = rest[(start + 1)...].prefix { $0 != indent + "```" }
      blocks.append(body.map { String($0.dropFirst(indent.count)) }.joined(separator: "\n"))
      rest = rest[body.endIndex...].dropFirst()
    }
    return blocks
  }
}
