import Foundation

/// The one file that is sent back. It is written anew after each answer, so that nothing is lost.
struct Report {
  var file: URL
  var facts: [(String, String)]
  private var answers: [(question: Question, outcome: Outcome)] = []

  init(file: URL, facts: [(String, String)]) { (self.file, self.facts) = (file, facts) }

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
        lines.append("- `\(question.id)` \(question.rule) (\(question.page), \(question.section))")
        lines += outcome.notes.prefix(25).map {
          "    - `\($0.prefix(300).replacing("\n", with: " "))`"
        }
      }
    }
    let outcomes = Dictionary(answers.map { ($0.question.id, $0.outcome) }) { $1 }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(outcomes), as: UTF8.self)
    return (lines + ["", "```json", json, "```", ""]).joined(separator: "\n")
  }

  /// Docs/MAC-QUESTIONS.md.
  static var questions: String {
    var lines = [
      "# Questions that only a Mac can answer", "",
      "Strata was written on Linux, from files and documents. These rules could not be proven there. On a Mac,",
      "`Scripts/prove-on-mac` asks Core Data ([how](../Tests/CoreDataProof/README.md)); a person answers the last",
      "group. It was only type-checked and rehearsed so far, never run on a Mac. An answer settles the mark in the",
      "section that is named. The table is that of `Questions.swift`, printed by",
      "`swift run --package-path Tests/CoreDataProof core-data-proof --questions`.",
    ]
    var group = ""
    for question in Question.all {
      if group != question.id.prefix(while: { $0 != "." }) {
        group = String(question.id.prefix { $0 != "." })
        lines += [
          "", "## \(group)", "", "| question | as Strata states it | where |", "|---|---|---|",
        ]
      }
      let place = "[\(question.page)](\(question.page)), \(question.section)"
      lines.append("| `\(question.id)` | \(question.rule) | \(place) |")
    }
    return lines.joined(separator: "\n")
  }
}
