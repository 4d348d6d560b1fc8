internal import Synchronization

/// The commands that lines meant which were parsed before: scripts, steppers and replays say the same lines again.
///
/// What a line means depends on nothing but its words, so every session may share it.
final class ParsedLines: Sendable {
  /// Few lines are said often.
  private static let limit = 256
  /// Bytes of a line that is kept.
  private static let lineLimit = 1000

  private struct Contents {
    var commands: [[String]: any StrataCommand] = [:]
    /// The lines in the order in which they were first said.
    var lines: [[String]] = []
  }

  private let contents = Mutex(Contents())

  /// The command of these words, parsed only where it is not known.
  func command(
    of words: [String], parse: ([String]) -> (any StrataCommand)?
  ) -> (any StrataCommand)? {
    if let known = contents.withLock({ $0.commands[words] }) { return known }
    guard let command = parse(words) else { return nil }
    guard words.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.lineLimit else { return command }
    contents.withLock { contents in
      guard contents.commands.updateValue(command, forKey: words) == nil else { return }
      contents.lines.append(words)
      if contents.lines.count > Self.limit {
        contents.commands[contents.lines.removeFirst()] = nil
      }
    }
    return command
  }
}
