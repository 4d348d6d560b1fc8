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

  private struct Line {
    let arguments: [String]
    let command: any StrataCommand

    /// Whether all bytes are equal: a line that is canonically equivalent is another one, with other values.
    func has(_ others: [String]) -> Bool {
      arguments.elementsEqual(others) { $0.hasSameBytes(as: $1) }
    }
  }

  /// The oldest first.
  private let lines = Mutex<[Line]>([])

  /// The command of these arguments; parsed if it is not in the cache.
  func command(
    of arguments: [String], parse: ([String]) -> (any StrataCommand)?
  ) -> (any StrataCommand)? {
    if let known = lines.withLock({ $0.first { $0.has(arguments) } }) { return known.command }
    guard let command = parse(arguments) else { return nil }
    guard arguments.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.lineLimit else { return command }
    lines.withLock { lines in
      guard !lines.contains(where: { $0.has(arguments) }) else { return }
      if lines.count == Self.limit { lines.removeFirst() }
      lines.append(Line(arguments: arguments, command: command))
    }
    return command
  }
}
