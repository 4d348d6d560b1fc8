internal import StrataBase
internal import Synchronization

/// A cache of parsed lines, because scripts, steppers and replays repeat the same lines.
///
/// Parsing depends only on the words of a line, so all sessions share the cache.
final class ParsedLines: Sendable {
  /// The maximum number of lines in the cache.
  private static let limit = 256
  /// The maximum size of a cached line, in bytes.
  private static let lineLimit = 1000

  /// A line by its code points: one that is canonically equivalent is another line, with other values.
  private typealias Line = [ExactText]

  private struct Contents {
    var commands: [Line: any StrataCommand] = [:]
    /// The lines in the order in which they were added.
    var lines: [Line] = []
  }

  private let contents = Mutex(Contents())

  /// The command of these arguments; parsed if it is not in the cache.
  func command(
    of arguments: [String], parse: ([String]) -> (any StrataCommand)?
  ) -> (any StrataCommand)? {
    let line = arguments.map(ExactText.init)
    if let known = contents.withLock({ $0.commands[line] }) { return known }
    guard let command = parse(arguments) else { return nil }
    guard arguments.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.lineLimit else { return command }
    contents.withLock { contents in
      guard contents.commands.updateValue(command, forKey: line) == nil else { return }
      contents.lines.append(line)
      if contents.lines.count > Self.limit {
        contents.commands[contents.lines.removeFirst()] = nil
      }
    }
    return command
  }
}
