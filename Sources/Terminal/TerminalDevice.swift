internal import Foundation
public import StrataRendering

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What stands at the ends of standard input and output.
public enum TerminalDevice {
  /// Whether a person types and reads.
  public static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Whether standard input is a pipe or a file.
  public static var hasPipedInput: Bool { isatty(STDIN_FILENO) == 0 }

  /// Colours on a terminal that has them, unless NO_COLOR is set to anything.
  public static var outputStyle: Renderer.Style {
    let environment = ProcessInfo.processInfo.environment
    guard isatty(STDOUT_FILENO) == 1, environment["NO_COLOR", default: ""].isEmpty,
      environment["TERM"] != "dumb"
    else { return .plain }
    return .ansi
  }

  /// A reader that closes its pipe (`strata … | head`) ends the program quietly.
  public static func endQuietlyOnClosedPipe() {
    signal(SIGPIPE, SIG_DFL)
  }

  public static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  public static func writeError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
