/// A command of a replayed document, its answer, and the verdict on it.
public struct ReplayedCommand: Sendable, Hashable {
  public let entry: SessionEntry
  public let answer: Answer
  public let verdict: Verdict

  init(_ entry: SessionEntry, _ answer: Answer) {
    self.entry = entry
    self.answer = answer
    verdict = Verdict(on: answer, to: entry)
  }
}
