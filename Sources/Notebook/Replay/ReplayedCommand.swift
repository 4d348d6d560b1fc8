/// A command of a replayed document, its answer, and the verdict on it.
package struct ReplayedCommand: Sendable, Hashable {
  package let entry: SessionEntry
  package let answer: Answer
  package let verdict: ReplayVerdict

  init(_ entry: SessionEntry, _ answer: Answer) {
    self.entry = entry
    self.answer = answer
    verdict = ReplayVerdict(on: answer, to: entry)
  }
}
