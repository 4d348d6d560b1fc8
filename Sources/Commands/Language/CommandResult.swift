internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The result of a command before rendering: its outcome or error.
struct CommandResult {
  private let content: Result<Outcome, Diagnostic>
  /// The payload or error as JSON, if the command line has `--json`.
  private let json: String?

  init(_ content: Result<Outcome, Diagnostic>, asJSON: Bool) {
    self.content = content
    guard asJSON else {
      json = nil
      return
    }
    switch content {
    case .success(let outcome): json = outcome.payloadWithWarnings.text
    case .failure(let error): json = error.named.text
    }
  }

  var status: ExitStatus {
    switch content {
    case .success(let outcome): outcome.status
    case .failure(let error): ExitStatus(of: error)
    }
  }

  /// The warnings, or the error.
  var problems: [Diagnostic] {
    switch content {
    case .success(let outcome): outcome.warnings
    case .failure(let error): [error]
    }
  }

  var isWide: Bool {
    if json == nil, case .success(let outcome) = content { outcome.view.isWide } else { false }
  }

  /// Whether the result depends on another program, the user or the speed of the machine.
  var dependsOnTime: Bool {
    if case .success(let outcome) = content, outcome.dependsOnTime { return true }
    return problems.contains(where: \.dependsOnTime)
  }

  /// Standard output and standard error.
  func text(by renderer: Renderer) -> (output: String, diagnostics: String) {
    switch content {
    case .success(let outcome):
      (
        json ?? renderer.text(outcome.view),
        outcome.warnings.map { renderer.text($0) }.joined()
      )
    case .failure(let error): json.map { ($0, "") } ?? ("", renderer.text(error))
    }
  }

  /// The maximum size of an answer with a fingerprint.
  private static let digestLimit = 1_000_000

  /// The fingerprint of the data of an answer: the payload, and the ids and locations of warnings and errors,
  /// without their messages.
  ///
  /// - Parameter output: Standard output as plain text.
  func digest(of output: String) -> AnswerDigest? {
    guard output.utf8.count <= Self.digestLimit else { return nil }
    func identity(_ diagnostic: Diagnostic) -> String {
      "\(diagnostic.id) \(diagnostic.location?.description ?? "")\n"
    }
    switch content {
    case .success(let outcome):
      // Answers in JSON Lines produce their data only on request.
      let payload = if case .value(let value) = outcome.payload { value.text } else { output }
      return AnswerDigest(
        of: outcome.warnings.map(identity).joined() + payload, status: status)
    case .failure(let error): return AnswerDigest(of: identity(error), status: status)
    }
  }
}

extension Outcome {
  /// The payload; an object also has the warnings, each as `{"warning": {…}}` in `diagnostics`.
  fileprivate var payloadWithWarnings: Payload {
    guard !warnings.isEmpty, case .value(.object(let members)) = payload else { return payload }
    return .value(.object(members + ["diagnostics": warnings.json(\.named)]))
  }
}
