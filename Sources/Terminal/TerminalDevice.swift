internal import CEditline
internal import Dispatch
internal import Foundation
internal import StrataBase
package import StrataRendering
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What stands at the ends of standard input and output.
package enum TerminalDevice {
  /// Whether a person types and reads.
  package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Whether standard input is a pipe or a file.
  package static var hasPipedInput: Bool { isatty(STDIN_FILENO) == 0 }

  /// Colours on a terminal that has them, unless NO_COLOR is set to anything.
  package static var outputStyle: Renderer.Style {
    let environment = ProcessInfo.processInfo.environment
    guard isatty(STDOUT_FILENO) == 1, environment["NO_COLOR", default: ""].isEmpty,
      environment["TERM"] != "dumb"
    else { return .plain }
    return .ansi
  }

  /// The columns and rows of the terminal that standard output is.
  package static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The columns that an answer must fit into; `nil` where standard output is no terminal.
  package static var outputWidth: Int? { isatty(STDOUT_FILENO) == 1 ? size.columns : nil }

  /// Ctrl-C asks for an end of the running command, and of the program no more.
  package static func onInterrupt(_ handler: @convention(c) (Int32) -> Void) {
    _ = strata_on_signal(SIGINT, handler)
  }

  /// Does some work while the terminal does not echo: what is typed ahead is shown by the line that
  /// takes it, and not in the middle of an answer.
  package static func withoutEcho(_ work: () -> Void) {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return work() }
    var silent = modes
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &silent)
    work()
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }

  /// Asks a question and reads a line, which the terminal shows as it is typed; `nil` at the end of
  /// input, and where Ctrl-C is pressed.
  package static func ask(_ question: String) -> String? {
    write(question)
    let answer = readLine()
    if answer == nil { write("\n") }
    return answer
  }

  /// A line as the terminal shows it while it is typed; `nil` at the end of input, and where Ctrl-C is pressed.
  static func readLine() -> String? {
    var modes = termios()
    let hasTerminal = tcgetattr(STDIN_FILENO, &modes) == 0
    var echoing = modes
    echoing.c_lflag |= tcflag_t(ECHO | ICANON)
    if hasTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &echoing) }
    defer { if hasTerminal { tcsetattr(STDIN_FILENO, TCSANOW, &modes) } }
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR, !Interruption.isRequested { continue }
      guard count == 1, line.count < lineLimit else { return nil }
      line.append(byte)
    }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// No terminal hands over a longer line.
  private static let lineLimit = 4096

  /// Makes sure that 0, 1 and 2 are standard input, output and error: where the caller has closed one,
  /// a file that is opened later must not become it. Using a closed one stays an error.
  package static func holdStandardStreams() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether something that was written has not arrived: the disk is full, or the stream closed.
  package static var hasLostOutput: Bool { lostOutput.withLock { $0 } }

  private static let lostOutput = Mutex(false)

  /// Whether a line may come and go: on a terminal that can erase one.
  package static var showsProgress: Bool {
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Shows a line in the place of the one before, cut to the terminal's width; an empty one takes it away.
  package static func showTemporarily(_ line: String) {
    writeError("\r\u{1B}[K" + line.prefix(max(size.columns - 1, 1)))
  }

  package static func write(_ text: String) {
    let failure = write(text, to: STDOUT_FILENO)
    guard failure != 0 else { return }
    lostOutput.withLock { $0 = true }
    if failure == EPIPE { Termination.closedPipe() }
  }

  package static func writeError(_ text: String) {
    // Where nobody can be told, the exit status is all there is.
    _ = write(text, to: STDERR_FILENO)
  }

  /// - Returns: The system's number of what went wrong; 0 where all was written.
  private static func write(_ text: String, to stream: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(stream, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // A stream that does not block and whose reader is slow.
        var wanted = pollfd(fd: stream, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wanted, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

#if canImport(Glibc)
  private let systemWrite = Glibc.write
#elseif canImport(Darwin)
  private let systemWrite = Darwin.write
#endif
