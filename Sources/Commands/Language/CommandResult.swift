internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// What a command gave, before it is text: its outcome, or the error that ended it.
struct CommandResult {
  private let content: Result<Outcome, Diagnostic>
  /// The payload or the error as JSON, where the command line asks for that.
  private let json: String?

  init(_ content: Result<Outcome, Diagnostic>, asJSON: Bool) {
    self.content = content
    guard asJSON else {
      json = nil
      return
    }
    switch content {
    case .success(let outcome): json = JSONText.of(outcome.payload)
    case .failure(let error): json = JSONText.of(error)
    }
  }

  var status: ExitStatus {
    switch content {
    case .success(let outcome): outcome.status
    case .failure(let error): ExitStatus(of: error)
    }
  }

  /// Whether another program, the user or the speed of the machine has decided it.
  var dependsOnTime: Bool {
    switch content {
    case .success(let outcome): outcome.warnings.contains(where: \.dependsOnTime)
    case .failure(let error): error.dependsOnTime
    }
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

  /// A longer answer has no fingerprint.
  private static let digestLimit = 1_000_000

  /// The fingerprint of the data behind an answer: those of the payload, and of warnings and errors
  /// their ids and locations, whatever the messages say.
  ///
  /// - Parameter output: Standard output as plain text.
  func digest(of output: String) -> AnswerDigest? {
    guard output.utf8.count <= Self.digestLimit else { return nil }
    func identity(_ diagnostic: Diagnostic) -> String {
      "\(diagnostic.id) \(diagnostic.location?.description ?? "")\n"
    }
    switch content {
    case .success(let outcome):
      // Answers of many lines have their data only where these are asked for.
      let isText = json != nil || outcome.payload is JSONLines
      let payload = isText ? output : JSONText.of(outcome.payload)
      return AnswerDigest(
        of: outcome.warnings.map(identity).joined() + payload, status: status)
    case .failure(let error): return AnswerDigest(of: identity(error), status: status)
    }
  }
}
