/// A value of a watchpoint: its text, and its type, which is all that
/// a saved answer contains.
package struct WatchedValue: Sendable, Hashable {
  package var text: String
  /// `(text of 9 bytes)`; the text itself if it contains no user data.
  package var kind: String

  init(_ text: String, kind: String? = nil) {
    self.text = text
    self.kind = kind ?? text
  }

  static let none = WatchedValue("nil")
}
