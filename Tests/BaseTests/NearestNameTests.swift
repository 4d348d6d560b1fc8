import StrataBase
import Testing

@Suite("Did you mean")
struct NearestNameTests {
  @Test(
    "a misspelled name is found",
    arguments: [
      ("contnet", "content"), ("Topci", "Topic"), ("topic", "Topic"), ("hepl", "help"),
    ])
  func slips(typed: String, meant: String) {
    #expect(NearestName.of(typed, in: ["content", "Topic", "help", "title", "hash"]) == meant)
  }

  @Test("an unrelated word finds nothing")
  func others() {
    #expect(NearestName.of("zebra", in: ["content", "title"]) == nil)
    #expect(NearestName.of("content", in: ["content"]) == nil)
    #expect(NearestName.of("x", in: []) == nil)
  }

  @Test("ties go to the first name in byte order")
  func ties() {
    #expect(NearestName.of("ab1", in: ["ab3", "ab2"]) == "ab2")
    #expect(NearestName.of("ab1", in: ["ab2", "ab3"]) == "ab2")
  }

  @Test("a prefix finds the whole name")
  func beginnings() {
    #expect(NearestName.of("--expl", in: ["--all", "--explain"]) == "--explain")
    #expect(NearestName.of("ident", in: ["insert", "identify"]) == "identify")
    #expect(NearestName.of("--e", in: ["--explain"]) == nil)
  }

  @Test("a hostile name costs no time")
  func longNames() {
    let long = String(repeating: "x", count: 1_000_000)
    #expect(NearestName.of(long, in: Array(repeating: long + "y", count: 50)) != nil)
  }
}

@Suite("Locations")
struct LocationTests {
  @Test("a location says file, line and element")
  func descriptions() {
    #expect(
      Location(file: "contents", line: 12, element: "Topic").description == "contents:12, Topic")
    #expect(Location(line: 3, column: 5).description == "line 3:5")
    #expect(Location(element: "Topic.title").description == "Topic.title")
  }

  @Test("a file is added to a location that has none")
  func located() {
    let inner = Diagnostic(id: "a.b", what: "x", location: Location(line: 4))
    #expect(inner.located(in: "f").location?.description == "f:4")
    #expect(inner.located(in: "f").located(in: "g").location?.file == "f")
  }
}
