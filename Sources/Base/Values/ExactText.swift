/// A text that is compared by code points, as SQLite compares UTF-8 bytes.
///
/// Swift's `String` treats canonically equivalent texts as equal: `é` as U+00E9 and as `e` with U+0301. To a store
/// they are two different values, as they are with this type as a dictionary key.
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
    a.text.hasSameBytes(as: b.text)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // 0xFF never occurs in UTF-8: it separates the text from what is hashed next.
    hasher.combine(UInt8.max)
  }
}
