/// The maximum sizes of a document, so that a malicious file costs bounded memory and time.
package enum SessionLimits {
  /// Bytes of a document: 20 MB.
  package static let documentBytes = 20_000_000
  /// Bytes of one line without its line break: 1 MB.
  package static let lineBytes = 1_000_000
  /// Lines of a document; each command takes some hundred bytes of memory.
  package static let lines = 200_000
}
