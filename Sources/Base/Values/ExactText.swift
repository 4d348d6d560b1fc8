/// A text that equals only texts of the same code points, as SQLite compares bytes of UTF-8.
///
/// Swift's own `String` takes canonically equivalent texts for equal: `é` as U+00E9 and as `e` with
/// U+0301. A store holds them as two different values, and so do dictionaries with this key.
///
/// ```swift
/// "\u{E9}" == "e\u{301}"                        // true
/// ExactText("\u{E9}") == ExactText("e\u{301}")  // false
/// ```
package struct ExactText: Sendable, Hashable {
  package var text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: ExactText, b: ExactText) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No byte of UTF-8: what is hashed next is not part of the text.
    hasher.combine(UInt8.max)
  }
}
