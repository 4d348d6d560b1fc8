/// A value of a watchpoint: its text, and its type, which is all that
/// a saved answer contains.
package struct WatchedValue: Sendable, Hashable {
  package var text: String
  /// `(text of 9 bytes)`; the text itself if it contains no user data.
  package var kind: String
  /// What distinguishes it from another with the same text: the keys of a collection, the hash of bytes.
  private var identity: [Int64]

  init(_ text: String, kind: String? = nil, identity: [Int64] = []) {
    self.text = text
    self.kind = kind ?? text
    self.identity = identity
  }

  static let none = WatchedValue("nil")
  static let noObjects = WatchedValue("0 objects")

  /// Whether an object that is created has it at once.
  var isEmpty: Bool { [.none, .noObjects].contains(self) }
}
