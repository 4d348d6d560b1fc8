/// What a watchpoint has seen: the value as it is shown to who asked for it, and its kind, which is all that
/// an answer keeps.
package struct WatchedValue: Sendable, Hashable {
  package var text: String
  /// `(text of 9 bytes)`; the text itself where that tells nobody's data.
  package var kind: String

  init(_ text: String, kind: String? = nil) {
    self.text = text
    self.kind = kind ?? text
  }

  static let none = WatchedValue("nil")
}
