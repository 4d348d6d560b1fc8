internal import Dispatch
internal import Foundation
public import StrataRendering
internal import Synchronization

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
    // A file beyond the size that the system allows is an error of the write, not the end.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Cleans up before a signal (Ctrl-C, a closed terminal, `kill`) ends the program.
  public static func onTermination(_ cleanUp: @escaping @Sendable () -> Void) {
    terminationSources.withLock { sources in
      sources = [SIGINT, SIGTERM, SIGHUP].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
          cleanUp()
          _exit(128 + number)
        }
        source.resume()
        return source
      }
    }
  }

  private static let terminationSources = Mutex<[any DispatchSourceSignal]>([])

  public static func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  public static func writeError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
