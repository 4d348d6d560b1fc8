/// The sizes beyond which a document is refused, so that a hostile file costs bounded memory and
/// time.
package enum SessionLimits {
  /// Bytes of a document: 20 MB.
  package static let documentBytes = 20_000_000
  /// Bytes of one line, its line break not counted: 1 MB.
  package static let lineBytes = 1_000_000
  /// Lines of a document; each costs some hundred bytes of memory where it is a command.
  package static let lines = 200_000
}
