import StrataBase
import StrataExpressions
import StrataMapping
import StrataObjectModel
import TestSupport

/// Mapping models of every shape between random models, the same for the same seed.
struct RandomMapping {
  var random: SeededRandom

  /// One that an `.xcmappingmodel` can keep: with the names and types that Xcode gives.
  mutating func authored(
    from source: MatchableModel, to destination: MatchableModel
  ) -> MappingModel {
    var mapping = MappingModel(startingFrom: source, to: destination)
    for place in mapping.entityMappings.indices { vary(&mapping.entityMappings[place]) }
    return mapping
  }

  /// One with names, texts and hashes of any kind.
  mutating func wild(from source: MatchableModel, to destination: MatchableModel) -> MappingModel {
    var mapping = authored(from: source, to: destination)
    for place in mapping.entityMappings.indices {
      let old = mapping.entityMappings[place].name
      mapping.entityMappings[place].name = name(old)
      if chance(3) {
        mapping.entityMappings[place].kind =
          EntityMapping.Kind.allCases.randomElement(using: &random) ?? .custom
      }
      if chance(4) {
        mapping.entityMappings[place].customSource = .function(
          "of:", on: .variable("manager"), arguments: [.constant(.text(name("x")))])
      }
      if chance(4) { mapping.entityMappings[place].sourceHash = nil }
      if chance(3) {
        mapping.entityMappings[place].userInfo = [
          UserInfoEntry(key: name("key"), value: name("value"))
        ]
      }
    }
    return mapping
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func name(_ base: String) -> String {
    let ends = [
      "", "", " ", "\"", "\n", "\\", "ä", "->", " through x", ":", "=", "#", "\u{2028}", "\u{7}",
      "\r", "\u{1d}\u{618}", "\"\u{301}", " \u{301}", " # x",
    ]
    return base + (ends.randomElement(using: &random) ?? "")
  }

  private mutating func vary(_ mapping: inout EntityMapping) {
    if mapping.sourceName != nil, chance(3) {
      mapping.filter =
        [
          "a == 1", "title MATCHES '[a-h].*'", "x BEGINSWITH \" \"", "\"a\" == b", "= 5", " a == b",
          "a == '\u{1d}\u{618}'", "a == 'b # c' # d",
        ]
        .randomElement(using: &random)
    }
    if mapping.sourceName != nil, mapping.destinationName != nil, chance(3) {
      mapping.policyName = "App.\(mapping.name)Policy"
      mapping.kind = .custom
    }
    for place in mapping.attributeMappings.indices where chance(3) {
      mapping.attributeMappings[place].expression = expression()
    }
    for place in mapping.relationshipMappings.indices where chance(3) {
      mapping.relationshipMappings[place].expression = relationshipExpression()
    }
  }

  private mutating func expression() -> Expression? {
    [
      nil, .constant(.integer(5)), .constant(.text("a \"b\" through c")),
      .sourceValue(["content", "length"]),
      .function(
        "multiply:by:", on: nil,
        arguments: [.sourceValue(["timeBudget"]), .constant(.integer(60))]),
      .function(
        "method:manager:", on: .variable("entityPolicy"),
        arguments: [.sourceValue(["x"]), .variable("manager")]),
      .keyPath(of: nil, ["default"]),
    ].randomElement(using: &random) ?? nil
  }

  private mutating func relationshipExpression() -> Expression? {
    [
      nil, .destinations(through: name("Other"), of: .sourceValue([])),
      .destinations(through: "AToA", of: .sourceValue(["country", "continent"])),
      .destinations(ofRelationship: name("r"), of: .sourceValue(["r"])),
      .destinations(
        through: "AToA", of: .sourceValue(["countries", "@distinctUnionOfSets", "moods"])),
      .keyPath(of: nil, ["nothing"]),
    ].randomElement(using: &random) ?? nil
  }
}
