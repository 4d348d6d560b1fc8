internal import StrataBase
internal import Synchronization

/// A cache of parsed lines, because scripts, steppers and replays repeat the same lines.
///
/// Parsing depends only on the words of a line, so all sessions share the cache.
final class ParsedLines: Sendable {
  /// The number of lines at which the cache is emptied.
  private static let limit = 1024
  /// The maximum size of a cached line, in bytes.
  private static let lineLimit = 1000

  /// By the bytes of the arguments: a line that is canonically equivalent is another one, with other values.
  private let commands = Mutex<[[UInt8]: any StrataCommand]>([:])

  /// The command of these arguments; parsed if it is not in the cache.
  func command(
    of arguments: [String], parse: ([String]) -> (any StrataCommand)?
  ) -> (any StrataCommand)? {
    // No text has the byte between them.
    let line = Array(arguments.map(\.utf8).joined(separator: [0xFF]))
    if let known = commands.withLock({ $0[line] }) { return known }
    guard let command = parse(arguments) else { return nil }
    guard line.count <= Self.lineLimit else { return command }
    commands.withLock { commands in
      if commands.count == Self.limit { commands.removeAll() }
      commands[line] = command
    }
    return command
  }
}
