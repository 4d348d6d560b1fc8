import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Rules and their pages")
struct RuleBookTests {
  /// The enumerations of rules, and what their names begin with.
  private static let sources = [
    ("Mapping/Inference/InferenceRule.swift", "inference"),
    ("Mapping/Checking/MappingRule.swift", "mapping"),
    ("ObjectModel/Validation/ValidationRule.swift", "validation"),
    ("Store/Recovery/StoreRule.swift", "store"),
    ("ObjectModel/CloudKit/CloudKitRule.swift", "cloudkit"),
    ("ObjectModel/CloudKit/CloudKitEvolutionRule.swift", "cloudkit"),
    ("Mapping/Losses/LossRule.swift", "loss"),
  ]

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The names of the rules as they stand in the source: the cases before `domain`.
  private static func declared() throws -> [String] {
    try ruleCases() + checkRules()
  }

  /// The names of the rules of `check`, which its cases give in full.
  private static func checkRules() throws -> [String] {
    let file = root.appending(path: "Sources/Commands/Check/CheckRule.swift")
    return try String(contentsOf: file, encoding: .utf8)
      .matches(of: #/case \w+ = "([^"]+)"/#).map { String($0.output.1) }
  }

  private static func ruleCases() throws -> [String] {
    try sources.flatMap { file, domain in
      let text = try String(contentsOf: root.appending(path: "Sources/\(file)"), encoding: .utf8)
      let cases = text.components(separatedBy: "static let domain")[0]
        .components(separatedBy: "  public enum ")[0]
      return cases.split(separator: "\n").filter { $0.hasPrefix("  case ") }.map { line in
        "\(domain)." + line.dropFirst("  case ".count).prefix { $0.isLetter || $0.isNumber }
      }
    }
  }

  @Test("each rule has a page, and each page a rule, in the order of the rules")
  func pages() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    let list = session("help rules").output
    let listed = (list.components(separatedBy: "\n\n").first ?? "").split(separator: "\n").map {
      String($0.prefix { $0 != " " })
    }
    let declared = try Self.declared()
    #expect(listed == declared)
    #expect(declared.count > 90)
    for rule in declared {
      let page = session("help \(rule)")
      #expect(page.status == .done && page.output.hasPrefix(rule), "\(page)")
      #expect(page.output.split(separator: "\n").count > 1, "\(page)")
    }
  }

  @Test("an unknown rule is an error that suggests the nearest one")
  func unknown() throws {
    let session = TestSession(in: try TemporaryFolder())
    let answer = session("help inference.missingDefalt")
    #expect(answer.status == .usage)
    #expect(answer.diagnostics.contains("did you mean inference.missingDefault?"), "\(answer)")
  }
}
