internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook

extension LessonCheck {
  /// What to tell the learner if the condition is false now; `nil` if it is true.
  ///
  /// A hidden condition is never shown, nor the facts that would reveal it.
  ///
  /// - Throws: An error that ends the command: Ctrl-C, or ``BudgetSpent``.
  func failure(in session: Session) throws -> String? {
    try fact(in: session).map {
      message ?? (isHidden ? "a condition of the task is not met" : $0)
    }
  }

  /// Why the condition is false now, for the author of the lesson; `nil` if it is true.
  func fact(in session: Session) throws -> String? {
    guard let expect = expectation else { return "not a condition of `expect`" }
    let (result, _) = session.unobserved {
      session.whileRunning(CommandContext(of: expect, in: session)) {
        Result { try expect.finding(in: session) }
      }
    }
    try Interruption.check()
    try Work.current?.check()
    switch result {
    case .success(let finding):
      return finding.found.holds == finding.isNegated ? finding.found.message : nil
    case .failure(let error as any DiagnosticError):
      // A document in a document in a document is not replayed: that says nothing about the condition.
      if error.diagnostic.id == Session.replayRefused { throw error }
      let diagnostic = session.naming(error.diagnostic)
      let place = diagnostic.location?.description ?? ""
      return diagnostic.what + (place.isEmpty ? "" : " (\(place))")
    case .failure(let error): return "\(error)"
    }
  }

  /// Whether the condition can be parsed.
  var isReadable: Bool { (try? expectation?.condition()) != nil }

  fileprivate var runsScript: Bool { (try? expectation?.condition())?.condition == .guards }

  private var expectation: Expect? {
    guard case .complete(let tokens) = CommandLineLexer.tokens(of: condition) else { return nil }
    return try? Expect.parse(tokens.map(\.text))
  }
}

extension Session {
  /// Looks at the session without traces and progress, which would show what a hidden condition is about.
  fileprivate func unobserved<Answer>(_ look: () -> Answer) -> Answer {
    let (trace, progress) = (trace, progress)
    (self.trace, self.progress) = (TraceLevels(), nil)
    defer { (self.trace, self.progress) = (trace, progress) }
    return look()
  }
}

extension LessonTask {
  /// What to tell the learner about the conditions that are false; empty if the task is done.
  func failures(in session: Session) throws -> [String] {
    try checks.compactMap { try $0.failure(in: session) }.uniqued
  }

  /// Whether all conditions are true now.
  func isDone(in session: Session) throws -> Bool {
    try checks.allSatisfy { try $0.failure(in: session) == nil }
  }

  /// Whether a condition runs a script, which takes long.
  var runsScripts: Bool { checks.contains(where: \.runsScript) }
}
