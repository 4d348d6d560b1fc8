import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Every rule in the least case that shows it, told by every rendering.
///
/// The renderings are recorded in `Tests/RuleCases`, a file for each domain; `RECORD_SESSIONS=1` records them anew.
@Suite("Rules and their cases")
struct RuleCaseTests {
  static let domains: [(name: String, cases: [RuleCase])] = [
    ("inference", RuleCases.inference), ("loss", RuleCases.loss), ("mapping", RuleCases.mapping),
    ("validation", RuleCases.validation), ("store", RuleCases.store),
    ("cloudkit", RuleCases.cloudKit),
  ]

  /// Rules that only `plan` and `migrate` tell, which write no reports: of a mapping model, or of what a store holds.
  /// Tests of losses and receipts show them.
  private static let reportedOtherwise: Set<String> = [
    "loss.unread", "loss.unreadEntity", "loss.truncated", "loss.rounded", "loss.outOfRange",
    // Of binary stores, which have tests of their own.
    "validation.documentHighestKey", "validation.trailingBytes",
    // Of `delete`, which writes no reports: `DeleteCommandTests` show it.
    "validation.deleteDenied",
  ]

  /// Rules whose finding names no fix.
  private static let withoutFix: Set<String> = []

  @Test("every rule of the rule book has a case")
  func complete() throws {
    let listed = TestSession(in: try TemporaryFolder())("help rules").output
      .split(separator: "\n").map { String($0.prefix { $0 != " " }) }.filter { $0.contains(".") }
    let shown = Set(Self.domains.flatMap(\.cases).map(\.rule))
    let missing = listed.filter { rule in
      !shown.contains(rule) && !Self.reportedOtherwise.contains(rule)
    }
    #expect(missing == [])
    #expect(shown.subtracting(listed) == [])
  }

  @Test(
    "each rule is told by every rendering where its case shows it, and not in the nearest one",
    arguments: domains.map(\.name))
  func cases(domain: String) throws {
    var sections: [String] = []
    for example in try #require(Self.domains.first { $0.name == domain }).cases {
      let answer = try example.shown.answer(of: example.rule)
      #expect(!answer.text.isEmpty && !answer.json.isEmpty, "\(example.rule) is not shown")
      #expect(answer.junit.count == answer.json.count, "\(example.rule)")
      #expect(answer.annotations.count == answer.json.count, "\(example.rule)")
      for finding in answer.json {
        let place = finding["place"] as? [String: Any] ?? [:]
        let fixes = finding["fixes"] as? [[String: Any]] ?? []
        #expect(!place.isEmpty, "where is \(example.rule)?")
        #expect(
          !fixes.isEmpty || Self.withoutFix.contains(example.rule), "how to fix \(example.rule)?")
      }
      #expect(try !example.near.shows(example.rule), "\(example.rule) is shown by the nearest case")
      sections.append(try answer.section(example.rule))
    }
    try Self.compare(sections.joined(separator: "\n"), with: domain)
  }

  /// Compares what was told with what was recorded.
  private static func compare(_ actual: String, with name: String) throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "RuleCases/\(name).txt").path
    guard ProcessInfo.processInfo.environment["RECORD_SESSIONS"] != "1" else {
      try actual.write(toFile: path, atomically: true, encoding: .utf8)
      Issue.record("recorded anew: read it, then run the test without RECORD_SESSIONS")
      return
    }
    let recorded = try String(contentsOfFile: path, encoding: .utf8)
    let lines = (actual.components(separatedBy: "\n"), recorded.components(separatedBy: "\n"))
    let changes = lines.0.difference(from: lines.1).map { change in
      switch change {
      case .insert(let line, let text, _): "\(line + 1): + \(text)"
      case .remove(let line, let text, _): "\(line + 1): - \(text)"
      }
    }
    #expect(changes.isEmpty, "\(name): \(changes.joined(separator: "\n"))")
  }
}
