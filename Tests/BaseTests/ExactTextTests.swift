import Foundation
import StrataBase
import TestSupport
import Testing

@Suite("Equality of texts")
struct ExactTextTests {
  /// Canonically equivalent pairs and their neighbours.
  private static let texts = [
    "", "e", "\u{E9}", "e\u{301}", "\u{301}", "e\u{301}\u{323}", "e\u{323}\u{301}",
    "\u{1EB9}\u{301}", "\u{C5}", "A\u{30A}", "\u{212B}", "\u{AC00}", "\u{1100}\u{1161}", "a\0",
    "a", "a\0b", "\u{10348}",
  ]

  @Test("two values are equal if SQLite finds them equal, and so are their hashes")
  func againstSQLite() throws {
    let input = try #require(
      String(data: try JSONEncoder().encode(Self.texts), encoding: .utf8))
    let answer = try Python.run(
      """
      import json, sqlite3, sys
      texts = json.load(sys.stdin)
      query = sqlite3.connect(":memory:").execute
      print("".join(str(query("SELECT ? = ?", (a, b)).fetchone()[0]) for a in texts for b in texts))
      """, input: input
    ).trimmingCharacters(in: .newlines)
    var expected = answer.makeIterator()
    var equivalent = 0
    for a in Self.texts {
      for b in Self.texts {
        let isEqual = expected.next() == "1"
        let (first, second) = (AttributeValue.text(a), AttributeValue.text(b))
        #expect((first == second) == isEqual, "\(a.unicodeScalars) \(b.unicodeScalars)")
        #expect((ExactText(a) == ExactText(b)) == isEqual)
        #expect((Set([first, second]).count == 1) == isEqual)
        if a == b, !isEqual { equivalent += 1 }
      }
    }
    #expect(expected.next() == nil)
    // Swift's own equality would have failed.
    #expect(equivalent == 16)
  }

  @Test("values of different kinds differ, and numbers are compared by value")
  func kinds() {
    let values: [AttributeValue] = [
      .null, .integer(0), .real(0), .text(""), .text("0"), .bytes([]), .bytes([0]), .integer(1),
    ]
    for (place, a) in values.enumerated() {
      for (other, b) in values.enumerated() { #expect((a == b) == (place == other)) }
    }
    #expect(Set(values).count == values.count)
    #expect(AttributeValue.real(0) == .real(-0.0))
    #expect(AttributeValue.real(0).hashValue == AttributeValue.real(-0.0).hashValue)
    #expect(AttributeValue.real(.nan) != .real(.nan))
  }
}
