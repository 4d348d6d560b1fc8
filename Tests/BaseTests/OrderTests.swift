import StrataBase
import Testing

@Suite("Orders of names")
struct OrderTests {
  @Test("names are ordered by UTF-8 bytes, independent of language")
  func byteOrder() {
    let names = ["é", "z", "Z", "a", "", "ab", "\u{10348}", "\u{FF5E}"]
    #expect(
      names.sorted { $0.precedesInBytes($1) } == [
        "", "Z", "a", "ab", "z", "é", "\u{FF5E}", "\u{10348}",
      ])
  }

  @Test("precomposed and decomposed letters are different bytes")
  func noNormalisation() {
    #expect("e\u{301}".precedesInBytes("\u{E9}"))
    #expect(!"\u{E9}".precedesInBytes("e\u{301}"))
  }

  @Test("numbers in names count by value")
  func numericOrder() {
    let names = ["Model10", "Model9", "1.2.1 {10}", "1.2.1 {2}", "Model", "Model 2", "Model010"]
    #expect(
      names.sorted { $0.precedesByNumber($1) }
        == ["1.2.1 {2}", "1.2.1 {10}", "Model", "Model 2", "Model9", "Model010", "Model10"])
  }

  @Test("the order by number is total and strict")
  func strictness() {
    let names = ["a", "a1", "a01", "a1b", "1", "01", "", "a10", "a9", "9a", "a 1"]
    for a in names {
      #expect(!a.precedesByNumber(a))
      for b in names where a != b {
        #expect(a.precedesByNumber(b) != b.precedesByNumber(a), "\(a) \(b)")
      }
    }
  }
}

@Suite("Attribute types")
struct AttributeTypeTests {
  @Test("every type is found by its name")
  func names() {
    for type in AttributeType.allCases { #expect(AttributeType(name: type.name) == type) }
    #expect(AttributeType(name: "Integer32") == nil)
    #expect(Set(AttributeType.allCases.map(\.name)).count == AttributeType.allCases.count)
  }
}
