public import StrataDiagnostics

/// What a command has to say: a view for people, a payload for programs, and the exit status.
///
/// A command returns one and never prints. The payload is a value of its own, not read off the view,
/// so that the words can get better without breaking anybody's script.
public struct Outcome: Sendable {
  public var view: View
  public var payload: any Encodable & Sendable
  public var status: ExitStatus
  /// What deserves attention although the work was done.
  public var warnings: [Diagnostic]

  public init(
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
public enum View: Sendable, Hashable {
  case nothing
  case lines([StyledText])
  case table(Table)
  /// Views one below the other.
  case stack([View])
  /// Views one below the other, an empty line between two.
  case sections([View])

  public static func line(_ text: StyledText) -> View { .lines([text]) }

  var lines: [StyledText] {
    switch self {
    case .nothing: []
    case .lines(let lines): lines
    case .table(let table): table.lines
    case .stack(let views): views.flatMap(\.lines)
    case .sections(let views):
      Array(views.map(\.lines).filter { !$0.isEmpty }.joined(separator: [""]))
    }
  }
}
