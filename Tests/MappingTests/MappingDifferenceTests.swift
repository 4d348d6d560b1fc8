import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Differences between mapping models")
struct MappingDifferenceTests {
  private static func mapping(_ lines: String) throws -> MappingModel {
    let model = MatchableModel(
      try ObjectModel(brief: "Item\n  a String\n  b -> Item inverse=c\n  c -> Item inverse=b"))
    return try MappingScript(parsing: "Items: Item -> Item\n\(lines)").mapping(
      from: model, to: model)
  }

  @Test(
    "information about a property is a setting of its own",
    arguments: [
      (
        "  a = 'x'\n  info of a \"k\" = \"v\"\n", "  a = 'x'\n  info of a \"k\" = \"w\"\n", "k = v",
        "k = w"
      ),
      ("  a = 'x'\n", "  a = 'x'\n  info of a \"k\" = \"w\"\n", nil, "k = w"),
      ("  a = 'x'\n  info of a \"k\" = \"v\"\n", "  a = 'x'\n", "k = v", nil),
    ] as [(String, String, String?, String?)])
  func info(old: String, new: String, before: String?, after: String?) throws {
    let (old, new) = (try Self.mapping(old), try Self.mapping(new))
    #expect(MappingDifference(from: old, to: old).entries.isEmpty)
    #expect(
      MappingDifference(from: old, to: new).entries.map(\.changes) == [
        [.setting("info of a", old: before, new: after)]
      ])
  }
}
