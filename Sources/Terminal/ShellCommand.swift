internal import CEditline

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A command of the shell in this terminal: a pager, an editor.
struct ShellCommand {
  private let process: pid_t

  /// - Parameters:
  ///   - arguments: `$1`, `$2`, … of the command.
  ///   - input: The descriptor of its standard input.
  /// - Returns: `nil` if it could not be started.
  init?(
    _ command: String, _ arguments: [String] = [], environment: [String: String], input: Int32
  ) {
    var process: pid_t = 0
    let status = Self.withCStrings(["/bin/sh", "-c", command, "sh"] + arguments) { arguments in
      Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
        strata_spawn(&process, arguments, environment, input)
      }
    }
    guard status == 0 else { return nil }
    self.process = process
  }

  /// Waits for its end.
  ///
  /// - Returns: The exit status; 127 if the shell found no such command, 128 if a signal ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128
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
