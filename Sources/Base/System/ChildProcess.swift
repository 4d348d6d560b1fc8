internal import CSystem
internal import StrataEssentials

/// Another program that this one has started.
///
/// ```swift
/// let shell = try ChildProcess("/bin/sh", ["-c", "exit 3"], environment: [:])
/// shell.wait()  // 3
/// ```
package final class ChildProcess {
  package let identifier: Int32
  private var end: Int32?

  /// An error number of the system.
  package struct Failure: Error, Sendable {
    package var number: Int32
  }

  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: Its arguments, without its own name.
  ///   - input: The descriptor that becomes its standard input; `nil` for that of this program. Likewise the others.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String],
    input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
  ) throws(Failure) {
    var process: pid_t = 0
    let status = Self.withCStrings([path] + arguments) { arguments in
      Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        strata_spawn(
          &process, path, arguments, environment, [input ?? -1, output ?? -1, errors ?? -1])
      }
    }
    guard status == 0 else { throw Failure(number: status) }
    identifier = process
  }

  /// Starts a command of the shell.
  ///
  /// - Parameter arguments: `$1`, `$2`, … of the command.
  package static func shell(
    _ command: String, _ arguments: [String] = [], environment: [String: String],
    input: Int32? = nil
  ) throws(Failure) -> ChildProcess {
    try ChildProcess(
      "/bin/sh", ["-c", command, "sh"] + arguments, environment: environment, input: input)
  }

  /// Waits for its end.
  ///
  /// - Returns: The exit status; 128 and the number of the signal that ended it.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while end == nil, waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    return ended(status)
  }

  /// Waits at most this long.
  ///
  /// - Returns: As ``wait()``; `nil` if it still runs.
  package func wait(atMost patience: Duration) -> Int32? {
    let deadline = ContinuousClock.now + patience
    while end == nil {
      var status: Int32 = 0
      if waitpid(identifier, &status, WNOHANG) != 0 { return ended(status) }
      guard ContinuousClock.now < deadline else { return nil }
      usleep(500)
    }
    return end
  }

  /// Ends it at once.
  package func kill() {
    guard end == nil else { return }
    systemKill(identifier, SIGKILL)
    wait()
  }

  private func ended(_ status: Int32) -> Int32 {
    let code = end ?? (status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F)
    end = code
    return code
  }

  /// Calls a function with a null-terminated array of C strings.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    copies.append(nil)
    return body(copies)
  }
}
