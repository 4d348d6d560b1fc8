import Foundation

/// A rule as Strata states it today, and how Core Data is asked.
struct Question {
  /// The place is the section that has the mark.
  var id: String, rule: String, place: String
  /// A check of `Checker`, and its arguments: often models, see `ModelText`.
  var check: String, arguments: [String]
  /// How often the check runs, each time in a process of its own.
  var rounds = 1

  /// A row of the table: question, rule, place, check.
  private init?(_ row: Substring) {
    let form = /\| `(.+?)` \| (.+?) \| (.+?) \| `(?:(\d+) x )?(\w+) ?(.*)` \|/
    guard let match = row.wholeMatch(of: form) else { return nil }
    (id, rule, place) = (String(match.1), String(match.2), String(match.3))
    if let number = match.4 { rounds = Int(number) ?? 1 }
    (check, arguments) = (String(match.5), match.6.components(separatedBy: " => "))
  }

  static let root = URL(fileURLWithPath: "\(#filePath)/../../../../..").standardized

  /// The table is a page for people too.
  static func all() throws -> [Question] {
    let page = root.appendingPathComponent("Docs/MAC-QUESTIONS.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    return lines.compactMap { Question($0) }
  }
}

enum Verdict: String, Codable {
  case asStated = "as stated"
  case otherwise
  case couldNotAsk = "could not ask"
}

struct Outcome: Codable {
  var verdict: Verdict
  /// What differs, why nothing could be asked, or facts.
  var notes: [String]

  init(_ verdict: Verdict, _ notes: [String] = []) { (self.verdict, self.notes) = (verdict, notes) }

  init(differences: [String], facts: [String] = []) {
    let others = differences.count > 20 ? ["and \(differences.count - 20) more"] : []
    self.init(
      differences.isEmpty ? .asStated : .otherwise, differences.prefix(20) + others + facts)
  }

  /// Where Core Data and Strata may refuse: as stated if both do, or if nothing differs.
  init(_ refusals: [String?], _ differences: () throws -> [String]) rethrows {
    if refusals.allSatisfy({ $0 == nil }) {
      self.init(differences: try differences())
    } else {
      let texts = zip(["Core Data", "Strata"], refusals).map { "\($0): \($1 ?? "does it")" }
      self.init(refusals.contains { $0 == nil } ? .otherwise : .asStated, texts)
    }
  }

  mutating func add(_ other: Outcome, from name: String = "") {
    let order: [Verdict] = [.otherwise, .couldNotAsk, .asStated]
    verdict = order.first { $0 == verdict || $0 == other.verdict } ?? verdict
    notes += other.notes.map { name.isEmpty ? $0 : "\(name): \($0)" }
  }
}
