/// What a watchpoint has seen: the value as it is shown to who asked for it, and its kind, which is all that
/// an answer keeps.
public struct WatchedValue: Sendable, Hashable {
  public var text: String
  /// `(text of 9 bytes)`; the text itself where that tells nobody's data.
  public var kind: String

  init(_ text: String, kind: String? = nil) {
    self.text = text
    self.kind = kind ?? text
  }

  static let none = WatchedValue("nil")
}
