import StrataBase
import StrataObjectModel
import Testing

@Suite("Archived derivations")
struct DerivationArchiveTests {
  @Test(
    "a derivation of any form keeps the hash of its entity in every file format",
    arguments: [
      "people>@count", "first ++ ' ' ++ last", "a b", "@count", "(", "a.b.", "", "now:()",
      "pages.@count", "a.b", "canonical:(a)", "1 + 2",
      "a + b * 2", "FUNCTION(a, 'x:', 1)", "$x.a", "SELF", "{1, 2}", "now() - 5", "f.@sum.x + 0.5",
      "TERNARY(a == 1, b, c)", "SUBQUERY(a, $x, $x.b > 1).@count", "'text'", "nil",
    ])
  func formats(_ derivation: String) throws {
    var attribute = Attribute(name: "a", type: .integer64)
    attribute.isDerived = true
    attribute.derivation = derivation
    var entity = Entity(name: "A")
    entity.attributes = [attribute]
    let model = try ObjectModel(ModelDocument(entities: [entity]))
    for bytes in [model.document.encodedXML(), model.archived()] {
      let again = try ObjectModel(ModelDocument(reading: bytes))
      #expect(again.versionHashes() == model.versionHashes())
      #expect(again.document.entities.first?.attributes.first?.isDerived == true)
    }
  }
}
