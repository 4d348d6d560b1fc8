internal import StrataBase
internal import StrataNotebook
internal import StrataRendering

/// The JSON shape of `replay`: one object per file, with the counts next to its own keys.
struct ReplayPayload: Encodable, Sendable {
  struct Difference: Encodable, Sendable {
    var line: Int
    var command: String
    /// The verdict's message: `the answer differs`, `not as expected` …
    var finding: String
    /// The output, or its difference from the recorded output.
    var difference: [String]
  }

  private var file: String
  private var commands = 0
  private var counts = ReplayCounts([])
  /// The number of answers recorded in the document.
  private var updated = 0
  private var differences: [Difference] = []
  /// The error that prevented the replay.
  private var error: JSONValue?

  /// - Parameter isRevealing: Whether values of stores are included.
  init(_ replay: DocumentReplay, by rules: ReplayRules, revealing isRevealing: Bool) {
    file = replay.source.name
    updated = replay.updated
    switch replay.report {
    case .failure(let diagnostic): error = diagnostic.json
    case .success(let report):
      commands = report.commands.count
      counts = ReplayCounts(report.commands.map(\.verdict))
      differences = report.commands.compactMap { command in
        let verdict = command.verdict
        guard let message = verdict.message, !rules.accept(verdict) || verdict.isReworded else {
          return nil
        }
        return Difference(
          line: command.entry.line, command: command.entry.command, finding: message,
          difference: command.reported(
            verdict.difference?.unified() ?? command.answer.output.lines, revealing: isRevealing))
      }
    }
  }

  private enum CodingKeys: CodingKey {
    case file, commands, updated, differences, error
  }

  func encode(to encoder: any Encoder) throws {
    try counts.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(commands, forKey: .commands)
    try container.encode(updated, forKey: .updated)
    try container.encode(differences, forKey: .differences)
    try container.encodeIfPresent(error, forKey: .error)
  }
}
