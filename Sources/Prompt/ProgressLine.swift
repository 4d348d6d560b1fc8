internal import Dispatch
internal import StrataBase
internal import StrataCommands
internal import StrataRendering
internal import StrataTerminal

/// A line on the terminal that shows the progress of a running command and is erased at its end.
final class ProgressLine: ProgressListener {
  private let queue = DispatchQueue(label: "progress")
  private var progress = MigrationProgress()
  private var start = ContinuousClock.now
  private var reported: ContinuousClock.Instant?

  /// Short commands show no line.
  private static let delay = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(200)

  /// Shows the line while a command runs.
  func whileShown(_ command: () -> Evaluation) -> Evaluation {
    let start = ContinuousClock.now
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(Int(Self.delay / .milliseconds(1))),
      repeating: .milliseconds(Int(Self.interval / .milliseconds(1))))
    timer.setEventHandler {
      WorkProgress.isShown = true
      let line = WorkProgress.line
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      TerminalDevice.showTemporarily(
        (line.isEmpty ? "working  \(seconds) s" : line) + "  (Ctrl-C stops)")
    }
    timer.resume()
    defer {
      timer.cancel()
      // A line that is being shown is shown before it is erased.
      queue.sync { WorkProgress.isShown = false }
      TerminalDevice.showTemporarily("")
    }
    return command()
  }

  func receive(_ event: TraceEvent) {
    let now = ContinuousClock.now
    let seconds = Double((now - start) / .milliseconds(1)) / 1000
    progress.receive(event, at: seconds)
    guard WorkProgress.isShown, reported.map({ now - $0 > Self.interval }) ?? true,
      let line = progress.line(after: seconds)
    else { return }
    reported = now
    WorkProgress.report(line)
  }

  func end() {
    WorkProgress.report("")
    (progress, start, reported) = (MigrationProgress(), .now, nil)
  }
}
