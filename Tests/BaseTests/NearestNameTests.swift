import StrataBase
import TestSupport
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

  /// The distance as its documentation defines it, without a table and without a limit.
  private static func cost(_ a: ArraySlice<Character>, _ b: ArraySlice<Character>) -> Int {
    guard let first = a.first, let other = b.first else { return 2 * (a.count + b.count) }
    let replacing = first == other ? 0 : first.lowercased() == other.lowercased() ? 1 : 2
    var costs = [
      replacing + cost(a.dropFirst(), b.dropFirst()), 2 + cost(a.dropFirst(), b),
      2 + cost(a, b.dropFirst()),
    ]
    if a.count > 1, b.count > 1, a.prefix(2).elementsEqual(b.prefix(2).reversed()) {
      costs.append(2 + cost(a.dropFirst(2), b.dropFirst(2)))
    }
    return costs.min() ?? 0
  }

  @Test("of all short words the one with the smallest distance is found")
  func definition() {
    var words = [""]
    for length in 1...4 {
      words += words.filter { $0.count == length - 1 }.flatMap { word in
        (length < 4 ? ["a", "A", "b"] : ["a", "b"]).map { word + $0 }
      }
    }
    for name in words.filter({ $0.count != 4 }) {
      // A name of three letters is also the beginning of another one.
      let others = words.filter { $0 != name && !(name.count == 3 && $0.hasPrefix(name)) }
      for candidates in [others, Array(others.dropFirst(20)), Array(others.suffix(30))] {
        let costs = candidates.map { (cost: Self.cost(Array(name)[...], Array($0)[...]), name: $0) }
        let best = costs.filter { $0.cost <= max(2, 2 * max(name.count, $0.name.count) / 3) }
          .min { ($0.cost, $0.name) < ($1.cost, $1.name) }
        #expect(NearestName.of(name, in: candidates) == best?.name, "\(name)")
        #expect(NearestName.of(name, in: candidates.reversed()) == best?.name, "\(name)")
      }
    }
  }

  @Test("hundreds of long names cost no time")
  func manyLongNames() {
    var generator = SeededRandom(seed: 1)
    func name() -> String {
      String(
        (0..<200).map { _ in
          "abcdefghijklmnopqrstuvwxyzABCDEF".randomElement(using: &generator) ?? "x"
        })
    }
    let names = (0..<500).map { _ in name() }
    #expect(NearestName.of(name(), in: names) == nil)
    let misspelled = String(names[250].dropFirst(3)) + "xyz"
    #expect(NearestName.of(misspelled, in: names) == names[250])
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
