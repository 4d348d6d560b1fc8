/// What a command's answer means to a script: the program's exit status.
public enum ExitStatus: Int32, Sendable, Comparable, Codable {
  /// Done; where a question was asked, the answer is yes.
  case done = 0
  /// The answer is no: incompatible, not inferable, a replay that differs.
  case no = 1
  /// The work could not be done: an unreadable file, a failed migration.
  case failed = 2
  /// The command line is wrong.
  case usage = 64

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
