internal import StrataBase
internal import StrataRendering

/// The lines of the traces of one command: shown as they come, where somebody looks on, and kept for the
/// answer.
final class TraceLines {
  private let show: ((StyledText) -> Void)?
  private let keeps: Bool
  private var kept: [StyledText] = []
  private var leftOut = 0

  /// - Parameters:
  ///   - show: Shows a line at once; `nil` where the answer does.
  ///   - keeps: Whether somebody wants them afterwards.
  init(show: ((StyledText) -> Void)?, keeps: Bool) {
    self.show = show
    self.keeps = keeps
  }

  /// Lines that are kept: a document with more is for nobody.
  private static let limit = 10_000

  func add(_ lines: [StyledText]) {
    for line in lines { show?(line) }
    guard keeps else { return }
    let room = max(0, Self.limit - kept.count)
    kept += lines.prefix(room)
    leftOut += max(0, lines.count - room)
  }

  var isShown: Bool { show != nil }

  /// Whether anybody sees them, now or afterwards.
  var isWanted: Bool { isShown || keeps }

  /// What the answer keeps of them.
  var view: View {
    leftOut == 0
      ? .lines(kept)
      : .lines(
        kept + [
          StyledText("… \(Words.count(leftOut, "more line", "more lines")) of the trace", .faint)
        ])
  }
}
