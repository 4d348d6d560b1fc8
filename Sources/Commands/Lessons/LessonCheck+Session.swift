internal import ArgumentParser
internal import StrataBase
internal import StrataNotebook

extension LessonCheck {
  /// What to tell the learner if the condition is false now; `nil` if it is true.
  ///
  /// A hidden condition is never shown, nor the facts that would reveal it.
  func failure(in session: Session) -> String? {
    guard let expect = expectation else { return unreadable }
    let (result, _) = session.whileRunning(CommandContext(of: expect, in: session)) {
      Result { try expect.finding(in: session) }
    }
    switch result {
    case .success(let finding):
      guard finding.found.holds == finding.isNegated else { return nil }
      return message ?? (isHidden ? Self.hidden : finding.found.message)
    case .failure(let error as any DiagnosticError):
      let diagnostic = session.naming(error.diagnostic)
      let place = diagnostic.location?.description ?? ""
      return message
        ?? (isHidden ? Self.hidden : diagnostic.what + (place.isEmpty ? "" : " (\(place))"))
    case .failure: return message ?? Self.hidden
    }
  }

  /// Whether the condition can be parsed.
  var isReadable: Bool { expectation != nil }

  private var expectation: Expect? {
    guard case .complete(let tokens) = CommandLineLexer.tokens(of: condition) else { return nil }
    return try? Expect.parse(tokens.map(\.text))
  }

  private static let hidden = "a condition of the task is not met"
  private var unreadable: String { "the condition in line \(line) of the lesson cannot be read" }
}

extension LessonTask {
  /// What to tell the learner about the conditions that are false; empty if the task is done.
  func failures(in session: Session) -> [String] {
    var seen: Set<String> = []
    return checks.compactMap { $0.failure(in: session) }.filter { seen.insert($0).inserted }
  }
}
