import StrataDiagnostics
import StrataMapping
import StrataObjectModel
import Testing

/// What is generated for a split: the code of an app, and a stages file.
@Suite("Generated stages")
struct StagedCodeTests {
  private static func model(_ entities: String) throws -> MatchableModel {
    MatchableModel(
      try ObjectModel(ModelDocument(reading: Array("<model>\(entities)</model>".utf8))))
  }

  private static func generated(
    _ old: String, _ new: String
  ) throws -> (chain: VersionChain, source: ObjectModel, code: String, stages: String)? {
    let (old, new) = (try model(old), try model(new))
    guard let chain = VersionChain(from: old, to: new) else { return nil }
    let names = chain.steps.count == 1 ? ["New"] : ["Middle", "New"]
    return (
      chain, old.model,
      StagedMigrationCode(
        chain, from: NamedModel(name: "Old", model: old.model), names: names
      ).text,
      StagesText(chain, from: "Old", names: names).text
    )
  }

  @Test("the comment says what is so", arguments: WaysOutTests.cases)
  func comment(example: WaysOutTests.Case) throws {
    guard let (chain, source, code, _) = try Self.generated(example.old, example.new) else {
      return
    }
    let last = try #require(chain.steps.last?.model)
    let straight = Inference(from: source, to: last)
    #expect(code.contains("Without these stages") == !chain.copies.isEmpty)
    if !chain.copies.isEmpty {
      #expect(
        code.contains("in one step, and lose values of") == straight.isInferable
          && code.contains("only with a mapping model") == !straight.isInferable)
    }
    // Nothing is said to be kept that the stages lose.
    let copied = Set(
      chain.copies.map { copy -> [String] in
        switch copy.kind {
        case .objects: [copy.entity]
        case .values(let values): [copy.entity, values.attribute]
        case .parts(let name, _): [copy.entity, name]
        case .linked(let link): [copy.entity] + link.attributes.map(\.old).prefix(1)
        }
      })
    for warning in chain.warnings where warning.id == "loss.removed" {
      #expect(!copied.contains([warning.entity, warning.property ?? ""]))
      #expect(code.contains("Lost with them too"))
    }
  }

  @Test(
    "each version is in one stage, and the first has the versions of stores",
    arguments: WaysOutTests.cases)
  func stages(example: WaysOutTests.Case) throws {
    guard let (chain, _, code, stages) = try Self.generated(example.old, example.new) else {
      return
    }
    let list = try #require(code.firstRange(of: "let stages: [NSMigrationStage] = ["))
    let body = code[list.upperBound...].prefix { $0 != "}" }
    for number in 0...chain.steps.count {
      #expect(body.ranges(of: "version\(number)").count == 1, "\(body)")
    }
    let first = stages.split(separator: "\n").first
    #expect(
      first == (chain.steps.count == 1 ? "stage lightweight Old, New" : "stage lightweight Old"))
    #expect(stages.ranges(of: "will:").count == chain.copies.count)
  }

  @Test("a loss for which there is no place is not said to be avoided")
  func lostForGood() throws {
    let entity = { (parts: String) in #"<entity name="A">\#(parts)</entity>"# }
    let (chain, _, code, _) = try #require(
      try Self.generated(
        entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#), entity("")))
    #expect(chain.copies.isEmpty && chain.steps.count == 1)
    #expect(code.contains("/// Lost with them too, for no place is known: A.a."))
    #expect(!code.contains("Without these stages"))
  }

  @Test("numbers are split from a type that holds more only where what does not fit is refused")
  func roundedNumbers() throws {
    for (old, new, splits) in [
      ("Integer 64", "Double", false), ("Double", "Float", false), ("Double", "Integer 64", true),
      ("Integer 32", "Boolean", true), ("Decimal", "Integer 16", true),
    ] {
      let entity = { (type: String) in
        #"<entity name="A"><attribute name="n" optional="YES" attributeType="\#(type)"/></entity>"#
      }
      let (chain, _, _, _) = try #require(try Self.generated(entity(old), entity(new)))
      #expect(chain.copies.isEmpty != splits, "\(old) to \(new)")
      #expect(chain.warnings.isEmpty == splits)
    }
  }
}
