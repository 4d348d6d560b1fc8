/// A value of a watchpoint: its text, and its type, which is all that
/// a saved answer contains.
package struct WatchedValue: Sendable, Hashable {
  package var text: String
  /// `(text of 9 bytes)`; the text itself if it contains no user data.
  package var kind: String
  /// The keys of a collection, which distinguish it from another of as many objects.
  private var members: [Int64]

  init(_ text: String, kind: String? = nil, members: [Int64] = []) {
    self.text = text
    self.kind = kind ?? text
    self.members = members
  }

  static let none = WatchedValue("nil")
  static let noObjects = WatchedValue("0 objects")

  /// Whether an object that is created has it at once.
  var isEmpty: Bool { [.none, .noObjects].contains(self) }
}
