import StrataBase
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

  @Test("the comment is correct", arguments: FixesTests.cases)
  func comment(example: FixesTests.Case) throws {
    guard let (chain, source, code, _) = try Self.generated(example.old, example.new) else {
      return
    }
    let last = try #require(chain.steps.last?.model)
    let straight = Inference(from: source, to: last)
    #expect(code.contains("Without these stages") == !chain.copies.isEmpty)
    if !chain.copies.isEmpty {
      #expect(
        code.contains("in one step and lose the ") == straight.isInferable
          && code.contains("could not infer a mapping model") == !straight.isInferable)
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
      #expect(code.contains("/// Not kept: \(warning.entity)"))
    }
  }

  @Test(
    "each version is in one stage, and the first has the versions of stores",
    arguments: FixesTests.cases)
  func stages(example: FixesTests.Case) throws {
    guard let (chain, _, code, stages) = try Self.generated(example.old, example.new) else {
      return
    }
    let list = try #require(code.firstRange(of: "let stages: [NSMigrationStage] = ["))
    let body = code[list.upperBound...].prefix { $0 != "}" }
    for number in 0...chain.steps.count {
      #expect(body.ranges(of: "version\(number)").count == 1, "\(body)")
    }
    let first = stages.split(separator: "\n").first { !$0.hasPrefix("#") }
    #expect(
      first == (chain.steps.count == 1 ? "stage lightweight Old, New" : "stage lightweight Old"))
    #expect(stages.ranges(of: "will:").count == chain.copies.count)
  }

  @Test("a loss that cannot be prevented is not reported as prevented")
  func lostForGood() throws {
    let entity = { (parts: String) in #"<entity name="A">\#(parts)</entity>"# }
    let (chain, _, code, stages) = try #require(
      try Self.generated(
        entity(#"<attribute name="a" optional="YES" attributeType="Double"/>"#), entity("")))
    #expect(chain.copies.isEmpty && chain.steps.count == 1)
    let line = "A.a: no destination attribute for its values is known"
    #expect(code.contains("/// Not kept: \(line)."))
    #expect(stages == "# not kept: \(line)\nstage lightweight Old, New\n")
    #expect(!code.contains("Without these stages"))
  }

  @Test("links that no stage keeps are listed with the reason, in the code and in the stages file")
  func lostLinks() throws {
    let relationship = { (name: String, other: String, more: String) in
      #"<relationship name="\#(name)" optional="YES" destinationEntity="\#(other)" \#(more)/>"#
    }
    let toMany = #"toMany="YES""#
    for (old, new, reason) in [
      (relationship("r", "A", toMany), "", "no destination relationship for its links is known"),
      (
        relationship("r", "A", toMany), relationship("r", "A", #"maxCount="1""#),
        "a to-one relationship holds one object"
      ),
      (
        relationship("r", "A", #"maxCount="1""#), relationship("r", "B", #"maxCount="1""#),
        "which B object replaces which A object is not known"
      ),
      (
        relationship("r", "A", toMany + #" ordered="YES""#), relationship("r", "A", toMany),
        "an unordered relationship stores no order"
      ),
      (
        relationship("r", "A", toMany), relationship("r", "A", toMany + #" transient="YES""#),
        "a transient relationship stores no links"
      ),
    ] {
      let model = { (parts: String) in #"<entity name="A">\#(parts)</entity><entity name="B"/>"# }
      let (chain, _, code, stages) = try #require(
        try Self.generated(
          model(old + #"<attribute name="n" optional="YES" attributeType="Double"/>"#),
          model(new + #"<attribute name="n" optional="YES" attributeType="Integer 16"/>"#)))
      #expect(chain.notKept.map(\.element) == ["A.r"], "\(reason)")
      #expect(code.contains("/// Not kept: A.r: \(reason)") && chain.copies.count == 1)
      #expect(stages.hasPrefix("# not kept: A.r: \(reason)"))
    }
  }

  @Test(
    "a model that was split before is split into equal steps",
    arguments: [
      ("Double", "Integer 16"), ("String", "Date"),
    ])
  func again(old: String, new: String) throws {
    let entity = { (type: String) in
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="\#(type)"/></entity>"#
    }
    let (first, _, _, stages) = try #require(try Self.generated(entity(old), entity(new)))
    let last = MatchableModel(try #require(first.steps.last).model)
    let again = try #require(VersionChain(from: Self.model(entity(old)), to: last))
    #expect(
      again.steps.map { $0.model.versionHashes() } == first.steps.map { $0.model.versionHashes() })
    #expect(again.steps.last?.model == last.model && again.copies == first.copies)
    #expect(StagesText(again, from: "Old", names: ["Middle", "New"]).text == stages)
  }

  @Test("an intermediate version is not split again")
  func middle() throws {
    let entity = { (type: String) in
      #"<entity name="A"><attribute name="n" optional="YES" attributeType="\#(type)"/></entity>"#
    }
    let (chain, _, _, _) = try #require(try Self.generated(entity("String"), entity("Date")))
    let models = chain.steps.map { MatchableModel($0.model) }
    #expect(try #require(VersionChain(from: models[0], to: models[1])).copies.isEmpty)
  }

  @Test("numbers are split from a larger type only if numbers out of range are rejected")
  func roundedNumbers() throws {
    for (old, new, splits) in [
      ("Integer 64", "Double", false), ("Double", "Float", false), ("Double", "Integer 64", true),
      ("Integer 32", "Boolean", true), ("Decimal", "Integer 16", true),
      ("Decimal", "Integer 64", true), ("Float", "Integer 32", true),
    ] {
      let entity = { (type: String) in
        #"<entity name="A"><attribute name="n" optional="YES" attributeType="\#(type)"/></entity>"#
      }
      let (chain, _, code, _) = try #require(try Self.generated(entity(old), entity(new)))
      #expect(chain.copies.isEmpty != splits, "\(old) to \(new)")
      #expect(chain.warnings.map(\.id) == ["loss.narrowedNumber"])
      // A Double has fewer digits than a decimal.
      let isDouble = splits && ["Double", "Float"].contains(old)
      #expect(code.contains("number.doubleValue.rounded") == isDouble, "\(code)")
    }
  }
}
