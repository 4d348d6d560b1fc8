internal import StrataBase
internal import StrataCommands
internal import StrataRendering
internal import StrataTerminal

/// A line on the terminal that shows the progress of a running migration and is erased at its end.
final class ProgressLine: ProgressListener {
  private var progress = MigrationProgress()
  private var start: ContinuousClock.Instant?
  private var shown: ContinuousClock.Instant?

  /// Short migrations show no line.
  private static let delay = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(200)

  func receive(_ event: TraceEvent) {
    let now = ContinuousClock.now
    let start = start ?? now
    self.start = start
    let seconds = Double((now - start) / .milliseconds(1)) / 1000
    progress.receive(event, at: seconds)
    guard now - start > Self.delay, shown.map({ now - $0 > Self.interval }) ?? true,
      let line = progress.line(after: seconds)
    else { return }
    shown = now
    TerminalDevice.showTemporarily(line)
  }

  func end() {
    if shown != nil { TerminalDevice.showTemporarily("") }
    (progress, start, shown) = (MigrationProgress(), nil, nil)
  }
}
