import Foundation

/// The one file that is sent back. It is written anew after each answer, so that nothing is lost.
struct Report {
  var file: URL
  var facts: [(String, String)]
  var answers: [(question: Question, outcome: Outcome)] = []

  mutating func add(_ question: Question, _ outcome: Outcome) throws {
    answers.append((question, outcome))
    try text().write(to: file, atomically: true, encoding: .utf8)
  }

  var summary: String {
    [Verdict.asStated, .otherwise, .couldNotAsk].map { verdict in
      "\(answers.filter { $0.outcome.verdict == verdict }.count) \(verdict.rawValue)"
    }.joined(separator: ", ")
  }

  private func text() throws -> String {
    var lines = ["# What Core Data answers", "", summary, ""] + facts.map { "- \($0): \($1)" }
    for verdict in [Verdict.otherwise, .couldNotAsk, .asStated] {
      lines += ["", "## \(verdict.rawValue)", ""]
      for (question, outcome) in answers where outcome.verdict == verdict {
        lines.append("- `\(question.id)` \(question.rule) (\(question.place))")
        let notes = outcome.notes.prefix(25).map { $0.prefix(300).replacing("\n", with: " ") }
        lines += notes.map { "    - `\($0)`" }
      }
    }
    let outcomes = Dictionary(answers.map { ($0.question.id, $0.outcome) }) { $1 }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(outcomes), as: UTF8.self)
    return (lines + ["", "```json", json, "```", ""]).joined(separator: "\n")
  }
}
