import Foundation
import Testing

/// The worst words of a private dialect stay out of what users read: see CONTRIBUTING.md.
@Suite("Plain words")
struct PlainEnglishTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func worst() throws -> Regex<AnyRegexOutput> {
    try Regex(
      #"\b(lets? go|beware|ways? out|made up|mends?|mended|nobody|somebody|whoever|anybody|comes? to stand|"#
        + #"of itself|is asked|are asked|goes on|passed over|in the way|takes along|looks on|are gone|is gone|"#
        + #"stands? (?:in|for|behind|before|beside|against|above|below)|makes it real|foretells?|"#
        + #"gives way|tells|leads? to|of one's own)\b"#)
  }

  /// The texts of string literals: between quotes on a line, and the lines of multi-line literals.
  private static func texts(in source: String) -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    var isInside = false
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      if line.contains("\"\"\"") {
        isInside.toggle()
      } else if isInside {
        found.append((index + 1, String(line)))
      } else if !line.drop(while: \.isWhitespace).hasPrefix("//") {
        found += line.matches(of: /"((?:[^"\\]|\\.)*)"/).map { (index + 1, String($0.1)) }
      }
    }
    return found
  }

  @Test("the reader of string literals finds both kinds")
  func reader() {
    let source =
      "let a = \"one \\(b) two\" // \"no\"\n// \"no\"\nlet c = \"\"\"\n  three\n  \"\"\"\n"
    #expect(Self.texts(in: source).map(\.text) == ["one \\(b) two", "no", "  three"])
  }

  @Test("no message, help page or name of a command has one of the worst words")
  func messages() throws {
    let worst = try Self.worst()
    let sources = Self.root.appendingPathComponent("Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    var count = 0
    for name in names where name.hasSuffix(".swift") {
      let source = try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
      for (line, text) in Self.texts(in: source) where text.contains(" ") {
        count += 1
        guard let match = try worst.firstMatch(in: text) else { continue }
        Issue.record("\(name):\(line): “\(text[match.range])” in: \(text)")
      }
    }
    #expect(count > 3000)
  }

  @Test("no page has one of the worst words outside of code")
  func pages() throws {
    let worst = try Self.worst()
    // Of the sources: the lessons, and the texts of `help`.
    let names = try ["Docs", "Sources"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(
        atPath: Self.root.appendingPathComponent(folder).path
      ).map { "\(folder)/\($0)" }
    }
    for name in ["README.md"] + names where name.hasSuffix(".md") {
      var isCode = false
      let text = try String(contentsOf: Self.root.appendingPathComponent(name), encoding: .utf8)
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        if line.hasPrefix("```") { isCode.toggle() }
        guard !isCode, let match = try worst.firstMatch(in: String(line)) else { continue }
        Issue.record("\(name):\(index + 1): “\(String(line)[match.range])” in: \(line)")
      }
    }
  }
}
