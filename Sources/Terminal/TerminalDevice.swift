internal import CEditline
internal import Dispatch
internal import StrataBase
internal import StrataEssentials
package import StrataRendering
internal import Synchronization

/// The terminal at standard input and output.
package enum TerminalDevice {
  /// Whether standard input and output are terminals.
  package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Whether standard input is a pipe or a file.
  package static var hasPipedInput: Bool { isatty(STDIN_FILENO) == 0 }

  /// Whether colours are used: on a terminal that supports them, unless NO_COLOR is set.
  package static var outputStyle: Renderer.Style {
    guard isatty(STDOUT_FILENO) == 1, EnvironmentVariable.value(of: "NO_COLOR") ?? "" == "",
      EnvironmentVariable.value(of: "TERM") != "dumb"
    else { return .plain }
    return .ansi
  }

  /// The columns and rows of the terminal at standard output.
  package static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The maximum width of an answer in columns; `nil` if standard output is not a terminal.
  package static var outputWidth: Int? { isatty(STDOUT_FILENO) == 1 ? size.columns : nil }

  /// Makes Ctrl-C interrupt the running command instead of the program.
  package static func onInterrupt(_ handler: @convention(c) (Int32) -> Void) {
    _ = strata_on_signal(SIGINT, handler)
  }

  /// Runs a closure without terminal echo, so that text typed ahead does not appear in the middle of an
  /// answer.
  package static func withoutEcho(_ work: () -> Void) {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return work() }
    var silent = modes
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &silent)
    work()
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }

  /// Asks a question and reads a line with echo; `nil` at the end of input or after Ctrl-C.
  package static func prompt(_ question: String) -> String? {
    write(question)
    temporaryLine.withLock { $0 = .forbidden }
    let answer = readLine()
    temporaryLine.withLock { $0 = .none }
    if answer == nil { write("\n") }
    return answer
  }

  /// Reads a line with echo; `nil` at the end of input or after Ctrl-C.
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

  /// Discards what comes from the terminal until nothing comes for a moment.
  static func discardInput() {
    var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    repeat {
      usleep(50_000)
      tcflush(STDIN_FILENO, TCIFLUSH)
    } while poll(&wanted, 1, 100) > 0 && !Interruption.isRequested
  }

  /// The maximum length of a line from a terminal, in bytes.
  private static let lineLimit = 4096

  /// Ensures that descriptors 0, 1 and 2 are standard input, output and error: if the caller has closed one,
  /// a file opened later must not get its number. Using a closed one remains an error.
  package static func holdStandardStreams() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether a write has failed: the disk is full or the stream is closed.
  package static var hasLostOutput: Bool { lostOutput.withLock { $0 } }

  private static let lostOutput = Mutex(false)

  /// Whether a progress line can be shown: on a terminal that can erase a line.
  package static var showsProgress: Bool {
    isatty(STDERR_FILENO) == 1 && EnvironmentVariable.value(of: "TERM") != "dumb"
  }

  /// What is shown of the progress line.
  private enum TemporaryLine {
    case none, shown
    /// A question waits for its answer.
    case forbidden
  }

  private static let temporaryLine = Mutex(TemporaryLine.none)

  /// Replaces the progress line, truncated to the width of the terminal; an empty text erases it. Other output
  /// erases it too.
  package static func showTemporarily(_ line: String) {
    temporaryLine.withLock { state in
      guard state == .shown || state == .none && !line.isEmpty else { return }
      _ = write("\r\u{1B}[K" + line.prefix(max(size.columns - 1, 1)), to: STDERR_FILENO)
      state = line.isEmpty ? .none : .shown
    }
  }

  package static func write(_ text: String) {
    showTemporarily("")
    let failure = write(text, to: STDOUT_FILENO)
    guard failure != 0 else { return }
    lostOutput.withLock { $0 = true }
    if failure == EPIPE { Termination.closedPipe() }
  }

  package static func writeError(_ text: String) {
    showTemporarily("")
    // If standard error cannot be written, only the exit status reports the error.
    _ = write(text, to: STDERR_FILENO)
  }

  /// - Returns: The `errno` of the failure; 0 if everything was written.
  private static func write(_ text: String, to stream: Int32) -> Int32 {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(stream, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // A non-blocking stream with a slow reader.
        var wanted = pollfd(fd: stream, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wanted, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
