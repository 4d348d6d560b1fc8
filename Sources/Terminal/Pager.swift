internal import StrataBase
internal import StrataEssentials

/// Shows long text with the user's pager: `STRATA_PAGER`, `PAGER` or `less`.
package enum Pager {
  /// Shows the text; returns `false` if there is no pager or it could not be started.
  ///
  /// The session continues even if the pager is interrupted or left early.
  ///
  /// - Parameter isWide: Whether it scrolls sideways instead of wrapping lines.
  package static func show(_ text: String, isWide: Bool = false) -> Bool {
    guard let command else { return false }
    // F: quit if the text fits; R: pass colours; X: keep the screen; K: quit on Ctrl-C; S: do not wrap.
    return pass(text, to: command, less: isWide ? "RSK" : "FRXK")
  }

  /// Passes a text to a command of the shell; returns `false` if it could not be started.
  ///
  /// - Parameter options: The options of `less`, if the user has set none.
  package static func pass(_ text: String, to command: String, less options: String = "FRXK")
    -> Bool
  {
    guard let (pager, input) = spawn(command, options) else { return false }
    // A pager that is left early closes the pipe.
    let earlier = signal(SIGPIPE, SIG_IGN)
    _ = Array(text.utf8).withUnsafeBytes { writeAll($0, to: input) }
    close(input)
    let status = pager.wait()
    signal(SIGPIPE, earlier)
    return status != 127
  }

  /// The command of the pager; `nil` if the user disabled it.
  private static var command: String? {
    let variables = ["STRATA_PAGER", "PAGER"]
    let command = variables.lazy.compactMap(EnvironmentVariable.value).first ?? "less"
    return command.isEmpty || command == "cat" ? nil : command
  }

  private static func spawn(_ command: String, _ options: String) -> (ChildProcess, input: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // Only the pager may have the reading end open, or the pipe would never close.
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    var environment = ProcessInfo.processInfo.environment
    environment["LESS", default: ""] += environment["LESS"] == nil ? options : ""
    let pager = try? ChildProcess.shell(command, environment: environment, input: ends[0])
    close(ends[0])
    guard let pager else {
      close(ends[1])
      return nil
    }
    return (pager, ends[1])
  }
}
