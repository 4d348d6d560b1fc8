import Foundation

/// The lines of `Docs/CI.md` that a reader copies.
enum BuildServerPage {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func text() throws -> String {
    try String(contentsOf: root.appending(path: "Docs/CI.md"), encoding: .utf8)
  }

  /// The blocks of a section in a language, without their indentation.
  static func blocks(of language: String, under section: String) throws -> [String] {
    let lines = try text().components(separatedBy: "\n")
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

  /// The scripts of a job: the steps of a workflow of GitHub, or the items of a script of GitLab.
  static func scripts(under section: String) throws -> [String] {
    let lines = try blocks(of: "yaml", under: section).joined(separator: "\n")
      .components(separatedBy: "\n")
    return lines.indices.compactMap { index in
      let item = lines[index].drop { $0 == " " }
      let indent = lines[index].count - item.count
      if item == "- run: |" || item == "- |" {
        let body = lines[(index + 1)...].prefix { line in
          line.isEmpty || line.prefix { $0 == " " }.count > indent
        }
        return body.joined(separator: "\n")
      }
      return item.hasPrefix("- strata-program/") ? String(item.dropFirst(2)) : nil
    }
  }
}
