internal import CEditline
internal import Dispatch
internal import StrataBase
internal import StrataEssentials
internal import Synchronization

/// Ends the program by a signal after cleaning up, so that a shell reports 128 plus the number of the signal.
///
/// Work in ``Interruption/inOrder(_:)`` is first requested to stop; then the command loop finds the signal in
/// ``signal`` and calls ``end(by:)``. A second signal ends the program immediately.
package enum Termination {
  /// The signal that will end the program; `nil` if there is none.
  package static var signal: Int32? {
    let number = requested.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  private static let requested = Atomic<Int32>(0)
  private static let cleanUp = Mutex<(@Sendable () -> Void)?>(nil)
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  /// Installs handlers for a closed terminal, a closed pipe, `kill`, and Ctrl-C if it should end the program.
  ///
  /// - Parameter cleanUp: A closure that runs before the program ends by a signal.
  package static func listen(
    includingInterrupt: Bool, _ cleanUp: @escaping @Sendable () -> Void
  ) {
    Self.cleanUp.withLock { $0 = cleanUp }
    // A closed pipe is a write error, as is a file that exceeds the size limit of the system.
    ignore(SIGPIPE)
    ignore(SIGXFSZ)
    var found = termios()
    let modes = tcgetattr(STDIN_FILENO, &found) == 0 ? found : nil
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
          // The line editor may have turned off echo.
          if var modes { tcsetattr(STDIN_FILENO, TCSANOW, &modes) }
          end(by: number)
        }
        source.resume()
        return source
      }
    }
  }

  /// The signal of a closed terminal, unless it is ignored (`nohup`).
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

  /// The reader of standard output has closed the pipe (`strata … | head`): the program ends by SIGPIPE, like
  /// other programs, but not during a migration, and it reports committed work.
  static func closedPipe() {
    _ = requested.compareExchange(expected: 0, desired: SIGPIPE, ordering: .relaxed)
    guard !Interruption.isOrderly, UnreportedWork.isEmpty else { return Interruption.request() }
    end(by: SIGPIPE)
  }

  /// Ends the program by a signal.
  package static func end(by number: Int32) -> Never {
    cleanUp.withLock { $0 }?()
    // No core dump, which would write values of stores to a file.
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
}

// Outside of the type, where `signal` is the call of the C library.
private func ignore(_ number: Int32) { _ = signal(number, SIG_IGN) }
private func restoreDefault(_ number: Int32) { _ = signal(number, SIG_DFL) }
