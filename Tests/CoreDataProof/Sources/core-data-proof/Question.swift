/// A rule as Strata states it today, and how Core Data is asked.
struct Question {
  var id: String
  var rule: String
  /// The page below Docs, and the number or the name of its section, where the mark is.
  var page: String, section: String
  /// A check of `Checker`, and its arguments: often models, see `ModelText`.
  var check: String, arguments: [String]
  /// How often the check runs, each time in a process of its own.
  var rounds = 1

  /// A line of the table: id, page and section, rule, check and arguments.
  init(_ line: Substring) {
    let parts = line.components(separatedBy: " | ")
    let (name, place) = (
      parts[0].split(separator: " "), parts[1].split(separator: " ", maxSplits: 1)
    )
    let words = parts[3].split(separator: " ", maxSplits: 1).map(String.init)
    id = String(name[0])
    if name.count > 1 { rounds = Int(name[1].dropFirst()) ?? 1 }
    (page, section) = ("\(place[0]).md", String(place[1]))
    rule = parts[2]
    check = words[0]
    arguments = words.count > 1 ? words[1].components(separatedBy: " => ") : []
  }

  static let all = table.split(separator: "\n").map { Question($0) }
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

  /// As stated if nothing differs; the facts are kept in any case.
  init(differences: [String], facts: [String] = []) {
    let others = differences.count - 20
    self.init(
      differences.isEmpty ? .asStated : .otherwise,
      differences.prefix(20) + (others > 0 ? ["and \(others) more"] : []) + facts)
  }

  /// The outcome of two sides that may refuse: both, or none.
  init(theirs: String?, ours: String?, _ differences: () throws -> [String]) rethrows {
    if theirs == nil, ours == nil {
      self.init(differences: try differences())
    } else {
      self.init(
        theirs != nil && ours != nil ? .asStated : .otherwise,
        ["Core Data: \(theirs ?? "does it")", "Strata: \(ours ?? "does it")"])
    }
  }

  mutating func add(_ other: Outcome, from name: String = "") {
    let order: [Verdict] = [.otherwise, .couldNotAsk, .asStated]
    verdict = order.first { $0 == verdict || $0 == other.verdict } ?? verdict
    notes += other.notes.map { name.isEmpty ? $0 : "\(name): \($0)" }
  }
}
