internal import StrataBase
internal import StrataRendering

/// The trace lines of one command: shown immediately on a terminal, and kept for the
/// answer.
final class TraceLines {
  private let show: ((StyledText) -> Void)?
  private let keeps: Bool
  private var kept: [StyledText] = []
  private var leftOut = 0

  /// - Parameters:
  ///     - show: Shows a line immediately; `nil` if the output shows it.
  ///     - keeps: Whether the lines are used afterwards.
  init(show: ((StyledText) -> Void)?, keeps: Bool) {
    self.show = show
    self.keeps = keeps
  }

  /// The maximum number of lines kept in a document.
  private static let limit = 10_000

  func add(_ lines: [StyledText]) {
    for line in lines { show?(line) }
    guard keeps else { return }
    let room = max(0, Self.limit - kept.count)
    kept += lines.prefix(room)
    leftOut += max(0, lines.count - room)
  }

  var isShown: Bool { show != nil }

  /// Whether the lines are shown or kept.
  var isWanted: Bool { isShown || keeps }

  /// The lines kept in the output.
  var view: View {
    leftOut == 0
      ? .lines(kept)
      : .lines(
        kept + [
          StyledText("… \(Phrase.count(leftOut, "more line")) of the trace", .faint)
        ])
  }
}
