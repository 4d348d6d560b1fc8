package import StrataBase

/// What a command has to say: a view for people, a payload for programs, and the exit status.
///
/// A command returns one and never prints. The payload is a value of its own, not read off the view,
/// so that the words can get better without breaking anybody's script.
package struct Outcome: Sendable {
  package var view: View
  package var payload: any Encodable & Sendable
  package var status: ExitStatus
  /// What deserves attention although the work was done.
  package var warnings: [Diagnostic]

  package init(
    _ view: View, payload: any Encodable & Sendable, status: ExitStatus = .done,
    warnings: [Diagnostic] = []
  ) {
    self.view = view
    self.payload = payload
    self.status = status
    self.warnings = warnings
  }
}

/// What a person reads.
package enum View: Sendable, Hashable {
  case nothing
  case lines([StyledText])
  case table(Table)
  /// Views one below the other.
  case stack([View])
  /// Views one below the other, an empty line between two.
  case sections([View])

  package static func line(_ text: StyledText) -> View { .lines([text]) }

  /// The view as lines, tables fitted to the width and longer lines broken.
  ///
  /// - Parameter isLive: Whether what is only for those who look on is in it.
  func lines(width: Int?, isLive: Bool) -> ViewLines {
    switch self {
    case .nothing: return ViewLines()
    case .lines(let given):
      // A line that is only for those who look on is not kept at all.
      let lines =
        isLive
        ? given
        : given.compactMap { line in
          let kept = line.asKept
          return line.isEmpty || !kept.text.isEmpty ? kept : nil
        }
      guard let width else { return ViewLines(all: lines) }
      return ViewLines(
        all: lines.flatMap { line in
          line.wrapped(to: width, indent: line.text.prefix { $0 == " " }.count + 2)
        })
    case .table(let table): return table.lines(width: width)
    case .stack(let views):
      let parts = views.map { $0.lines(width: width, isLive: isLive) }
      return ViewLines(
        all: parts.flatMap(\.all), isShortened: parts.contains(where: \.isShortened))
    case .sections(let views):
      let parts = views.map { $0.lines(width: width, isLive: isLive) }
      return ViewLines(
        all: Array(parts.map(\.all).filter { !$0.isEmpty }.joined(separator: [""])),
        isShortened: parts.contains(where: \.isShortened))
    }
  }
}

/// The lines of a view, and whether anything had to be shortened to make them fit.
struct ViewLines {
  var all: [StyledText] = []
  var isShortened = false
}
