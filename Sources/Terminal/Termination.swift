internal import CEditline
internal import Dispatch
internal import StrataBase
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How signals end the program: by the signal itself, once it has cleaned up, so that a shell sees
/// 128 and the signal's number.
///
/// Work in ``Interruption/inOrder(_:)`` is first asked to stop; then whoever runs the program's commands
/// finds the signal in ``signal`` and calls ``end(by:)``. A second signal does not wait.
package enum Termination {
  /// The signal that is to end the program; `nil` where there is none.
  package static var signal: Int32? {
    let number = requested.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  private static let requested = Atomic<Int32>(0)
  private static let cleanUp = Mutex<(@Sendable () -> Void)?>(nil)
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  /// Begins to listen to a closed terminal, a closed pipe, `kill`, and Ctrl-C where that means the program.
  ///
  /// - Parameter cleanUp: What is done before the program ends by any of them.
  package static func listen(
    includingInterrupt: Bool, _ cleanUp: @escaping @Sendable () -> Void
  ) {
    Self.cleanUp.withLock { $0 = cleanUp }
    // A closed pipe is an error of the write, and so is a file beyond the size that the system allows.
    ignore(SIGPIPE)
    ignore(SIGXFSZ)
    let modes = TerminalModes()
    sources.withLock { sources in
      let numbers = (includingInterrupt ? [SIGINT] : []) + [SIGTERM, SIGQUIT] + hangup
      sources = numbers.map { number in
        ignore(number)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
          _ = requested.compareExchange(expected: 0, desired: number, ordering: .relaxed)
          if Interruption.isOrderly, !Interruption.isRequested {
            Interruption.request()
            return
          }
          // The line editor may have left the terminal without echo.
          modes?.restore()
          end(by: number)
        }
        source.resume()
        return source
      }
    }
  }

  /// The signal of a closed terminal, unless the program was started to outlive it (`nohup`).
  private static var hangup: [Int32] {
    var action = sigaction()
    guard sigaction(SIGHUP, nil, &action) == 0 else { return [SIGHUP] }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      ? [] : [SIGHUP]
  }

  /// The reader of standard output has gone (`strata … | head`): the program ends as others do, by
  /// SIGPIPE, but not in the midst of a migration, and not without a word of what it has committed.
  static func closedPipe() {
    _ = requested.compareExchange(expected: 0, desired: SIGPIPE, ordering: .relaxed)
    guard !Interruption.isOrderly, UntoldWork.isEmpty else { return Interruption.request() }
    end(by: SIGPIPE)
  }

  /// Ends the program by a signal.
  package static func end(by number: Int32) -> Never {
    cleanUp.withLock { $0 }?()
    // What the program holds of users' stores does not go into a file.
    var limit = rlimit()
    #if canImport(Darwin)
      setrlimit(RLIMIT_CORE, &limit)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    #endif
    restoreDefault(number)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    _exit(ExitStatus(ofSignal: number).rawValue)
  }

  private static func ignore(_ number: Int32) { _ = setHandler(number, SIG_IGN) }
  private static func restoreDefault(_ number: Int32) { _ = setHandler(number, SIG_DFL) }
}

#if canImport(Glibc)
  private let setHandler = Glibc.signal
#elseif canImport(Darwin)
  private let setHandler = Darwin.signal
#endif

/// The modes of the terminal that standard input is.
private struct TerminalModes: Sendable {
  private let modes: termios

  /// `nil` where standard input is no terminal.
  init?() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
    self.modes = modes
  }

  func restore() {
    var modes = modes
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }
}
