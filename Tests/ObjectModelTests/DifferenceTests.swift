import StrataObjectModel
import Testing

@Suite("Differences of models")
struct DifferenceTests {
  @Test("elements match by renaming identifier first, then by name")
  func matching() {
    func candidates(_ pairs: [(String, String?)]) -> [NameMatching.Candidate] {
      pairs.map { .init(name: $0.0, renamingIdentifier: $0.1) }
    }
    // content -> title -> heading: the canonical name stays content.
    let chain = NameMatching(
      source: candidates([("title", "content")]), destination: candidates([("heading", "content")]))
    #expect(chain.pairs.map(\.source) == ["title"])
    // An identifier that equals the name of a source element with another canonical name.
    let byName = NameMatching(
      source: candidates([("title", "content")]), destination: candidates([("heading", "title")]))
    #expect(byName.pairs.map(\.source) == ["title"])
    // An identifier that leads nowhere is an addition.
    let nowhere = NameMatching(
      source: candidates([("a", nil)]), destination: candidates([("b", "gone")]))
    #expect(nowhere.added == ["b"] && nowhere.removed == ["a"])
    // Two claim one identifier.
    let ambiguous = NameMatching(
      source: candidates([("a", "x"), ("b", "x")]), destination: candidates([("c", "x")]))
    #expect(ambiguous.ambiguous.map(\.destination) == ["c"])
    // Names swapped by identifiers.
    let swapped = NameMatching(
      source: candidates([("a", nil), ("b", nil)]),
      destination: candidates([("a", "b"), ("b", "a")]))
    #expect(swapped.pairs.map(\.source) == ["b", "a"])
  }

  @Test("a changed hash has a change that explains it, an unchanged hash has none")
  func causes() throws {
    let base =
      #"<entity name="Base"><attribute name="a" attributeType="String"/></entity><entity name="Sub" parentEntity="Base"><relationship name="r" optional="YES" maxCount="1" destinationEntity="Base"/></entity>"#
    let edits: [(String, String)] = [
      (#"name="a" attributeType="String""#, #"name="a" attributeType="Date""#),
      (#"name="a""#, #"name="b" elementID="a""#), (#"name="a""#, #"name="b""#),
      (#"parentEntity="Base""#, ""), (#"optional="YES""#, ""),
      (#"name="a""#, #"name="a" transient="YES""#),
      (#"name="a""#, #"name="a" defaultValueString="1""#),
      (#"<entity name="Base">"#, #"<entity name="Base" versionHashModifier="2">"#),
      (#"maxCount="1""#, #"toMany="YES""#),
      ("<entity name=\"Base\">", "<entity name=\"Base\" isAbstract=\"YES\">"),
    ]
    let before = try ModelErrorTests.model(base)
    for (old, new) in edits {
      let after = try ModelErrorTests.model(base.replacing(old, with: new))
      let difference = after.difference(from: before)
      #expect(!difference.isEmpty, "\(new)")
      #expect(
        difference.isCompatible == (before.versionHashes() == after.versionHashes()), "\(new)")
      for entity in difference.entities {
        #expect(
          entity.movesHash == entity.changes.contains(where: \.movesHash),
          "\(new) \(entity.name) \(entity.changes)")
      }
    }
  }

  @Test("a model has no difference from itself")
  func identity() throws {
    let model = try ModelErrorTests.model(
      #"<entity name="A"><attribute name="a" attributeType="String"/></entity>"#)
    #expect(model.difference(from: model).isEmpty)
  }
}
